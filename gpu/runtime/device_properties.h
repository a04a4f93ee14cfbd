#pragma once

#include <CL/opencl.hpp>
#include <vector>

#include "core/devices/device_property.h"

namespace ks::gpu {

/// All that OpenCL 1.2 lets ask of a platform and one of its devices, and what OpenCL 2 and 3 add where the
/// device answers. What it does not answer is left out.
std::vector<DeviceProperty> device_properties(const cl::Platform& platform, const cl::Device& device);

}  // namespace ks::gpu
