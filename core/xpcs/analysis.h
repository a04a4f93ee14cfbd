#pragma once

#include <vector>

#include "core/run/analysis.h"
#include "core/run/host_backend.h"

namespace ks::xpcs {

/// Photon correlation: g2 and its error per q-bin and delay.
std::vector<Analysis> make_analyses();
/// host.reference and host.gram.
std::vector<HostVariant> host_variants();

}  // namespace ks::xpcs
