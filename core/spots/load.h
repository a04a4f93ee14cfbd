#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/run/request.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// Opens the frames of a request with complete parameters, and the masks (io::ignored_pixels()). Frames
/// without values in the file are missing. No frames are read here; frames and masks already read for
/// `previous` are reused. Throws ks::Error(input) if all frames are missing, for limits of d without a
/// geometry, and as SpotProblem and ignored_pixels() do.
std::shared_ptr<const SpotProblem> load_problem(const Request& request, Progress& progress,
                                                std::shared_ptr<const Problem> previous = nullptr);

}  // namespace ks::spots
