#include <gtest/gtest.h>

#include "core/kernels/private_memory.h"

namespace private_memory_test {

ks::DeviceInfo device_of(const std::string& platform) {
    ks::DeviceInfo device;
    device.platform_name = platform;
    return device;
}

TEST(PrivateMemory, a_number_that_is_the_same_for_every_kernel_is_left_out_with_the_reason) {
    ks::KernelResources kernel;
    kernel.private_bytes = 1024;
    const ks::DeviceInfo pocl = device_of("Portable Computing Language"), nvidia = device_of("NVIDIA CUDA");
    EXPECT_FALSE(ks::private_memory_of(kernel, pocl));
    EXPECT_NE(ks::why_private_memory_is_not_told(pocl).find("PoCL"), std::string::npos);
    EXPECT_EQ(ks::private_memory_of(kernel, nvidia), 1024U);
    EXPECT_EQ(ks::why_private_memory_is_not_told(nvidia), "");
}

}  // namespace private_memory_test
