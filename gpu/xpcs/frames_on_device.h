#pragma once

#include <string>

#include "core/xpcs/problem.h"
#include "gpu/runtime/resident_data.h"

namespace ks::gpu::xpcs {

using ks::xpcs::CorrelationProblem;

/// The raw selected frames on the device, kept between runs.
const Buffer& frames_on_device(LaunchContext& context, const CorrelationProblem& problem,
                               std::uint64_t others);

/// OpenCL C name of an element type: "uchar", "float", ...
const char* cl_name(ElementType type);

/// Throws ks::Error(input) where the raw frames and `others` more bytes do not fit the budget or one
/// allocation.
void require_resident(const LaunchContext& context, const CorrelationProblem& problem, std::uint64_t others);
bool fits_resident(const LaunchContext& context, const CorrelationProblem& problem, std::uint64_t others);

}  // namespace ks::gpu::xpcs
