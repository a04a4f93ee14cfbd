#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/run/request.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// Opens the frames of a request whose parameters are complete, and the masks (io::ignored_pixels()). Frames
/// that the file does not hold are missing. No values of frames are read here; what `previous` has read of
/// the same frames, and its masks, are used again. Throws ks::Error(input): all frames missing, limits of d
/// without a geometry, and what SpotProblem and ignored_pixels() refuse.
std::shared_ptr<const SpotProblem> load_problem(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous = nullptr);

}  // namespace ks::spots
