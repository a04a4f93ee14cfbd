// Variants with sources in cells, on every device that is found and can, against the double reference of the
// host.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/gpu/particles/particles_device.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class SourceCells : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        able_ = devices_of(GetParam());
        if (able_.empty()) GTEST_SKIP() << "no device has what " << GetParam() << " needs";
    }

    void expect_right(const SumProblem& problem, const std::map<std::string, std::string>& defines = {}) {
        const ks::Run exact = host_sum(problem, "host.reference");
        for (gpu::DeviceContext* device : able_) {
            const ks::Run run = sum_on(*device, GetParam(), problem, defines);
            const SumErrors errors = errors_of(problem, run);
            EXPECT_EQ(errors.targets, problem.n_targets());
            EXPECT_LE(errors.scaled, 1e-6)
                << problem.n_targets() << " x " << problem.n_sources() << ", target " << errors.worst;
            EXPECT_EQ(run.result.facts.at("skipped_pairs"), exact.result.facts.at("skipped_pairs"));
        }
    }

    std::vector<gpu::DeviceContext*> able_;
};

SumSettings floats(Kernel kernel, double sigma = 0.3) {
    return settings_of(kernel, Precision::f32, sigma);
}

TEST_P(SourceCells, of_any_size_are_the_sums_of_the_reference) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace})
        for (const auto& [targets, sources] :
             {std::pair<std::size_t, std::size_t>{1, 1}, {513, 127}, {511, 128}, {700, 129}, {33, 5000}})
            expect_right({random_points(sources, 1), random_points(targets, 2), floats(kernel)});
}

// Cells are small enough there for terms to be taken apart: 16 along a side and more.
TEST_P(SourceCells, of_many_sources_are_right_near_them_and_far) {
    for (const double sigma : {0.02, 0.1, 0.5, 5.0})
        expect_right({random_points(20000, 3), random_points(600, 4), floats(Kernel::rbf, sigma)});
    expect_right({random_points(20000, 5), random_points(600, 6), floats(Kernel::laplace)});
    auto far = std::make_shared<PointSet>(*random_points(600, 7));
    for (double& x : far->x) x += 40;
    expect_right({random_points(3000, 8), far, floats(Kernel::laplace)});
    expect_right({random_points(3000, 8), far, floats(Kernel::rbf, 10)});
}

TEST_P(SourceCells, skip_coincident_pairs_and_count_them) {
    const PointsPtr points = random_points(900, 9);
    expect_right({points, points, floats(Kernel::laplace)});
    const PointsPtr one = points_of({{7, 7, 7, 1}, {7, 7, 7, 2}});
    expect_right({one, one, floats(Kernel::laplace)});
}

TEST_P(SourceCells, on_planes_and_in_a_cube_are_right) {
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace}) {
        expect_right({random_points(4000, 10), PlaneGrid{19, -0.5, 1.25, 0.25, 0.5, 0.75}, floats(kernel)});
        expect_right({random_points(4000, 11), CubeGrid{9, 0, 1}, floats(kernel)});
    }
}

TEST_P(SourceCells, of_weights_at_the_end_of_floats_are_right) {
    auto heavy = std::make_shared<PointSet>(*random_points(5000, 12));
    for (double& weight : heavy->weight) weight *= 1e30;
    expect_right({heavy, random_points(200, 13), floats(Kernel::rbf, 0.2)});
}

TEST_P(SourceCells, refuse_what_they_do_not_sum) {
    const PointsPtr points = random_points(10, 1), complex = random_points(10, 1, true);
    for (gpu::DeviceContext* device : able_) {
        EXPECT_THROW(sum_on(*device, GetParam(), {points, points, floats(Kernel::helmholtz)}), Error);
        EXPECT_THROW(sum_on(*device, GetParam(), {complex, points, floats(Kernel::rbf)}), Error);
        EXPECT_THROW(sum_on(*device, GetParam(), {points, points, settings_of(Kernel::rbf, Precision::f64)}),
                     Error);
    }
}

TEST_P(SourceCells, that_are_small_or_far_or_heavy_are_right) {
    // Coordinates of a cell are a thousandth of the distances, and of the other cells' of one.
    auto clusters = std::make_shared<PointSet>(*random_points(2000, 14));
    for (std::size_t i = 0; i < clusters->x.size(); ++i)
        for (std::vector<double>* axis : {&clusters->x, &clusters->y, &clusters->z})
            (*axis)[i] = (*axis)[i] * 1e-3 + static_cast<double>(i % 3);
    for (const Kernel kernel : {Kernel::rbf, Kernel::laplace}) {
        expect_right({clusters, random_points(500, 15), floats(kernel)});
        expect_right({clusters, clusters, floats(kernel)});
    }
    // A target that is far from all sources has a sum near 0.
    auto beyond = std::make_shared<PointSet>(*random_points(300, 16));
    for (double& z : beyond->z) z += 1e4;
    expect_right({random_points(3000, 17), beyond, floats(Kernel::rbf, 0.5)});
    expect_right({random_points(3000, 17), beyond, floats(Kernel::laplace)});
}

TEST_P(SourceCells, are_right_with_other_definitions) {
    const SumProblem rbf(random_points(3000, 18), random_points(300, 19), floats(Kernel::rbf));
    const SumProblem laplace(random_points(6000, 18), random_points(300, 19), floats(Kernel::laplace));
    using Defines = std::map<std::string, std::string>;
    const std::vector<Defines> of_items = {{{"WG", "256"}, {"ITEMS", "1"}}, {{"WG", "256"}, {"ITEMS", "8"}}};
    const std::vector<Defines> of_tiles = {{{"WG", "64"}, {"TILES", "1"}, {"POLYNOMIAL", "0"}},
                                           {{"WG", "128"}, {"TILES", "3"}, {"POLYNOMIAL", "6"}},
                                           {{"WG", "512"}, {"TILES", "2"}, {"POLYNOMIAL", "4"}}};
    for (const Defines& defines : has_define(particles_row(GetParam()).info, "TILES") ? of_tiles : of_items)
        for (const SumProblem* problem : {&rbf, &laplace}) expect_right(*problem, defines);
}

// Those of one vector of weights alone have cells.
INSTANTIATE_TEST_SUITE_P(Variants, SourceCells, ::testing::ValuesIn(particles_ids([](const Variant& variant) {
                             return depends_on(variant, "vectors");
                         })),
                         name_of_variant);

}  // namespace
