#pragma once

#include <optional>

#include "core/ranks/exchange.h"
#include "core/run/bench.h"
#include "core/run/engine.h"

namespace ks {

/// run_bench() with every run by all ranks, each of which makes the problem by itself: rank 0 times, and the
/// others compute their shares as it asks them to. A time of a stage is that of the rank for which it is
/// longest, the time end to end that of rank 0, which waits for all. A variant that fails at one rank is a
/// row that failed.
/// @return at rank 0; nothing elsewhere
/// Throws ks::Error(input) where runs would read files, kernels be repeated alone, or the analysis cannot be
/// shared out.
std::optional<BenchReport> run_bench_over_ranks(Engine& engine, Exchange& exchange, const BenchPlan& plan,
                                                Progress& progress, const BenchListener& listener = {});

}  // namespace ks
