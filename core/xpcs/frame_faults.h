#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/xpcs/frame_scan.h"

namespace ks::xpcs {

/// Of pixels that are invalid in some frames: the few frames that make most of them so.
struct FrameFaults {
    std::size_t pixels = 0;  ///< how many were looked at
    /// Frames without one valid pixel of them, as the source counts them, ascending.
    std::vector<std::size_t> without_valid = {};
    /// Frames that make many of the pixels invalid, as the source counts them, ascending; empty where no few
    /// frames do.
    std::vector<std::size_t> frames = {};
    std::size_t in_these_alone = 0;  ///< pixels that are invalid in some of `frames` and in no other one

    bool operator==(const FrameFaults&) const = default;
};

/// Looks at the pixels in all frames that are used: reads these once more where they are not in memory.
/// @param pixels each invalid in some frame that is used, and valid in another (FrameScan::valid_somewhere())
/// @param saturation counts of this and more are invalid
FrameFaults find_faults(const FrameScan& scan, std::span<const std::uint32_t> pixels, double saturation,
                        Progress& progress);

}  // namespace ks::xpcs
