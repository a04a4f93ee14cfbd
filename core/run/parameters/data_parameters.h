#pragma once

#include <vector>

#include "core/run/parameter_spec.h"

namespace ks {

/// The parameters of `specs` that are stored per data file: a value set for one file does not apply to the
/// next, which starts with defaults. All except those stored with the file by their editors, such as its
/// geometry and its mask. Ids mean the same in every analysis.
std::vector<ParameterSpec> of_data(const std::vector<ParameterSpec>& specs);

}  // namespace ks
