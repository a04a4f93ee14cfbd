#pragma once

#include <cstddef>
#include <vector>

#include "core/run/bench.h"
#include "core/run/bench_statistics.h"

namespace ks {

/// The minimum number of rounds with which the order of two lists of one benchmark can be significant among
/// all of `lists`, if the other orders stay as clear as they are: Holm's correction counts all pairs, but not
/// those that are clearer. 0 if fewer than two lists of the benchmark have times.
std::size_t runs_among(const std::vector<RankedTimes>& lists, std::size_t benchmark);

/// The repeats that give so many values for ranking, see ranked_times().
std::size_t repeats_for(std::size_t runs, const BenchPlan& plan);

}  // namespace ks
