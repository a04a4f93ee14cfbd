#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/engine.h"

namespace ks::ui::lab {

/// Traits of each problem of a plan before it is timed, for Variant::takes: its sizes or parameters, and for
/// a generated problem the traits of a small version of it. Takes time if problems are generated.
std::vector<Traits> traitsOf(const Analysis& analysis, const BenchPlan& plan);

/// A variant that takes none of the problems says why not. Has no effect without problems.
void judge(std::vector<Offer>& offers, const std::vector<Traits>& problems, bool deviceHasFp64);

}  // namespace ks::ui::lab
