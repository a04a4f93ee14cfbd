#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/runtime/device_query.h"
#include "gpu/runtime/resources/assembly.h"

namespace {

const std::string two_kernels =
    "kernel void f(global float* a) { a[get_global_id(0)] *= 2.0f; }\n"
    "kernel void g(global float* a) {\n"
    "    a[get_global_id(0)] += 1.0f;\n"
    "}\n";

TEST(Assembly, each_device_gives_a_text_or_says_that_it_gives_none) {
    const std::vector<ks::gpu::FoundDevice> devices = ks::gpu::find_devices();
    if (devices.empty()) GTEST_SKIP() << "no OpenCL device";
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const ks::Assembly made =
            ks::gpu::assemble({std::to_string(i), "two.cl", two_kernels, "-cl-std=CL1.2"});
        EXPECT_EQ(made.resources.size(), 2U);
        EXPECT_EQ(made.source_file, "two.cl");
        EXPECT_FALSE(made.text.empty());
        if (devices[i].info.vendor.find("NVIDIA") == std::string::npos) continue;
        EXPECT_EQ(made.language, "PTX");
        for (const ks::KernelResources& kernel : made.resources) EXPECT_TRUE(kernel.registers);
        const auto lines = ks::source_lines_of_ptx(made.text);
        EXPECT_NE(std::ranges::find(lines, std::optional<std::size_t>(1)), lines.end());
        EXPECT_NE(std::ranges::find(lines, std::optional<std::size_t>(3)), lines.end());
    }
}

TEST(Assembly, of_a_program_that_does_not_build_is_an_error_with_the_log) {
    if (ks::gpu::find_devices().empty()) GTEST_SKIP() << "no OpenCL device";
    try {
        ks::gpu::assemble({"0", "bad.cl", "kernel void f() { nothing; }\n", "-cl-std=CL1.2"});
        FAIL() << "it built";
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.kind(), ks::ErrorKind::build);
        EXPECT_NE(error.details().find("nothing"), std::string::npos);
    }
}

TEST(Assembly, of_no_such_device_is_an_error) {
    if (ks::gpu::find_devices().empty()) GTEST_SKIP() << "no OpenCL device";
    EXPECT_THROW(ks::gpu::assemble({"no such device", "two.cl", two_kernels, ""}), ks::Error);
}

}  // namespace
