#include "gpu/runtime/device_query.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "gpu/runtime/codes/opencl_code.h"
#include "gpu/runtime/simulated/simulated_type.h"

namespace ks::gpu {
namespace {

std::string type_name(cl_device_type type) {
    if (type & CL_DEVICE_TYPE_GPU) return "GPU";
    if (type & CL_DEVICE_TYPE_CPU) return "CPU";
    return "accelerator";
}

DeviceInfo describe(const cl::Platform& platform, const cl::Device& device) {
    DeviceInfo info;
    info.backend = "opencl";
    info.platform_name = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    info.platform_vendor = trimmed(platform.getInfo<CL_PLATFORM_VENDOR>());
    info.platform_version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
    info.platform_profile = trimmed(platform.getInfo<CL_PLATFORM_PROFILE>());
    info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
    info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
    info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
    info.c_version = trimmed(device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
    info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
    info.type = type_name(device.getInfo<CL_DEVICE_TYPE>());
    info.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
    info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    info.local_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    info.constant_bytes = device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>();
    info.global_bytes = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    info.largest_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    info.largest_work_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    std::istringstream words(trimmed(device.getInfo<CL_DEVICE_EXTENSIONS>()));
    for (std::string word; words >> word;) info.extensions.push_back(word);
    info.fp64 = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
    const char* const type = std::getenv(simulated_type_variable);
    if (type != nullptr && info.platform_name.find("Oclgrind") != std::string::npos) info.type = type;
    return info;
}

}  // namespace

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first);
}

std::vector<FoundDevice> find_devices() {
    std::vector<FoundDevice> found;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error&) {
        return found;  // no ICD loader entry: the host remains
    }
    for (const cl::Platform& platform : platforms) {
        std::vector<cl::Device> devices;
        try {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
            for (const cl::Device& device : devices)
                found.push_back({platform, device, describe(platform, device)});
        } catch (const cl::Error&) {
            continue;  // a platform without devices, or one that fails: the others remain
        }
    }
    return found;
}

void open_all_devices() {
    for (const FoundDevice& found : find_devices()) try {
            const cl::Context context(found.device);
        } catch (const cl::Error&) {
            continue;  // reported when the device is used
        }
}

Error to_error(const cl::Error& error, const std::string& where) {
    const bool memory = error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                        error.err() == CL_OUT_OF_RESOURCES || error.err() == CL_INVALID_BUFFER_SIZE;
    std::string hint = code_meaning(error.err());
    if (memory) hint += "; a smaller --memory-limit may help";
    return {ErrorKind::device, fmt::format("{} failed with {}", error.what(), code_text(error.err())), where,
            hint};
}

}  // namespace ks::gpu
