#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of images.
std::vector<ClVariant> images_rows();

}  // namespace ks::gpu::basics
