#pragma once

#include <cstdint>

#include "core/xpcs/problem.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::xpcs {

using ks::xpcs::CorrelationProblem;

/// The raw selected frames on the device, kept between runs.
std::shared_ptr<const Buffer> frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                                               std::uint64_t others);

}  // namespace ks::gpu::xpcs
