#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/partition/q_partition.h"

namespace ks::xpcs {

/// The pixels of a frame that are in bins, side by side in their order: a packed frame, of
/// QPartition::selected() pixels. It is what correlating these bins needs of a frame.
class PixelSelection {
  public:
    explicit PixelSelection(const QPartition& partition);

    /// Where QPartition::pixels() lie in a packed frame.
    /// @param partition the one that it was made of
    std::vector<std::uint32_t> places(const QPartition& partition) const;
    /// Packs whole frames, on at most `threads` threads.
    /// @param frames [frame][y][x], of pixels of `pixel_bytes` each @param packed [frame][selected]
    void pack(std::span<const std::byte> frames, std::size_t pixel_bytes, std::span<std::byte> packed,
              unsigned threads) const;

  private:
    /// Neighbours in a frame.
    struct Run {
        std::uint32_t first, place, count;
    };
    void pack_runs(std::size_t first, std::size_t end, const std::byte* frame, std::size_t pixel_bytes,
                   std::byte* packed) const;

    std::size_t frame_pixels_, pixels_;
    std::vector<Run> runs_;            ///< by pixel
    std::vector<std::size_t> blocks_;  ///< where runs for a thread begin, and the end of the last
};

}  // namespace ks::xpcs
