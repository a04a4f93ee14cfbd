// Copies through local memory, as a check that indices of items, groups and tiles are right: every shape
// comes back whole and nothing behind it is touched, also where no length is a multiple of the group.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "gpu/spots/copies/memory_copy.h"

namespace {

std::vector<std::uint16_t> random_values(std::size_t count) {
    std::mt19937 random(7);
    std::vector<std::uint16_t> values(count);
    for (std::uint16_t& value : values) value = static_cast<std::uint16_t>(random());
    return values;
}

class MemoryCopy : public ::testing::Test {
  protected:
    void SetUp() override {
        found = ks::gpu::find_devices();
        if (std::getenv("KS_INSIDE_OCLGRIND") != nullptr) {
            ASSERT_EQ(found.size(), 1u);
        }
        if (found.empty()) GTEST_SKIP() << "no OpenCL device";
    }
    void expect_copied(const std::vector<std::size_t>& shape, std::size_t lx, std::size_t ly) {
        std::size_t count = 1;
        for (const std::size_t length : shape) count *= length;
        const auto values = random_values(count);
        for (const auto& one : found) {
            ks::gpu::DeviceContext device(one);
            const auto back = ks::gpu::spots::copy_on_device(device, values, shape, lx, ly, 4096);
            EXPECT_TRUE(back.values == values) << ::testing::PrintToString(shape) << " on " << one.info.name;
            EXPECT_TRUE(back.guard_intact) << ::testing::PrintToString(shape) << " on " << one.info.name;
        }
    }
    std::vector<ks::gpu::FoundDevice> found;
};

TEST_F(MemoryCopy, small_shapes_of_one_to_three_dimensions_come_back) {
    for (const std::size_t width : {1u, 15u, 16u, 17u, 33u}) {
        expect_copied({width}, 16, 12);
        for (const std::size_t height : {1u, 11u, 12u, 13u}) {
            expect_copied({height, width}, 16, 12);
            expect_copied({3, height, width}, 16, 12);
        }
    }
}

TEST_F(MemoryCopy, the_stack_of_modules_of_the_article_comes_back) {
    expect_copied({32, 512, 1028}, 16, 12);
    expect_copied({16777216}, 64, 1);
    expect_copied({4362, 4148}, 32, 8);
}

TEST(MemoryCopyUnderOclgrind, is_clean) {
    if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
    if (std::getenv("KS_INSIDE_OCLGRIND") != nullptr) GTEST_SKIP() << "already inside";
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string(),
                      log = self + ".oclgrind";
    const std::string command = "KS_INSIDE_OCLGRIND=1 KERNELSCOPE_CACHE='" + self +
                                ".cache' oclgrind --log '" + log + "' --data-races '" + self +
                                "' --gtest_filter='MemoryCopy.small*' > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(std::filesystem::file_size(log), 0u);
    std::filesystem::remove(log);
    std::filesystem::remove_all(self + ".cache");
}

}  // namespace
