#pragma once

#include <CL/opencl.hpp>
#include <vector>

#include "core/devices/device_property.h"

namespace ks::gpu {

/// All properties that OpenCL 1.2 defines for a platform and one of its devices, and those that OpenCL 2 and
/// 3 add. Queries that the device does not answer are left out.
std::vector<DeviceProperty> device_properties(const cl::Platform& platform, const cl::Device& device);

}  // namespace ks::gpu
