#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of atomics.
std::vector<ClVariant> atomics_rows();

}  // namespace ks::gpu::basics
