#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/run/result.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// The state of a frame in the column frame_missing: 0 if it was searched.
enum class FrameState : std::uint8_t {
    read = 0,
    not_written = 1,
    damaged = 2,
    left_out = 3,
    without_valid = 4,  ///< no pixel is valid
};

/// "missing", "no valid pixel"; "" for a frame that was searched.
const char* name_of(FrameState state);

/// The datasets of a result with one value per frame, named as in SpotCollector.
/// @param result with the table of spots
/// @param signal number of pixels per frame
/// @param without_valid frames without a valid pixel, numbered as in the problem, ascending
std::vector<Dataset> frame_datasets(const SpotProblem& problem, const Result& result,
                                    std::span<const std::uint64_t> signal,
                                    std::span<const std::size_t> without_valid, unsigned threads);

/// The minimum number of spots for a resolution estimate.
inline constexpr std::size_t min_spots_for_resolution = 10;

/// Estimated resolution limit of a frame in angstrom, from its spots that are not within usual_ice_width of
/// an ice ring: d at the 95th percentile (linear between the ranks) of their 1/d^2. A few stray spots at high
/// angles do not affect it. NaN for fewer than min_spots_for_resolution spots.
/// @param d of the kept spots of the frame, angstrom; NaN and infinite values are left out
double frame_resolution(const std::vector<double>& d);

}  // namespace ks::spots
