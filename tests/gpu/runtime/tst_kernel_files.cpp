// Kernels that no device of this machine builds are never read by other tests: what they include must be
// there.

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/opencl_backend.h"

namespace {

TEST(KernelFiles, every_file_finds_what_it_includes) {
    ASSERT_FALSE(ks::gpu::kernel_files().empty());
    for (const ks::gpu::KernelFile& file : ks::gpu::kernel_files())
        EXPECT_NO_THROW(ks::gpu::resolve_includes(ks::gpu::kernel_text(file.path))) << file.path;
}

TEST(KernelFiles, every_variant_s_kernels_are_in_some_file) {
    std::string all;
    for (const ks::gpu::KernelFile& file : ks::gpu::kernel_files()) all += ks::gpu::kernel_text(file.path);
    const auto backend = ks::gpu::make_opencl_backend();
    ASSERT_FALSE(backend->variants().empty());
    for (const ks::Variant& variant : backend->variants()) {
        EXPECT_FALSE(ks::gpu::kernel_text(variant.source_file).empty()) << variant.id;
        for (const std::string& kernel : variant.entry_points)
            EXPECT_NE(all.find(kernel + "("), std::string::npos) << variant.id << ": " << kernel;
    }
}

TEST(KernelFiles, a_file_that_is_not_there_is_named) {
    try {
        ks::gpu::resolve_includes("#include \"gpu/no/such.cl\"\n");
        FAIL() << "resolved";
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.where(), "gpu/no/such.cl");
    }
}

}  // namespace
