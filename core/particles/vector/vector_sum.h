#pragma once

#include "core/particles/problem.h"
#include "core/particles/vector/vector_block.h"
#include "core/run/host_backend.h"

namespace ks::particles {

/// host.vector: blocks of targets in vectorised loops, on all threads. The terms of 128 sources are computed
/// and added in the requested precision, and the resulting sums are added in double.
Result run_vector(const SumProblem& problem, HostContext& context);

/// The sums of a block with one vector of weights and without gradients.
template <class T>
SumBlock<T> plain_sums(Kernel kernel, bool complex_weights);

}  // namespace ks::particles
