#pragma once

#include <string>
#include <vector>

#include "core/clusters/problem.h"
#include "core/run/analysis.h"

namespace ks::clusters {

/// Id, inputs, parameters, sizes of benchmarks and of generated events.
AnalysisInfo analysis_info();

/// What the parameters of a complete set mean for a layout. Throws ks::Error(input) naming the parameter.
ClusterSettings settings_from(const ParameterSet& set, const DetectorLayout& layout);

/// Charge cuts as in ClusterSettings from "off", "layout" or a layout's id (what the layout says), or
/// numbers: one for all, two for the first layer and the others, or one a layer. Throws ks::Error(input).
std::vector<std::uint32_t> charge_cuts_from(const std::string& text, const DetectorLayout& layout);

}  // namespace ks::clusters
