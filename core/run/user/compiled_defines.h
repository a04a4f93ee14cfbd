#pragma once

#include <map>
#include <string>

#include "core/run/run.h"

namespace ks {

/// The values of the variant's defines with which its kernel file, or the replacement, was compiled.
std::map<std::string, std::string> compiled_defines(const Run& run);

}  // namespace ks
