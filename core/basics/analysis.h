#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::basics {

/// The exercises of an OpenCL lecture, each an analysis of the group "Basics".
std::vector<Analysis> make_analyses();
/// The host variants of all exercises.
std::vector<HostVariant> host_variants();

}  // namespace ks::basics
