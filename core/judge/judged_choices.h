#pragma once

#include <string>
#include <vector>

#include "core/run/analysis.h"

namespace ks {

/// Whether a parameter is the number of work-items per group: part of the launch, not of the problem.
bool is_launch_size(const std::string& id);

/// The parameters that select what a kernel of the analysis does, as opposed to the amount of work: words,
/// switches, real numbers, and sizes of work-groups. Only those that the benchmark has, too.
ParameterSet choices_among(const AnalysisInfo& info, const ParameterSet& parameters);

/// Arguments of `judge` for these choices: {"--local-size=64", "--no-mirrored"}. Choices that `judge` makes
/// by default are left out.
std::vector<std::string> judge_arguments(const AnalysisInfo& info, const ParameterSet& choices);

}  // namespace ks
