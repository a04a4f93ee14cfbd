#pragma once

#include <optional>

#include "core/ranks/exchange.h"
#include "core/run/bench.h"
#include "core/run/engine.h"

namespace ks {

/// run_bench() with every run on all ranks. Each rank generates the problem itself; rank 0 measures, and the
/// others compute their shares when it says so. The time of a stage is that of the slowest rank. The
/// end-to-end time is that of rank 0, which waits for all. If a variant fails at one rank, its row has
/// failed.
/// @return the report at rank 0; nothing elsewhere
/// Throws ks::Error(input) if runs would read files, if kernels are to be repeated alone, or if the analysis
/// cannot be divided.
std::optional<BenchReport> run_bench_over_ranks(Engine& engine, Exchange& exchange, const BenchPlan& plan,
                                                Progress& progress, const BenchListener& listener = {});

}  // namespace ks
