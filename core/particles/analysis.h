#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::particles {

/// Particle sums: f(x_i) = sum_j g(x_i, y_j) c_j.
std::vector<Analysis> make_analyses();
/// host.reference, host.vector and host.treecode.
std::vector<HostVariant> host_variants();

}  // namespace ks::particles
