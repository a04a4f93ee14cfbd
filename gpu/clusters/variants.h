#pragma once

#include <vector>

#include "gpu/runtime/opencl_backend.h"

namespace ks::gpu::clusters {

/// The OpenCL variants: seed.findclus, propagate.fused, unionfind.local, unionfind.global, sparse.sorted,
/// map.cpu.
std::vector<ClVariant> cl_variants();

}  // namespace ks::gpu::clusters
