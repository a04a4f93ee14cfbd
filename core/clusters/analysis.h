#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::clusters {

/// Pixel clusters: adjacent hits of a module get the same label.
std::vector<Analysis> make_analyses();
/// host.reference and host.unionfind.
std::vector<HostVariant> host_variants();

}  // namespace ks::clusters
