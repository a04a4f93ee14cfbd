#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/particles/problem.h"
#include "core/run/request.h"

namespace ks::particles {

/// Reads sources, and targets if given; reuses what `previous` holds of unchanged files.
/// @param request with complete parameters. Throws ks::Error(input).
std::shared_ptr<const SumProblem> load_problem(const Request& request, Progress& progress,
                                               std::shared_ptr<const Problem> previous);

}  // namespace ks::particles
