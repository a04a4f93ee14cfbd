// Targets that fill a cube, and several sums on planes, in every OpenCL variant and on every device that is
// found.

#include <gtest/gtest.h>

#include "tests/core/io/io_fixture.h"
#include "tests/gpu/particles/particle_rows.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class Grids : public Rows {};

TEST_P(Grids, of_a_cube_are_those_of_the_reference_and_of_points_in_the_same_places) {
    for (const std::size_t side : {1, 2, 7, 16, 19}) {
        const CubeGrid cube{side, -0.25, 1.25};
        auto points = std::make_shared<PointSet>();
        for (std::size_t i = 0; i < side; ++i)
            for (std::size_t j = 0; j < side; ++j)
                for (std::size_t k = 0; k < side; ++k) {
                    points->x.push_back(cube.at(i));
                    points->y.push_back(cube.at(j));
                    points->z.push_back(cube.at(k));
                }
        for (const bool gradient : {false, has_gradients()}) {
            const PointsPtr sources = random_points(70, 3, false, -0.25, 1.25);
            const SumSettings settings =
                with_gradient(settings_of(Kernel::rbf, Precision::f32, 0.4), gradient);
            const SumProblem grid(sources, cube, settings), same(sources, points, settings);
            expect_right(grid);
            for (gpu::DeviceContext* device : devices_for(grid)) {
                const Array a = sums_of(sum_on(*device, variant(), grid).result, grid);
                const Array b = sums_of(sum_on(*device, variant(), same).result, same);
                for (std::size_t i = 0; i < a.size(); ++i)
                    ASSERT_NEAR(a.as<double>()[i], b.as<double>()[i], 2e-5) << i;
            }
        }
    }
    expect_right(
        SumProblem(random_points(70, 3), CubeGrid{11, 0, 1}, settings_of(Kernel::helmholtz, Precision::f64)));
}

TEST_P(Grids, on_planes_of_any_size_are_those_of_the_reference) {
    for (const std::size_t side : {1, 3, 16, 33})
        expect_right(SumProblem(
            with_vectors(random_points(70, 3), 3, false), PlaneGrid{side, -0.5, 1.25, 0.25, 0.5, 0.75},
            with_gradient(settings_of(Kernel::rbf, Precision::f32, 0.4), has_gradients())));
}

KS_FOR_PARTICLE_VARIANTS(Grids);

}  // namespace
