#pragma once

#include <string>
#include <vector>

#include "core/run/analysis.h"

namespace ks {

/// Whether a parameter is the number of work-items per group: part of the launch, not of the problem.
bool is_launch_size(const std::string& id);

/// Those of the parameters that select what a kernel of the analysis does, and not on how much: words,
/// switches, real numbers, and sizes of work-groups, where the benchmark has them too.
ParameterSet choices_among(const AnalysisInfo& info, const ParameterSet& parameters);

/// Arguments of `judge` for these choices: {"--local-size=64", "--no-mirrored"}. Those that judge would take
/// without an argument are left out.
std::vector<std::string> judge_arguments(const AnalysisInfo& info, const ParameterSet& choices);

}  // namespace ks
