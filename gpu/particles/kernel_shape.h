#pragma once

#include <CL/opencl.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/particles/problem.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::particles {

using Defines = std::map<std::string, std::string>;

/// How a variant's kernel is launched.
struct KernelShape {
    std::string entry_point;
    cl::NDRange local;
    std::size_t group = 1;    ///< work-items along dimension 0
    std::size_t targets = 1;  ///< of a group
    std::size_t across = 0;   ///< work-items along dimension 1; 0: there is none

    cl::NDRange range(std::size_t groups) const {
        return across == 0 ? cl::NDRange(groups * group) : cl::NDRange(groups * group, across);
    }
    cl::NDRange offset(std::size_t groups) const {
        return across == 0 ? cl::NDRange(groups * group) : cl::NDRange(groups * group, 0);
    }
};
KernelShape shape_of(const LaunchContext& context, const Defines& defines,
                     ks::particles::Precision precision);

/// Vectors of weights that one pass over the sources sums.
struct Pass {
    std::size_t first = 0, vectors = 1;
    std::size_t cell = 0;  ///< sources of a cell (core/particles/cells.h); 0: in the order of the input
};
/// All vectors, as many in a pass as leave a work-item's sums in registers: 8 rows of them.
std::vector<Pass> passes_of(const ks::particles::SumProblem& problem, const std::string& variant);

/// Defines of the variant's kernel for some vectors of weights. One vector without gradients has a kernel of
/// its own, which knows nothing of either.
Defines defines_of(const ks::particles::SumProblem& problem, const LaunchContext& context,
                   std::size_t vectors);

/// Throws ks::Error(input) where the variant or the device cannot do what is asked for.
void require_able(const ks::particles::SumProblem& problem, const LaunchContext& context,
                  const Defines& defines);

}  // namespace ks::gpu::particles
