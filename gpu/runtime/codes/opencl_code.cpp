#include "gpu/runtime/codes/opencl_code.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ks::gpu {
namespace {

struct Code {
    int code;
    const char* name;
    const char* meaning;  ///< empty: the name is clear enough
};

constexpr const char* no_memory = "the device does not have enough memory";
constexpr const char* bad_handle =
    "an OpenCL object is invalid or belongs to another context; an earlier error may be the cause";

#define KS_CODE(name, meaning) \
    Code {                     \
        name, #name, meaning   \
    }
constexpr std::array codes{
    KS_CODE(CL_DEVICE_NOT_FOUND, ""),
    KS_CODE(CL_DEVICE_NOT_AVAILABLE,
            "another program may use the device exclusively, or the device was lost"),
    KS_CODE(CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler for kernels"),
    KS_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE, no_memory),
    KS_CODE(CL_OUT_OF_RESOURCES,
            "the kernel needs more registers or memory than the device has, or it accessed memory outside "
            "its buffers"),
    KS_CODE(CL_OUT_OF_HOST_MEMORY, "the driver does not have enough host memory"),
    KS_CODE(CL_PROFILING_INFO_NOT_AVAILABLE, ""),
    KS_CODE(CL_MEM_COPY_OVERLAP, ""),
    KS_CODE(CL_IMAGE_FORMAT_MISMATCH, ""),
    KS_CODE(CL_IMAGE_FORMAT_NOT_SUPPORTED, ""),
    KS_CODE(CL_BUILD_PROGRAM_FAILURE, "the compiler rejected the source; its log says where"),
    KS_CODE(CL_MAP_FAILURE, ""),
    KS_CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET, ""),
    KS_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an earlier command failed"),
    KS_CODE(CL_COMPILE_PROGRAM_FAILURE, "the compiler rejected the source; its log says where"),
    KS_CODE(CL_LINKER_NOT_AVAILABLE, ""),
    KS_CODE(CL_LINK_PROGRAM_FAILURE, "a function is declared but not defined"),
    KS_CODE(CL_DEVICE_PARTITION_FAILED, ""),
    KS_CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, ""),
    KS_CODE(CL_INVALID_VALUE,
            "an argument of the call is invalid, such as a size or an offset beyond a buffer"),
    KS_CODE(CL_INVALID_DEVICE_TYPE, ""),
    KS_CODE(CL_INVALID_PLATFORM, ""),
    KS_CODE(CL_INVALID_DEVICE, ""),
    KS_CODE(CL_INVALID_CONTEXT, bad_handle),
    KS_CODE(CL_INVALID_QUEUE_PROPERTIES, ""),
    KS_CODE(CL_INVALID_COMMAND_QUEUE, bad_handle),
    KS_CODE(CL_INVALID_HOST_PTR, ""),
    KS_CODE(CL_INVALID_MEM_OBJECT, bad_handle),
    KS_CODE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, ""),
    KS_CODE(CL_INVALID_IMAGE_SIZE, "the device does not support images of this size"),
    KS_CODE(CL_INVALID_SAMPLER, ""),
    KS_CODE(CL_INVALID_BINARY, "a cached program was compiled for another device or driver, or is damaged"),
    KS_CODE(CL_INVALID_BUILD_OPTIONS,
            "the compiler does not know one of the options, or a definition is not valid C"),
    KS_CODE(CL_INVALID_PROGRAM, bad_handle),
    KS_CODE(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built for this device"),
    KS_CODE(CL_INVALID_KERNEL_NAME, "the source has no kernel of this name"),
    KS_CODE(CL_INVALID_KERNEL_DEFINITION, "the kernel has different arguments on another device"),
    KS_CODE(CL_INVALID_KERNEL, bad_handle),
    KS_CODE(CL_INVALID_ARG_INDEX, "the launch passes more arguments than the kernel has"),
    KS_CODE(CL_INVALID_ARG_VALUE, "an argument is of the wrong kind, such as a buffer for local memory"),
    KS_CODE(CL_INVALID_ARG_SIZE, "the launch passes a value whose size is not that of the argument's type"),
    KS_CODE(CL_INVALID_KERNEL_ARGS, "the launch passes fewer arguments than the kernel has"),
    KS_CODE(CL_INVALID_WORK_DIMENSION, "a launch must have 1 to 3 dimensions"),
    KS_CODE(
        CL_INVALID_WORK_GROUP_SIZE,
        "the group size is not the one that the kernel requires, is larger than the kernel allows on this "
        "device, or does not divide the number of work-items"),
    KS_CODE(CL_INVALID_WORK_ITEM_SIZE, "the group is larger in one dimension than the device allows"),
    KS_CODE(CL_INVALID_GLOBAL_OFFSET, ""),
    KS_CODE(CL_INVALID_EVENT_WAIT_LIST, ""),
    KS_CODE(CL_INVALID_EVENT, ""),
    KS_CODE(CL_INVALID_OPERATION, "the device does not support this call"),
    KS_CODE(CL_INVALID_BUFFER_SIZE, "a buffer is empty, or larger than the device allows"),
    KS_CODE(CL_INVALID_MIP_LEVEL, ""),
    KS_CODE(CL_INVALID_GLOBAL_WORK_SIZE, "the launch has no work-items, or too many"),
    KS_CODE(CL_INVALID_PROPERTY, ""),
    Code{-1001, "CL_PLATFORM_NOT_FOUND_KHR", "no OpenCL driver is installed"},
    Code{-9999, "illegal memory access in a kernel", "NVIDIA's driver gives no name to this code"}};
#undef KS_CODE

const Code* find_code(int code) {
    const auto found = std::ranges::find(codes, code, &Code::code);
    return found == codes.end() ? nullptr : &*found;
}

}  // namespace

std::string code_text(int code) {
    const Code* const known = find_code(code);
    return fmt::format("{} ({})", known ? known->name : "unknown code", code);
}

std::string code_meaning(int code) {
    const Code* const known = find_code(code);
    return known ? known->meaning : std::string();
}

}  // namespace ks::gpu
