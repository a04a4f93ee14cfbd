#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::basics {

/// Variants of synchronise.
std::vector<ClVariant> synchronise_rows();

}  // namespace ks::gpu::basics
