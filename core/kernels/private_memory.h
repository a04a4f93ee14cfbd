#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/devices/device_info.h"
#include "core/run/build_log.h"

namespace ks {

/// Bytes of private memory per work-item of this kernel, as the driver reports; nothing if it reports the
/// same for every kernel.
std::optional<std::uint64_t> private_memory_of(const KernelResources& kernel, const DeviceInfo& device);

/// One sentence that says why the private memory is not shown for a device; empty if its driver reports it.
std::string why_private_memory_is_not_told(const DeviceInfo& device);

}  // namespace ks
