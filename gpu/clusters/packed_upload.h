#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/base/parallel.h"
#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// Digis packed by all threads into memory that the device reads at bus speed, each part while the previous
/// ones are being transferred, and unpacked into columns on the device (gpu/clusters/unpack_digis.cl).
///
/// A digi takes 8 bytes if slot of the chunk (bits for the slots of the largest chunk), x and y (bits for the
/// extents) and adc (bits for the largest) fit in 64 bits: for Phase 1 20 + 8 + 9 bits for half a million
/// slots, which leaves 27 for adc. Otherwise adc has another 4 bytes, and slots of 31 bits and
/// pixels of 16 each fit.
class PackedUpload {
  public:
    /// @param chunks all of the run, which must stay valid @param rows_of_part maximum
    /// @param queue for the transfers, the device's own or another @param charges whether adc is included
    PackedUpload(const ClusterProblem& problem, const std::vector<Chunk>& chunks, std::size_t rows_of_part,
                 bool charges, cl::CommandQueue queue, LaunchContext& context);
    /// Maximum device bytes.
    static std::uint64_t bytes(std::size_t rows_of_part);

    /// Enqueues a whole chunk, in the order in which they were given; kernels launched afterwards can read
    /// it. Packing of the next one has begun on return.
    void upload(const Chunk& chunk, const DigisOnDevice& digis, LaunchContext& context);

  private:
    /// Rows of a chunk.
    struct Part {
        const Chunk* chunk;
        std::size_t first, rows;
    };
    /// Staging memory of a part in flight.
    struct Place {
        Array words;
        Buffer packed, adc;
        cl::Event uploaded{}, unpacked{};  ///< initially null
    };
    struct Bits {
        unsigned slot, x, y, adc;
    };
    Place& place_of(std::size_t part) { return places_[part % places_.size()]; }
    void start_packing(std::size_t part);
    Timing pack(const Part& part, Place& place) const;

    const ClusterProblem& problem_;
    cl::CommandQueue queue_;
    std::size_t rows_;
    Bits bits_;
    bool charges_, apart_;
    cl::Kernel unpack_;
    std::vector<Part> parts_;
    std::size_t next_ = 0;  ///< of the parts
    std::array<Place, 3> places_;
    Pending<Timing> packing_;  ///< declared last, since it uses the members above
};

}  // namespace ks::gpu::clusters
