#pragma once

#include <QString>
#include <optional>

#include "core/run/analysis.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// Describes the timed problem in one line: the analysis, its data file, sizes or parameters, the source of
/// the input, definitions, and for an earlier measurement its date and device: "Matrix multiplication: Size
/// 1024; input left on the device". For several problems: their common part, and what differs. Parameters
/// that differ from their default come first. Empty: there is no problem.
/// @param problem of problemsOf(); nothing: all of them
QString problemText(const AnalysisInfo& info, const ComparedList& all, std::optional<std::size_t> problem);

}  // namespace ks::ui::lab
