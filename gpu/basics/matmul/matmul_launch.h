#pragma once

#include "core/basics/matmul/matmul.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// One element of C per work-item, (row, column), group size chosen by the driver.
Result launch_elements(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// The same for a kernel that adds to C, which is zeroed before.
Result accumulate_elements(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// The same, a second time on the same C.
Result accumulate_elements_twice(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// One row of C per work-item, in groups of WG.
Result launch_rows(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// One row of C per work-item, group size chosen by the driver; a fifth argument is local memory
/// for a column of B.
Result launch_published_rows(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// A block of 16 x 16 elements of C per group, (column, row).
Result launch_blocks(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// A tile of TILE x TILE elements of C per group of (TILE / ITEM)^2, (column, row).
Result launch_registers(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// A tile of TILE_M x TILE_N elements of C per group of TILE_M TILE_N / 64.
Result launch_buffered(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// A tile of 128 x 128 elements of C per group of 256.
Result launch_tensor(const ks::basics::MatmulProblem& problem, LaunchContext& context);
/// First panels of A and B, then blocks of C per work-item.
Result launch_panels(const ks::basics::MatmulProblem& problem, LaunchContext& context);

}  // namespace ks::gpu::basics
