#pragma once

#include <cstdint>
#include <vector>

#include "core/base/progress.h"
#include "core/spots/module_layout.h"
#include "core/spots/signal/reference.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

/// The signal of a frame, by sums that slide down the columns: indices [y][x] into the frame, ascending, the
/// same as from reference_signal(). A vectorised test in floats lets few pixels pass; for these, the
/// definition is computed.
/// @param frame with `ignore` of the same shape, the layout's frame_height x frame_width; Thresholds as
/// accepted by SpotProblem
/// @param threads at least 1; each processes bands of rows. Cancelling takes effect within milliseconds.
void find_signal_sliding(const ImageView& frame, const ModuleLayout& layout, const Thresholds& thresholds,
                         unsigned threads, Progress& progress, std::vector<std::uint32_t>& signal);

/// The same for one image.
void find_signal_sliding(const ImageView& image, const Thresholds& thresholds, unsigned threads,
                         Progress& progress, std::vector<std::uint32_t>& signal);

}  // namespace ks::spots
