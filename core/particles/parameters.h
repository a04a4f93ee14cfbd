#pragma once

#include <vector>

#include "core/particles/problem.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// Id, inputs, parameters, sizes of benchmarks and of generated points.
AnalysisInfo analysis_info();

/// From a complete parameter set of the analysis or of its benchmark.
SumSettings settings_from(const ParameterSet& set);
/// Side 0 if the set selects no planes.
PlaneGrid planes_from(const ParameterSet& set);
/// The cube if `grid` is above 0, else the planes, with `usual` points per side if `planes` is 0.
Targets grid_from(const ParameterSet& set, std::size_t usual);

/// Throws ks::Error(input) if a complete set selects more than one of planes, cube and points.
void require_one_kind(const ParameterSet& set, bool at_points);
/// Analysis::idle(), for runs and for benchmarks.
std::vector<IdleParameter> idle_parameters(const Request& request);
/// The sizes completed by the effective side of the planes, and without the kinds of targets that are not
/// used.
ParameterSet benchmark_sizes(ParameterSet sizes);

/// Targets on planes if a request names neither planes nor targets: side^2 on each.
constexpr std::size_t usual_side = 400;

}  // namespace ks::particles
