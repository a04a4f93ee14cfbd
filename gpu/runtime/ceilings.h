#pragma once

#include "core/base/progress.h"
#include "core/devices/ceilings.h"
#include "gpu/runtime/device_context.h"

namespace ks::gpu {

/// Measures the peak rates of a device, with ceilings.cl and transfers, by the clock of events. Each launch
/// is sized to last 10 ms. Memory is measured in pieces larger than the caches, as far as the limit and the
/// largest allocation allow. Throws ks::Error.
Ceilings measure_ceilings(DeviceContext& device, const CeilingsPlan& plan, Progress& progress);

}  // namespace ks::gpu
