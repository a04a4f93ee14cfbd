#pragma once

#include "core/run/tuning_table.h"

namespace ks::gpu::xpcs {

/// Defines of the variants by device and element type of the counts.
const TuningTable& tuning_table();

}  // namespace ks::gpu::xpcs
