#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of tasks.
std::vector<ClVariant> tasks_rows();

}  // namespace ks::gpu::basics
