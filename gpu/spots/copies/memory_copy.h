#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/runtime/device_context.h"

namespace ks::gpu::spots {

/// Sends values to the device, copies them there by the kernel of as many dimensions as `shape` has (1 to 3,
/// [x], [y][x] or [frame][y][x]), and fetches the copy. `guard` more values stand behind the copy on the
/// device and must come back as they went. The kernel's tile is lx x ly.
struct CopiedBack {
    std::vector<std::uint16_t> values;
    bool guard_intact;
    std::uint64_t kernel_ns;
};
CopiedBack copy_on_device(DeviceContext& device, std::span<const std::uint16_t> values,
                          const std::vector<std::size_t>& shape, std::size_t lx, std::size_t ly,
                          std::size_t guard);

}  // namespace ks::gpu::spots
