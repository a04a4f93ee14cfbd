#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/engine.h"

namespace ks::ui::lab {

/// What is known of each problem of a plan before it is timed, for Variant::takes: its sizes or parameters,
/// and of one that is generated the traits of the same one made small. Takes time where problems are made.
std::vector<Traits> traitsOf(const Analysis& analysis, const BenchPlan& plan);

/// A variant that takes none of the problems says why not. Without problems nothing changes.
void judge(std::vector<Offer>& offers, const std::vector<Traits>& problems, bool deviceHasFp64);

}  // namespace ks::ui::lab
