#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of scan.
std::vector<ClVariant> scan_rows();

}  // namespace ks::gpu::basics
