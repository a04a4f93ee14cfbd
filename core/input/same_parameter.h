#pragma once

#include "core/base/parameter_value.h"
#include "core/run/parameter_spec.h"

namespace ks::io {

/// Whether two values mean the same. Lists of frames to leave out are compared by number, however they are
/// written: "" equals "none", "3,4" equals "3-4".
bool same_parameter(const ParameterSpec& spec, const ParameterValue& one, const ParameterValue& other);

}  // namespace ks::io
