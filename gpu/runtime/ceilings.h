#pragma once

#include "core/base/progress.h"
#include "core/devices/ceilings.h"
#include "gpu/runtime/device_context.h"

namespace ks::gpu {

/// Measures what a device can do at most, with ceilings.cl and transfers, by the events' clock. Each launch
/// is made as large as lasts 10 ms. Memory is measured in pieces beyond what caches hold, as far as the limit
/// and the largest allocation allow. Throws ks::Error.
Ceilings measure_ceilings(DeviceContext& device, const CeilingsPlan& plan, Progress& progress);

}  // namespace ks::gpu
