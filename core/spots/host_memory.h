#pragma once

#include <cstddef>

#include "core/run/host_backend.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// How many frames a host variant may hold at once within the limit, 1 to `wanted`, besides the masks and the
/// frames that stay in memory. Throws ks::Error(input) naming the need where not even one has room.
std::size_t frames_at_once(const SpotProblem& problem, const HostContext& context, std::size_t wanted);

}  // namespace ks::spots
