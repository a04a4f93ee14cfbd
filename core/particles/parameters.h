#pragma once

#include <vector>

#include "core/particles/problem.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// Id, inputs, parameters, sizes of benchmarks and of generated points.
AnalysisInfo analysis_info();

/// From a complete set of the analysis' parameters, or of the benchmark's.
SumSettings settings_from(const ParameterSet& set);
/// Side 0 where the set asks for no planes.
PlaneGrid planes_from(const ParameterSet& set);
/// The cube where `grid` is above 0, else the planes, of `usual` points a side where `planes` is 0.
Targets grid_from(const ParameterSet& set, std::size_t usual);

/// Throws ks::Error(input) where a complete set asks for more than one of planes, cube and points.
void require_one_kind(const ParameterSet& set, bool at_points);
/// Analysis::idle(), of runs and of benchmarks.
std::vector<IdleParameter> idle_parameters(const Request& request);
/// Complete sizes with the side of the planes that are meant, without the kinds of targets that are not.
ParameterSet benchmark_sizes(ParameterSet sizes);

/// Targets on planes where a request names neither planes nor targets: side^2 on each.
constexpr std::size_t usual_side = 400;

}  // namespace ks::particles
