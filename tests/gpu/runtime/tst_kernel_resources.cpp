#include <gtest/gtest.h>

#include "gpu/runtime/device_context.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/resources/kernel_resources.h"

namespace {

/// As driver 580 wrote it on an H100.
const std::string nvidia_log =
    "(): Warning: Function add is a kernel, so overriding noinline attribute.\n"
    "\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'mul' for 'sm_90a'\n"
    "ptxas info    : Function properties for mul\n"
    "ptxas         .     32 bytes stack frame, 16 bytes spill stores, 8 bytes spill loads\n"
    "ptxas info    : Used 24 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function 'add' for 'sm_90a'\n"
    "ptxas info    : Function properties for add\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 28 registers, used 1 barriers, 260 bytes smem\n"
    "ptxas info    : Compile time = 12.207 ms";

ks::KernelResources registers_told(const std::string& entry_point, const std::string& log) {
    ks::KernelResources kernel;
    kernel.entry_point = entry_point;
    ks::gpu::take_registers(log, kernel);
    return kernel;
}

TEST(KernelResources, takes_registers_and_spills_of_each_kernel_from_the_log) {
    const ks::KernelResources add = registers_told("add", nvidia_log),
                              mul = registers_told("mul", nvidia_log);
    EXPECT_EQ(add.registers, 28U);
    EXPECT_EQ(add.spill_bytes, 0U);
    EXPECT_EQ(mul.registers, 24U);
    EXPECT_EQ(mul.spill_bytes, 24U);
}

TEST(KernelResources, knows_no_registers_where_the_log_tells_none) {
    EXPECT_FALSE(registers_told("other", nvidia_log).registers);
    EXPECT_FALSE(registers_told("add", "").registers);
    EXPECT_FALSE(registers_told("add", "ptxas info    : Used 28 registers").registers);
}

TEST(KernelResources, what_ptxas_tells_of_registers_is_no_message) {
    const std::string rest = ks::gpu::without_registers(nvidia_log);
    EXPECT_EQ(rest, "(): Warning: Function add is a kernel, so overriding noinline attribute.\n\n");
    EXPECT_EQ(ks::gpu::without_registers("\n"), "");
    EXPECT_EQ(registers_told("add", ks::gpu::registers_of(nvidia_log)).registers, 28U);
}

TEST(KernelResources, each_device_tells_the_local_memory_and_groups_of_a_kernel) {
    const std::string text =
        "kernel __attribute__((reqd_work_group_size(32, 1, 1))) void f(global float* a) {\n"
        "    local float t[256];\n"
        "    const size_t i = get_local_id(0);\n"
        "    for (int k = 0; k < 8; ++k) t[i + 32 * k] = a[i + 32 * k];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    for (int k = 0; k < 8; ++k) a[i + 32 * k] = t[255 - i - 32 * k];\n"
        "}\n";
    const std::vector<ks::gpu::FoundDevice> devices = ks::gpu::find_devices();
    if (devices.empty()) GTEST_SKIP() << "no OpenCL device";
    for (const ks::gpu::FoundDevice& found : devices) {
        ks::gpu::DeviceContext device(found);
        cl::Program program(device.context(), text);
        program.build(device.device(), "-cl-std=CL1.2");
        const ks::KernelResources told =
            ks::gpu::kernel_resources(cl::Kernel(program, "f"), device.device(), "f");
        EXPECT_GE(told.local_bytes, 1024U) << found.info.name;
        EXPECT_LT(told.local_bytes, 4096U) << found.info.name;
        EXPECT_GE(told.work_group, 32U) << found.info.name;
        EXPECT_GE(told.multiple, 1U) << found.info.name;
    }
}

}  // namespace
