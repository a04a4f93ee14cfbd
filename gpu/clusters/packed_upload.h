#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/base/parallel.h"
#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// Digis packed by all threads into memory that the device reads at the speed of the bus, a part while those
/// before are on their way, and made columns again there (gpu/clusters/unpack_digis.cl).
///
/// A digi is 8 bytes where slot of the chunk (as many bits as the slots of the largest chunk need), x and y
/// (of the extents) and adc (of the largest) are 64 bits together: of Phase 1 20 + 8 + 9 bits for half a
/// million slots, which leaves 27 for adc. Else adc has 4 bytes of its own, and slots of 31 bits and pixels
/// of 16 each fit.
class PackedUpload {
  public:
    /// @param chunks all of the run, which stay where they are @param rows_of_part at most
    /// @param queue for the transfers, the device's own or another @param charges whether adc goes along
    PackedUpload(const ClusterProblem& problem, const std::vector<Chunk>& chunks, std::size_t rows_of_part,
                 bool charges, cl::CommandQueue queue, LaunchContext& context);
    /// Device bytes, at most.
    static std::uint64_t bytes(std::size_t rows_of_part);

    /// Enqueues all of a chunk, one after another as they were given; kernels that are launched afterwards
    /// find it. Packing of the next one has begun on return.
    void upload(const Chunk& chunk, const DigisOnDevice& digis, LaunchContext& context);

  private:
    /// Rows of a chunk.
    struct Part {
        const Chunk* chunk;
        std::size_t first, rows;
    };
    /// Where a part is on its way.
    struct Place {
        Array words;
        Buffer packed, adc;
        cl::Event uploaded{}, unpacked{};  ///< null at first
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
    Pending<Timing> packing_;  ///< last, as it works on what is above
};

}  // namespace ks::gpu::clusters
