#pragma once

#include <CL/opencl.hpp>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/devices/device_info.h"

namespace ks::gpu {

/// A device as OpenCL names it, with what is known about it.
struct FoundDevice {
    cl::Platform platform;
    cl::Device device;
    DeviceInfo info;
};

/// All devices of all platforms; empty where there is no OpenCL at all.
std::vector<FoundDevice> find_devices();

/// Finds all devices, and makes and drops a context of each: what a driver does wrong, it does now.
void open_all_devices();

/// OpenCL strings may end in NULs and blanks: without them, and without blanks before.
std::string trimmed(std::string text);

/// An OpenCL failure as ks::Error(device): "clEnqueueNDRangeKernel failed with CL_OUT_OF_RESOURCES (-5)".
Error to_error(const cl::Error& error, const std::string& where);

}  // namespace ks::gpu
