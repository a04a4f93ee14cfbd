#pragma once

#include <vector>

#include "core/run/parameter_spec.h"

namespace ks {

/// The parameters of `specs` that are stored per data file: a value that is set for one file does not apply
/// to the next file, which starts with defaults. These are all parameters except those that have editors
/// which store them themselves, with the file, such as geometry and mask, or for all files, as the fit. An id
/// has the same meaning in every analysis.
std::vector<ParameterSpec> of_data(const std::vector<ParameterSpec>& specs);

}  // namespace ks
