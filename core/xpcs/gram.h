#pragma once

#include "core/run/host_backend.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// "host.gram": per bin the Gram matrix A A^T of its counts A [frames][pixels] minus the rounded mean of each
/// frame, in single precision by BLAS (ssyrk, which numpy.dot(A, A.T) calls; dsyrk in double if there are
/// negative counts), then sums along its diagonals in double.
Result run_gram(const CorrelationProblem& problem, HostContext& context);

}  // namespace ks::xpcs
