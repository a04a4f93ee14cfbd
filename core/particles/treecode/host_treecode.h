#pragma once

#include "core/particles/treecode/accuracy.h"
#include "core/particles/treecode/treecode_result.h"
#include "core/run/host_backend.h"

namespace ks::particles {

/// Maximum number of points in a leaf of host.treecode.
constexpr std::size_t host_leaf = 128;

/// host.treecode: the plan of a treecode, with the loops of host.vector for pairs.
Result run_treecode(const SumProblem& problem, HostContext& context);

/// The sums alone, at any accuracy. @param leaf maximum number of points in a leaf
TreecodeSums treecode_sums(const SumProblem& problem, const Accuracy& accuracy, std::size_t leaf,
                           HostContext& context);

}  // namespace ks::particles
