#pragma once

namespace ks::gpu {

/// Environment variable with the type of device, as in DeviceInfo::type, that the simulator oclgrind is taken
/// for: launches and tuned definitions are then those of such a device. Unset: the type that it reports.
inline constexpr const char* simulated_type_variable = "KERNELSCOPE_SIMULATED_TYPE";

}  // namespace ks::gpu
