#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/run/request.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Opens and checks the frames and the partition of a request with complete parameters, and fills frame time
/// and geometry. Masked pixels (io::ignored_pixels()) are in no bin. The name of the partition is
/// "FILE::/path" or "rings:X,Y,R0,WIDTH,N", or it has values. Rings are concentric about the beam: their
/// centre replaces the beam centre in the file for q, unless set by parameters. If `previous` has the same
/// frames, they are not read again. Throws ks::Error(input).
std::shared_ptr<CorrelationProblem> load_problem(const Request& request, Progress& progress,
                                                 std::shared_ptr<const Problem> previous = nullptr);

}  // namespace ks::xpcs
