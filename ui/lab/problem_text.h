#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/run/analysis.h"
#include "core/run/bench.h"
#include "core/run/engine.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// Traits of each problem of a plan before it is timed, for Variant::takes: its sizes or parameters, and for
/// a generated problem the traits of a small version of it. Takes time if problems are generated.
std::vector<Traits> traitsOf(const Analysis& analysis, const BenchPlan& plan);

/// A variant that takes none of the problems says why not. Has no effect without problems.
void judge(std::vector<Offer>& offers, const std::vector<Traits>& problems, bool deviceHasFp64);

/// Describes the timed problem in one line: the analysis, its data file, sizes or parameters, the source of
/// the input, definitions, and for an earlier measurement its date and device: "Matrix multiplication: Size
/// 1024; input left on the device". For several problems: their common part, and what differs. Parameters
/// that differ from their default come first. Empty: there is no problem.
/// @param problem of problemsOf(); nothing: all of them
QString problemText(const AnalysisInfo& info, const ComparedList& all, std::optional<std::size_t> problem);

}  // namespace ks::ui::lab
