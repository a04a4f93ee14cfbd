#pragma once

#include "core/base/parameter_value.h"
#include "core/run/parameter_spec.h"

namespace ks::io {

/// Whether two values ask for the same. Frames that are left out are compared by number, however they are
/// written: "", "none"; "3,4", "3-4".
bool same_parameter(const ParameterSpec& spec, const ParameterValue& one, const ParameterValue& other);

}  // namespace ks::io
