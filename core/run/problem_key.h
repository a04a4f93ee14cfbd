#pragma once

#include <string>

#include "core/run/request.h"

namespace ks {

/// Equal for completed requests that load the same problem: analysis, inputs (with size and modification time
/// of files, and a hash of values that are part of the request), parameters and memory limit.
std::string problem_key(const Request& request);

/// Size, modification time and identity of the file in a name ("FILE" or "FILE::/object") as a text that
/// changes whenever the file does. For a series, a hash of these texts for all files. Empty if there is no
/// such file.
std::string file_state(const std::string& name);

}  // namespace ks
