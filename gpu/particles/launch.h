#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::particles {

/// Sums on the device with the kernel of the context's variant, in launches that are meant to stay below 100
/// ms: targets are cut as the device is quick, sources always in the same places, so that the result does not
/// depend on the cuts. Targets of planes are made on the device. Where sums of all targets do not fit the
/// budget they are made in parts; throws ks::Error(input) where the sources do not.
Result launch_sums(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::particles
