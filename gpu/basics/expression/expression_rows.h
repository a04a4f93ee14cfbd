#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of expression.
std::vector<ClVariant> expression_rows();

}  // namespace ks::gpu::basics
