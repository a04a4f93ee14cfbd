#pragma once

#include <vector>

#include "core/run/parameter_spec.h"

namespace ks {

// Parameters that are facts of the data, such as the largest valid count, and no choice of how to analyse
// them: what was given for one file does not hold for the next. Their ids mean the same in every analysis.

/// Those of `specs` that are facts of the data.
std::vector<ParameterSpec> of_data(const std::vector<ParameterSpec>& specs);
/// The others.
std::vector<ParameterSpec> not_of_data(const std::vector<ParameterSpec>& specs);

}  // namespace ks
