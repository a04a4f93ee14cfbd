// Sources in cells, on every device that is found, against the double reference of the host.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/gpu/particles/particles_device.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

constexpr const char* cells = "source.cells";

void expect_right(const SumProblem& problem, const std::map<std::string, std::string>& defines = {}) {
    ASSERT_FALSE(test_devices().empty());
    const ks::Run exact = host_sum(problem, "host.reference");
    for (const auto& device : test_devices()) {
        const ks::Run run = sum_on(*device, cells, problem, defines);
        const SumErrors errors = errors_of(problem, run);
        EXPECT_EQ(errors.targets, problem.n_targets());
        EXPECT_LE(errors.scaled, 1e-6)
            << problem.n_targets() << " x " << problem.n_sources() << ", target " << errors.worst;
        EXPECT_EQ(run.result.facts.at("skipped_pairs"), exact.result.facts.at("skipped_pairs"));
    }
}

SumSettings floats(Kernel kernel, double sigma = 0.3) {
    return settings_of(kernel, Precision::f32, sigma);
}

TEST(SourceCells, of_any_size_are_the_sums_of_the_reference) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace})
        for (const auto& [targets, sources] :
             {std::pair<std::size_t, std::size_t>{1, 1}, {513, 127}, {511, 128}, {700, 129}, {33, 5000}})
            expect_right({random_points(sources, 1), random_points(targets, 2), floats(kernel)});
}

// Cells are small enough there for terms to be taken apart: 16 along a side and more.
TEST(SourceCells, of_many_sources_are_right_near_them_and_far) {
    for (const double sigma : {0.02, 0.1, 0.5, 5.0})
        expect_right({random_points(20000, 3), random_points(600, 4), floats(Kernel::rbf, sigma)});
    expect_right({random_points(20000, 5), random_points(600, 6), floats(Kernel::laplace)});
    auto far = std::make_shared<PointSet>(*random_points(600, 7));
    for (double& x : far->x) x += 40;
    expect_right({random_points(3000, 8), far, floats(Kernel::laplace)});
    expect_right({random_points(3000, 8), far, floats(Kernel::rbf, 10)});
}

TEST(SourceCells, skip_coincident_pairs_and_count_them) {
    const PointsPtr points = random_points(900, 9);
    expect_right({points, points, floats(Kernel::laplace)});
    const PointsPtr one = points_of({{7, 7, 7, 1}, {7, 7, 7, 2}});
    expect_right({one, one, floats(Kernel::laplace)});
}

TEST(SourceCells, on_planes_and_in_a_cube_are_right) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace}) {
        expect_right({random_points(4000, 10), PlaneGrid{19, -0.5, 1.25, 0.25, 0.5, 0.75}, floats(kernel)});
        expect_right({random_points(4000, 11), CubeGrid{9, 0, 1}, floats(kernel)});
    }
}

TEST(SourceCells, of_weights_at_the_end_of_floats_are_right) {
    auto heavy = std::make_shared<PointSet>(*random_points(5000, 12));
    for (double& weight : heavy->weight) weight *= 1e30;
    expect_right({heavy, random_points(200, 13), floats(Kernel::rbf, 0.2)});
}

TEST(SourceCells, refuse_what_they_do_not_sum) {
    const PointsPtr points = random_points(10, 1), complex = random_points(10, 1, true);
    for (const auto& device : test_devices()) {
        EXPECT_THROW(sum_on(*device, cells, {points, points, floats(Kernel::helmholtz)}), Error);
        EXPECT_THROW(sum_on(*device, cells, {complex, points, floats(Kernel::rbf)}), Error);
        EXPECT_THROW(sum_on(*device, cells, {points, points, settings_of(Kernel::rbf, Precision::f64)}),
                     Error);
    }
}

}  // namespace
