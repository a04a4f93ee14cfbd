#pragma once

namespace ks::gpu {

/// Environment variable with a device type, as in DeviceInfo::type. The simulator oclgrind is then treated as
/// a device of this type, so that launches and tuned definitions are those of such a device. Unset: the type
/// that oclgrind reports.
inline constexpr const char* simulated_type_variable = "KERNELSCOPE_SIMULATED_TYPE";

}  // namespace ks::gpu
