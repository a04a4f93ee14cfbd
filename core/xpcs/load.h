#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/run/request.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Opens the frames and the partition of a request whose parameters are complete, checks them, and fills
/// frame time and geometry. Pixels that a mask ignores (io::ignored_pixels()) are in no bin. The partition's
/// name is "FILE::/path", "rings:X,Y,R0,WIDTH,N" or comes with its values. Rings are concentric about the
/// beam: their centre replaces the file's beam centre for q, unless the parameters give one. Where `previous`
/// was made from the same frames, they are not read again. Throws ks::Error(input).
std::shared_ptr<CorrelationProblem> load_problem(const Request& request, Progress& progress,
                                                 std::shared_ptr<const Problem> previous = nullptr);

}  // namespace ks::xpcs
