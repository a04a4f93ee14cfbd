#pragma once

#include <map>
#include <string>

#include "gpu/runtime/launch_context.h"

namespace ks::gpu::clusters {

/// Tuned defines of the kernels of set `id`, a variant's or "grouping"; the request's where its variant is
/// that set.
std::map<std::string, std::string> set_defines(const LaunchContext& context, const std::string& id);

}  // namespace ks::gpu::clusters
