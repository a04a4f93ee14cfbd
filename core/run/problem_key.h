#pragma once

#include <string>

#include "core/run/request.h"

namespace ks {

/// Equal where two completed requests load the same problem: analysis, inputs (with size and time of
/// modification of the files, and a hash of values that come with the request), parameters and memory limit.
std::string problem_key(const Request& request);

/// Size, time of modification and identity of the file that a name means ("FILE" or "FILE::/object"), as
/// text: changes where the file does. Empty where there is no such file.
std::string file_state(const std::string& name);

}  // namespace ks
