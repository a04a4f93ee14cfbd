#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// An element of C a work-item, (row, column), groups as the driver likes. C is zero before.
Result launch_elements(const Problem& problem, LaunchContext& context);
/// A row of C a work-item, in groups of WG.
Result launch_rows(const Problem& problem, LaunchContext& context);
/// A block of 16 x 16 elements of C a group, (column, row).
Result launch_blocks(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::basics
