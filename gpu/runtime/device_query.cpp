#include "gpu/runtime/device_query.h"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <utility>

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
    return info;
}

constexpr std::array<std::pair<int, const char*>, 22> codes{{{-1, "CL_DEVICE_NOT_FOUND"},
                                                             {-2, "CL_DEVICE_NOT_AVAILABLE"},
                                                             {-3, "CL_COMPILER_NOT_AVAILABLE"},
                                                             {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
                                                             {-5, "CL_OUT_OF_RESOURCES"},
                                                             {-6, "CL_OUT_OF_HOST_MEMORY"},
                                                             {-9, "CL_IMAGE_FORMAT_MISMATCH"},
                                                             {-11, "CL_BUILD_PROGRAM_FAILURE"},
                                                             {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS"},
                                                             {-30, "CL_INVALID_VALUE"},
                                                             {-34, "CL_INVALID_CONTEXT"},
                                                             {-36, "CL_INVALID_COMMAND_QUEUE"},
                                                             {-38, "CL_INVALID_MEM_OBJECT"},
                                                             {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
                                                             {-46, "CL_INVALID_KERNEL_NAME"},
                                                             {-48, "CL_INVALID_KERNEL"},
                                                             {-49, "CL_INVALID_ARG_INDEX"},
                                                             {-51, "CL_INVALID_ARG_SIZE"},
                                                             {-52, "CL_INVALID_KERNEL_ARGS"},
                                                             {-54, "CL_INVALID_WORK_GROUP_SIZE"},
                                                             {-61, "CL_INVALID_BUFFER_SIZE"},
                                                             {-9999, "illegal memory access in a kernel"}}};

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

Error to_error(const cl::Error& error, const std::string& where) {
    std::string name = "an unknown code";
    for (const auto& [code, text] : codes)
        if (code == error.err()) name = text;
    const bool memory = error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                        error.err() == CL_OUT_OF_RESOURCES || error.err() == CL_INVALID_BUFFER_SIZE;
    return {ErrorKind::device, fmt::format("{} failed with {} ({})", error.what(), name, error.err()), where,
            memory ? "a smaller --memory-limit may help" : ""};
}

}  // namespace ks::gpu
