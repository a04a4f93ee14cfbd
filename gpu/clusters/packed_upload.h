#pragma once

#include <array>
#include <cstddef>

#include "core/base/array.h"
#include "gpu/clusters/chunk.h"

namespace ks::gpu::clusters {

/// Digis packed by all threads into memory that the device reads at the speed of the bus, a part while the
/// one before is on its way, and made columns again there (gpu/clusters/unpack_digis.cl).
///
/// A digi is 8 bytes where slot of the chunk (at most as many bits as the largest chunk has slots), x and y
/// (of the extents) and adc (of the largest) are 64 bits together: of Phase 1 21 + 8 + 9 bits for a million
/// slots, which leaves 26 for adc. Else adc has 4 bytes of its own, and slots of 31 bits and pixels of 16
/// each fit.
class PackedUpload {
  public:
    static constexpr std::size_t rows_of_part = std::size_t{1} << 21;

    /// @param queue for the transfers, the device's own or another @param charges whether adc goes along
    PackedUpload(const ClusterProblem& problem, const std::vector<Chunk>& chunks, bool charges,
                 cl::CommandQueue queue, LaunchContext& context);
    /// Device bytes.
    static std::uint64_t bytes(std::size_t rows);

    /// Enqueues all of a chunk; kernels that are launched afterwards find it.
    void upload(const Chunk& chunk, const DigisOnDevice& digis, LaunchContext& context);

  private:
    /// A part on its way.
    struct Part {
        Array words;
        Buffer packed, adc;
        cl::Event uploaded{}, unpacked{};  ///< null at first
    };
    struct Bits {
        unsigned slot, x, y, adc;
    };
    void pack(const Chunk& chunk, std::size_t first, std::size_t rows, Part& part) const;

    const ClusterProblem& problem_;
    cl::CommandQueue queue_;
    std::size_t rows_;
    Bits bits_;
    bool charges_, apart_;
    cl::Kernel unpack_;
    std::array<Part, 3> parts_;
    std::size_t next_ = 0;
};

}  // namespace ks::gpu::clusters
