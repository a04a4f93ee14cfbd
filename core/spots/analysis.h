#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::spots {

/// Diffraction spots: signal pixels by the index of dispersion, grouped and filtered.
std::vector<Analysis> make_analyses();
/// host.reference, host.integral and host.sliding.
std::vector<HostVariant> host_variants();

}  // namespace ks::spots
