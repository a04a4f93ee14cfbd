#pragma once

#include "core/run/tuning_table.h"

namespace ks::gpu::spots {

/// Tuning rows of the spot finders.
const TuningTable& tuning_table();

}  // namespace ks::gpu::spots
