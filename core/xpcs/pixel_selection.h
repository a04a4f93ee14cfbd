#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/partition/q_partition.h"

namespace ks::xpcs {

/// The pixels of a frame that are in bins, contiguous and in order: a packed frame of QPartition::selected()
/// pixels, which is all that correlating these bins requires.
class PixelSelection {
  public:
    explicit PixelSelection(const QPartition& partition);

    /// The positions of QPartition::pixels() in a packed frame.
    /// @param partition the partition this selection was created from
    std::vector<std::uint32_t> places(const QPartition& partition) const;
    /// Packs whole frames, on at most `threads` threads.
    /// @param frames [frame][y][x], of pixels of `pixel_bytes` each @param packed [frame][selected]
    void pack(std::span<const std::byte> frames, std::size_t pixel_bytes, std::span<std::byte> packed,
              unsigned threads) const;

  private:
    /// Adjacent pixels in a frame.
    struct Run {
        std::uint32_t first, place, count;
    };
    void pack_runs(std::size_t first, std::size_t end, const std::byte* frame, std::size_t pixel_bytes,
                   std::byte* packed) const;

    std::size_t frame_pixels_, pixels_;
    std::vector<Run> runs_;            ///< ordered by pixel
    std::vector<std::size_t> blocks_;  ///< first run of each thread's block, then the end
};

}  // namespace ks::xpcs
