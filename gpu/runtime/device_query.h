#pragma once

#include <CL/opencl.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/devices/device_info.h"
#include "core/devices/device_property.h"

namespace ks::gpu {

/// An OpenCL device with its description.
struct FoundDevice {
    cl::Platform platform;
    cl::Device device;
    DeviceInfo info;
};

/// All devices of all platforms; empty without OpenCL.
std::vector<FoundDevice> find_devices();

/// Finds all devices, and creates and drops a context on each: a faulty driver fails here.
void open_all_devices();

/// OpenCL strings may end in NULs and blanks: removes these, and leading blanks.
std::string trimmed(std::string text);

/// An OpenCL failure as ks::Error(device): "clEnqueueNDRangeKernel failed with CL_OUT_OF_RESOURCES (-5)".
Error to_error(const cl::Error& error, const std::string& where);

/// All properties that OpenCL 1.2 defines for a platform and one of its devices, and those that OpenCL 2 and
/// 3 add. Queries that the device does not answer are left out.
std::vector<DeviceProperty> device_properties(const cl::Platform& platform, const cl::Device& device);

}  // namespace ks::gpu
