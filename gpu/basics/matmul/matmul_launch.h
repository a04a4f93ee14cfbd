#pragma once

#include "core/run/analysis.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// An element of C a work-item, (row, column), groups as the driver likes. C is zero before.
Result launch_elements(const Problem& problem, LaunchContext& context);
/// The same, a second time on the same C.
Result launch_elements_twice(const Problem& problem, LaunchContext& context);
/// A row of C a work-item, in groups of WG.
Result launch_rows(const Problem& problem, LaunchContext& context);
/// A row of C a work-item, groups as the driver likes; a fifth argument is local memory for a column of B.
Result launch_published_rows(const Problem& problem, LaunchContext& context);
/// A block of 16 x 16 elements of C a group, (column, row).
Result launch_blocks(const Problem& problem, LaunchContext& context);
/// A tile of TILE x TILE elements of C a group of (TILE / ITEM)^2, (column, row).
Result launch_registers(const Problem& problem, LaunchContext& context);
/// A tile of TILE_M x TILE_N elements of C a group of TILE_M TILE_N / 64.
Result launch_buffered(const Problem& problem, LaunchContext& context);
/// A tile of 128 x 128 elements of C a group of 256.
Result launch_tensor(const Problem& problem, LaunchContext& context);
/// Panels of A and B first, then blocks of C a work-item.
Result launch_panels(const Problem& problem, LaunchContext& context);

}  // namespace ks::gpu::basics
