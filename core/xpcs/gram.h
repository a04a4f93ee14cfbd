#pragma once

#include "core/run/host_backend.h"

namespace ks::xpcs {

/// "host.gram": per bin the Gram matrix A A^T of its counts A [frames][pixels] less each frame's rounded
/// mean, in single precision by BLAS (ssyrk, which is what numpy.dot(A, A.T) calls; where counts are below 0
/// dsyrk, in double), then sums along its diagonals in double.
Result run_gram(const Problem& problem, HostContext& context);

}  // namespace ks::xpcs
