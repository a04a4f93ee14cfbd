#pragma once

#include "core/run/analysis.h"
#include "core/spots/spot.h"
#include "core/spots/thresholds.h"

namespace ks::spots {

AnalysisInfo analysis_info();

/// Half-widths of a window from "KX,KY", or "K" for both.
struct KernelSize {
    int x = 3, y = 3;
};
/// Throws ks::Error(input) if the text is not a pair of numbers from 1 to Thresholds::largest_kernel.
KernelSize kernel_from(const std::string& text);

/// Settings from a complete set of parameters; throw ks::Error(input) for contradictory values.
Thresholds thresholds_from(const ParameterSet& set);
Grouping grouping_from(const ParameterSet& set);

}  // namespace ks::spots
