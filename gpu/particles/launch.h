#pragma once

#include <vector>

#include "core/particles/problem.h"
#include "gpu/particles/kernel_shape.h"
#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::particles {

/// The rows of the table of variants.
std::vector<ClVariant> cl_variants();

/// Sums on the device with the kernel of the context's variant, in launches that should stay below 100 ms.
/// Targets are split according to the speed of the device. Sources are always split in the same places, so
/// that the result does not depend on the splits. Targets on planes are formed on the device. If the sums of
/// all targets do not fit the budget, they are computed in parts; throws ks::Error(input) if the sources do
/// not fit.
Result launch_sums(const SumKernel& kernel, const ks::particles::SumProblem& problem, LaunchContext& context);

/// The same with sources in cells, and targets at points sorted so that those of a group are neighbours.
/// Throws ks::Error(input) for anything but a real sum of RBF or Laplace in float.
Result launch_source_cells(const SumKernel& kernel, const ks::particles::SumProblem& problem,
                           LaunchContext& context);

/// Sums by a treecode, to the tolerance of the problem: the host builds trees and lists
/// (core/particles/treecode/plan.h), the device does the rest, in launches meant to stay below 100 ms, whose
/// splits do not change the result. Throws ks::Error(input) if the tolerance cannot be reached.
Result launch_treecode(const ks::particles::SumProblem& problem, LaunchContext& context);

/// RBF on planes by gpu/particles/plane_product.cl, in launches that are split in the same way. Throws
/// ks::Error(input) for other kernels and targets.
Result launch_plane_product(const ks::particles::SumProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::particles
