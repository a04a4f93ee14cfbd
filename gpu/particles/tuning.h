#pragma once

#include "core/run/tuning_table.h"

namespace ks::gpu::particles {

/// Group sizes, tiles and targets of a work-item by variant and kind of device.
const TuningTable& tuning_table();

}  // namespace ks::gpu::particles
