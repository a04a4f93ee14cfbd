#pragma once

#include <cstddef>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/data/frame_source.h"

namespace ks {

/// How several frames become one picture.
enum class Combination { sum, mean, max };

/// A file can claim any size; a picture of more is neither looked at nor does it fit beside its levels of
/// detail.
constexpr std::size_t max_shown_pixels = std::size_t{1} << 28;
/// Throws ks::Error(input) where frames have more pixels than that.
void require_showable(const FrameSource& source);

/// Frames [first, first + count) of a source as one of [y][x]. A single frame comes as it is; where it lacks
/// pixels (FrameSource::lacking()) that u8 or u16 cannot tell from counts, it comes as f32 with NaN in their
/// place, and so does the maximum. Sums and means are f64, the maximum has the frames' type; a pixel that is
/// NaN, infinite or, of integers, negative in any of the frames is NaN in a sum or a mean, and the maximum is
/// that of the frames where it is valid (where there is none, the last value). Reads one frame at a time.
/// Throws ks::Error(input) for a range that is empty or beyond the source's, and where frames are too large
/// to be shown.
Array combined(FrameSource& source, std::size_t first, std::size_t count, Combination how,
               Progress& progress);

}  // namespace ks
