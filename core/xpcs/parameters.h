#pragma once

#include "core/run/analysis.h"

namespace ks::xpcs {

/// Inputs, parameters, generator and benchmark sizes of the analysis, as data.
AnalysisInfo analysis_info();

}  // namespace ks::xpcs
