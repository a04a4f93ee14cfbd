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

/// In tuning rows: one vector of weights without gradients, which has a kernel of its own.
inline constexpr const char* one_sum = "one sum";

/// What the launches of a variant must know of its kernel.
struct SumKernel {
    /// Targets of a group of so many work-items.
    std::size_t (*targets)(const Defines& defines, std::size_t group, ks::particles::Precision precision);
    /// A work-item a pair: groups of TARGETS x SOURCES, and a vector of weights in a pass.
    bool pairs = false;
    /// Sources in cells (core/particles/cells.h), each of which is a tile, and a vector of weights in a pass.
    bool cells = false;
    /// Pairs a second to begin with; what launches take corrects it.
    double (*rate)(const DeviceInfo& device) = [](const DeviceInfo& device) {
        return device.type == "GPU" ? 5e11 : 2e8;
    };
};

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
KernelShape shape_of(const SumKernel& kernel, const LaunchContext& context, const Defines& defines,
                     ks::particles::Precision precision);

/// Vectors of weights that one pass over the sources sums.
struct Pass {
    std::size_t first = 0, vectors = 1;
    std::size_t cell = 0;  ///< sources of a cell (core/particles/cells.h); 0: in the order of the input
};
/// All vectors, as many in a pass as leave a work-item's sums in registers: 8 rows of them.
std::vector<Pass> passes_of(const SumKernel& kernel, const ks::particles::SumProblem& problem);

/// Defines of the variant's kernel for some vectors of weights. One vector without gradients has a kernel of
/// its own, which knows nothing of either.
Defines defines_of(const SumKernel& kernel, const ks::particles::SumProblem& problem,
                   const LaunchContext& context, std::size_t vectors);
/// The same without what a SumKernel asks for.
Defines defines_of(const ks::particles::SumProblem& problem, const LaunchContext& context,
                   std::size_t vectors);

/// Throws ks::Error(input) where the variant or the device cannot do what is asked for.
void require_able(const ks::particles::SumProblem& problem, const LaunchContext& context,
                  const Defines& defines);

}  // namespace ks::gpu::particles
