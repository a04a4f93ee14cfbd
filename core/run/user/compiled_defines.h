#pragma once

#include <map>
#include <string>

#include "core/run/run.h"

namespace ks {

/// Values of the variant's defines that its own kernel file, or the one in its place, was compiled with.
std::map<std::string, std::string> compiled_defines(const Run& run);

}  // namespace ks
