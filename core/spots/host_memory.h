#pragma once

#include <cstddef>

#include "core/run/host_backend.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// The number of frames a host variant may hold at once within the limit, 1 to `wanted`, in addition to
/// the masks and the frames kept in memory. Throws ks::Error(input) with the required amount if not
/// even one fits.
std::size_t frames_at_once(const SpotProblem& problem, const HostContext& context, std::size_t wanted);

}  // namespace ks::spots
