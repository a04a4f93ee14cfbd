#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/xpcs/frame_scan.h"

namespace ks::xpcs {

/// If some pixels are invalid in only some of the frames: the few frames that cause most of these cases.
struct FrameFaults {
    std::size_t pixels = 0;  ///< number of pixels examined
    /// Frames in which none of them is valid, numbered as in the source, ascending.
    std::vector<std::size_t> without_valid = {};
    /// Frames that make many of the pixels invalid, numbered as in the source, ascending; empty if no small
    /// number of frames causes most cases.
    std::vector<std::size_t> frames = {};
    std::size_t in_these_alone = 0;  ///< pixels that are invalid in some of `frames` only

    bool operator==(const FrameFaults&) const = default;
};

/// Examines the pixels in all used frames, which are read again unless they are in memory.
/// @param pixels each invalid in some used frame, and valid in another (FrameScan::valid_somewhere())
/// @param saturation counts from this on are invalid
FrameFaults find_faults(const FrameScan& scan, std::span<const std::uint32_t> pixels, double saturation,
                        Progress& progress);

}  // namespace ks::xpcs
