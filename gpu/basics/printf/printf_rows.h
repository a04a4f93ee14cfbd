#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of printf.
std::vector<ClVariant> printf_rows();

}  // namespace ks::gpu::basics
