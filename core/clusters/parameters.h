#pragma once

#include <string>
#include <vector>

#include "core/clusters/problem.h"
#include "core/run/analysis.h"

namespace ks::clusters {

/// Id, inputs, parameters, sizes of benchmarks and of generated events.
AnalysisInfo analysis_info();

/// Settings from a complete parameter set for a layout. Throws ks::Error(input) naming the parameter.
ClusterSettings settings_from(const ParameterSet& set, const DetectorLayout& layout);

/// Charge cuts as in ClusterSettings from "off", "layout" or a layout's id (values of that layout), or
/// numbers: one for all, two for the first layer and the others, or one per layer. Throws ks::Error(input).
std::vector<std::uint32_t> charge_cuts_from(const std::string& text, const DetectorLayout& layout);

}  // namespace ks::clusters
