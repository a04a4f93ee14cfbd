#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/parameter_spec.h"

namespace ks {

/// Names fields of the window instead of the options of the command line: "--leave-out 19" becomes
/// "\"Leave out\" = 19".
std::string with_fields(std::string text, const std::vector<ParameterSpec>& parameters);

/// The error as the window tells it: a parameter that its place ends with is named by the label of its field,
/// options in its words by their fields.
Error with_fields(const Error& error, const std::vector<ParameterSpec>& parameters);

/// The same as the command line tells it: "--map-expression" in the place of "map_expression" or "parameter
/// map_expression".
Error with_options(const Error& error, const std::vector<ParameterSpec>& parameters);

}  // namespace ks
