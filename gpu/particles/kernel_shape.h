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

/// Name in tuning rows for the sums of one vector of weights without gradients, which have their own kernel.
inline constexpr const char* one_sum = "one sum";

/// Properties of a variant's kernel that its launches depend on.
struct SumKernel {
    /// Targets per group, given its number of work-items.
    std::size_t (*targets)(const Defines& defines, std::size_t group, ks::particles::Precision precision);
    /// One work-item per pair: groups of TARGETS x SOURCES, and one vector of weights per pass.
    bool pairs = false;
    /// Sources in cells (core/particles/cells.h), each of which is a tile, and one
    /// vector of weights per pass.
    bool cells = false;
    /// Initial estimate of pairs per second; corrected from the measured time of launches.
    double (*rate)(const DeviceInfo& device) = [](const DeviceInfo& device) {
        return device.type == "GPU" ? 5e11 : 2e8;
    };
};

/// How a variant's kernel is launched.
struct KernelShape {
    std::string entry_point;
    cl::NDRange local;
    std::size_t group = 1;    ///< work-items along dimension 0
    std::size_t targets = 1;  ///< per group
    std::size_t across = 0;   ///< work-items along dimension 1; 0: one-dimensional

    cl::NDRange range(std::size_t groups) const {
        return across == 0 ? cl::NDRange(groups * group) : cl::NDRange(groups * group, across);
    }
    cl::NDRange offset(std::size_t groups) const {
        return across == 0 ? cl::NDRange(groups * group) : cl::NDRange(groups * group, 0);
    }
};
KernelShape shape_of(const SumKernel& kernel, const LaunchContext& context, const Defines& defines,
                     ks::particles::Precision precision);

/// Vectors of weights summed in one pass over the sources.
struct Pass {
    std::size_t first = 0, vectors = 1;
    std::size_t cell = 0;  ///< sources per cell (core/particles/cells.h); 0: in input order
};
/// Passes for all vectors, with as many per pass as leave a work-item's sums in registers: 8 rows.
std::vector<Pass> passes_of(const SumKernel& kernel, const ks::particles::SumProblem& problem);

/// Defines of the variant's kernel for a number of vectors of weights. A single vector without gradients has
/// its own kernel, which supports neither several vectors nor gradients.
Defines defines_of(const SumKernel& kernel, const ks::particles::SumProblem& problem,
                   const LaunchContext& context, std::size_t vectors);
/// The same, without the defines that only a SumKernel needs.
Defines defines_of(const ks::particles::SumProblem& problem, const LaunchContext& context,
                   std::size_t vectors);

/// Sources per launch: `usual`, or few if the request asks for the shortest launches. A kernel that is
/// launched as a whole gets its sources in several launches, too. Whole cells.
std::size_t sources_of_launch(const LaunchContext& context, std::size_t usual);

/// For launches that sum at no fewer than this number of targets: so few sources that one lasts some tenths
/// of a second at most, also on a slow device of this kind. Constant, as above.
std::size_t sources_in_time(std::size_t targets, bool on_gpu);

/// Throws ks::Error(input) if the variant or the device does not support the request.
void require_able(const ks::particles::SumProblem& problem, const LaunchContext& context,
                  const Defines& defines);

}  // namespace ks::gpu::particles
