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

/// One sentence that says why a device's driver does not report it; empty if it does.
std::string why_private_memory_is_not_told(const DeviceInfo& device);

}  // namespace ks
