#include <gtest/gtest.h>

#include "core/kernels/occupancy.h"

namespace {

using Bound = ks::Occupancy::Bound;

std::vector<ks::DeviceProperty> capability(std::uint64_t major, std::uint64_t minor) {
    return {{"compute_capability_major_nv", "", "", "", major},
            {"compute_capability_minor_nv", "", "", "", minor}};
}

ks::KernelResources kernel_with(std::uint64_t registers, std::uint64_t local_bytes = 0) {
    ks::KernelResources kernel;
    kernel.entry_point = "f";
    kernel.registers = registers;
    kernel.local_bytes = local_bytes;
    return kernel;
}

struct OccupancyCase {
    std::uint64_t major, minor, registers, local_bytes, group;
    std::uint64_t groups;  ///< as the calculator of CUDA has them
    double share;
    std::vector<Bound> bounds;
};

TEST(OccupancyOfKernels, is_that_of_the_calculator_that_comes_with_cuda) {
    const std::vector<OccupancyCase> cases{
        {8, 0, 32, 0, 256, 8, 1.0, {Bound::work_items, Bound::registers}},
        {8, 0, 64, 0, 256, 4, 0.5, {Bound::registers}},
        {8, 0, 33, 0, 256, 6, 0.75, {Bound::registers}},
        {8, 6, 40, 0, 256, 6, 1.0, {Bound::work_items, Bound::registers}},
        {9, 0, 16, 100 * 1024, 128, 2, 0.125, {Bound::local_memory}},
        {9, 0, 16, 0, 32, 32, 0.5, {Bound::groups}},
        {7, 5, 64, 0, 1024, 1, 1.0, {Bound::work_items, Bound::registers}},
        {9, 0, 128, 0, 96, 5, 15.0 / 64, {Bound::registers}},
    };
    for (const OccupancyCase& one : cases) {
        const auto limits = ks::compute_unit_limits(capability(one.major, one.minor));
        ASSERT_TRUE(limits);
        const auto found = ks::occupancy(kernel_with(one.registers, one.local_bytes), one.group, *limits);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->groups, one.groups) << one.registers << " registers, groups of " << one.group;
        EXPECT_DOUBLE_EQ(found->share, one.share);
        EXPECT_EQ(found->bounds, one.bounds) << one.registers << " registers, groups of " << one.group;
    }
}

TEST(OccupancyOfKernels, is_not_known_where_something_that_it_needs_is_not) {
    EXPECT_FALSE(ks::compute_unit_limits({}));
    EXPECT_FALSE(ks::compute_unit_limits(capability(99, 0)));
    const auto limits = ks::compute_unit_limits(capability(9, 0));
    EXPECT_FALSE(ks::occupancy({}, 128, *limits));
    EXPECT_FALSE(ks::occupancy(kernel_with(32), 0, *limits));
    EXPECT_FALSE(ks::occupancy(kernel_with(32), 4096, *limits));
    ks::DeviceInfo device;
    device.name = "pthread";
    EXPECT_EQ(ks::occupancy_sentence({}, 64, device, std::nullopt),
              "Occupancy not known: pthread does not report the limits of a compute unit.");
}

TEST(OccupancyOfKernels, is_told_in_one_sentence) {
    const auto limits = ks::compute_unit_limits(capability(8, 0));
    EXPECT_EQ(ks::occupancy_sentence(kernel_with(64), 256, {}, limits),
              "4 work-groups of 256 work-items fit on a compute unit: occupancy 50 %, limited by registers.");
}

}  // namespace
