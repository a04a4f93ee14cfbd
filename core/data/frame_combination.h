#pragma once

#include <cstddef>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/data/frame_source.h"

namespace ks {

/// How several frames are combined into one image.
enum class Combination { sum, mean, max };

/// A file can claim any size. A larger image is of no use, and its levels of detail would not fit into memory
/// next to it.
constexpr std::size_t max_shown_pixels = std::size_t{1} << 28;
/// Throws ks::Error(input) if frames have more pixels than that.
void require_showable(const FrameSource& source);

/// Frames [first, first + count) of a source combined into one of [y][x]. A single frame is returned as it
/// is. Sums and means are f64, and the maximum has the frames' type. If frames of u8 or u16 lack pixels
/// (FrameSource::lacking()), the type cannot distinguish these from counts; so a single frame and the maximum
/// are then f32, with NaN in place of such pixels. A pixel that is NaN, infinite or, for integers, negative
/// in any of the frames is NaN in a sum or a mean; the maximum uses the frames in which the pixel is valid
/// (if there are none, the last value). Reads one frame at a time. Throws ks::Error(input) for a range that
/// is empty or exceeds the source, and if frames are too large to show.
Array combined(FrameSource& source, std::size_t first, std::size_t count, Combination how,
               Progress& progress);

}  // namespace ks
