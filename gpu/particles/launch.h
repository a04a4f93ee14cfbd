#pragma once

#include "core/run/analysis.h"
#include "gpu/particles/kernel_shape.h"

namespace ks::gpu::particles {

/// Sums on the device with the kernel of the context's variant, in launches that are meant to stay below 100
/// ms: targets are cut as the device is quick, sources always in the same places, so that the result does not
/// depend on the cuts. Targets of planes are made on the device. Where sums of all targets do not fit the
/// budget they are made in parts; throws ks::Error(input) where the sources do not.
Result launch_sums(const SumKernel& kernel, const Problem& problem, LaunchContext& context);

/// The same with sources in cells, and targets at points sorted so that those of a group are neighbours.
/// Throws ks::Error(input) where there is more than a real sum of RBF or Laplace in float.
Result launch_source_cells(const SumKernel& kernel, const Problem& problem, LaunchContext& context);

/// RBF on planes by gpu/particles/plane_product.cl, in launches that are cut alike. Throws ks::Error(input)
/// for other kernels and targets.
Result launch_plane_product(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::particles
