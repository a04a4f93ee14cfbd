#pragma once

#include <vector>

#include "core/run/parameter_spec.h"

namespace ks {

/// Those of `specs` that are kept with a data file: what was set for one file does not hold for the next,
/// which begins with defaults. All but those that are kept with the file by what edits them, such as its
/// geometry and its mask. Ids mean the same in every analysis.
std::vector<ParameterSpec> of_data(const std::vector<ParameterSpec>& specs);

}  // namespace ks
