// Variants for planes alone, on every device that is found, against the double reference of the host.

#include <cstddef>

#include <gtest/gtest.h>

#include "gpu/particles/kernel_shape.h"
#include "tests/gpu/particles/particles_device.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class PlaneProduct : public ::testing::TestWithParam<const char*> {};

void expect_right(const SumProblem& problem, const std::map<std::string, std::string>& defines = {}) {
    const bool single = problem.settings().precision == Precision::f32;
    ASSERT_FALSE(test_devices().empty());
    for (const auto& device : test_devices()) {
        if (!single && !device->info().fp64) continue;
        const SumErrors errors =
            errors_of(problem, sum_on(*device, PlaneProduct::GetParam(), problem, defines));
        EXPECT_EQ(errors.targets, problem.n_targets());
        EXPECT_LE(errors.scaled, single ? 1e-6 : 1e-14)
            << problem.planes().side << " squared x " << problem.n_sources() << ", target " << errors.worst;
    }
}

PlaneGrid planes(std::size_t side) {
    return {side, -0.5, 1.25, 0.25, 0.5, 0.75};
}

TEST_P(PlaneProduct, of_any_size_is_the_sum_of_the_reference) {
    for (const Precision precision : {Precision::f32, Precision::f64})
        for (const auto& [side, sources] : {std::pair<std::size_t, std::size_t>{1, 1},
                                            {2, 3},
                                            {31, 33},
                                            {32, 32},
                                            {33, 65},
                                            {65, 5},
                                            {97, 130}})
            expect_right({random_points(sources, 1), planes(side), settings_of(Kernel::rbf, precision, 0.3)});
}

// A launch cannot be stopped: on the largest planes, with many sources, it must not take seconds.
TEST(PlaneProductLaunches, are_short_on_large_planes_too) {
    for (const std::size_t rows : {std::size_t{32}, std::size_t{64}})
        for (const std::size_t side : {std::size_t{400}, std::size_t{2048}, std::size_t{16384}}) {
            const std::size_t on_cpu = gpu::particles::sources_in_time(rows * side, false),
                              on_gpu = gpu::particles::sources_in_time(rows * side, true);
            EXPECT_LE(rows * side * on_cpu, std::size_t{1} << 28);
            EXPECT_LE(rows * side * on_gpu, std::size_t{1} << 35);
            for (const std::size_t sources : {on_cpu, on_gpu}) {
                EXPECT_GE(sources, 256U);
                EXPECT_EQ(sources % 256, 0U);
            }
        }
    EXPECT_EQ(gpu::particles::sources_in_time(32 * 32, true), std::size_t{1} << 20);
}

TEST_P(PlaneProduct, of_complex_weights_and_gradients_is_right) {
    for (const bool complex : {false, true}) {
        SumSettings settings = settings_of(Kernel::rbf, Precision::f64, 0.4);
        settings.gradient = true;
        expect_right({random_points(45, 2, complex), planes(37), settings});
        settings.precision = Precision::f32;
        expect_right({random_points(45, 3, complex), planes(35), settings});
    }
}

TEST_P(PlaneProduct, is_the_same_with_all_its_defines) {
    using Defines = std::map<std::string, std::string>;
    for (const Defines& defines : {Defines{{"WG", "64"}, {"ROWS", "32"}, {"COLUMNS", "64"}, {"TILE", "32"}},
                                   Defines{{"WG", "256"}, {"ROWS", "64"}, {"COLUMNS", "32"}, {"TILE", "64"}},
                                   Defines{{"WG", "256"}, {"ROWS", "32"}, {"COLUMNS", "32"}, {"TILE", "64"}}})
        expect_right({random_points(70, 4), planes(70), settings_of(Kernel::rbf, Precision::f32, 0.3)},
                     defines);
}

TEST_P(PlaneProduct, of_narrow_and_wide_functions_is_right) {
    for (const double sigma : {1e-3, 0.02, 3.0, 1e3})
        expect_right({random_points(40, 5), planes(33), settings_of(Kernel::rbf, Precision::f32, sigma)});
}

TEST_P(PlaneProduct, in_parts_that_fit_a_budget_is_the_same_bytes) {
    const SumProblem problem(random_points(100, 1), PlaneGrid{70, 0, 1, 0, 0, 0},
                             settings_of(Kernel::rbf, Precision::f32, 0.3));
    for (const auto& device : test_devices()) {
        const Array whole = sums_of(sum_on(*device, GetParam(), problem).result, problem);
        for (const std::uint64_t limit : {14000, 30000, 45000})
            EXPECT_EQ(sums_of(sum_on(*device, GetParam(), problem, {}, limit).result, problem), whole)
                << limit;
        EXPECT_THROW(sum_on(*device, GetParam(), problem, {}, 5000), Error);
    }
}

TEST_P(PlaneProduct, refuses_what_is_no_product) {
    const PointsPtr points = random_points(10, 1);
    for (const auto& device : test_devices()) {
        EXPECT_THROW(
            sum_on(*device, GetParam(), {points, planes(5), settings_of(Kernel::laplace, Precision::f32)}),
            Error);
        EXPECT_THROW(sum_on(*device, GetParam(), {points, points, settings_of(Kernel::rbf, Precision::f32)}),
                     Error);
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, PlaneProduct,
                         ::testing::ValuesIn(particles_ids([](const Variant& variant) {
                             return depends_on(variant, "targets");
                         })),
                         name_of_variant);

}  // namespace
