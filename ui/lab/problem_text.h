#pragma once

#include <QString>
#include <optional>

#include "core/run/analysis.h"
#include "ui/lab/comparison.h"

namespace ks::ui::lab {

/// What times are of, in one line: the analysis, its data file, sizes or parameters, where the input comes
/// from, definitions, and of what was measured at an earlier start when and where: "Matrix multiplication:
/// Size 1024; input left on the device". Of several problems what they share, and what they differ in.
/// Parameters that have not their default stand first. Empty: there is no problem.
/// @param problem of problemsOf(); nothing: all of them
QString problemText(const AnalysisInfo& info, const ComparedList& all, std::optional<std::size_t> problem);

}  // namespace ks::ui::lab
