// Targets that fill a cube: the same sums as at points in the same places.

#include <gtest/gtest.h>

#include "core/particles/analysis.h"
#include "core/particles/parameters.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/particles/particle_fixture.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

/// The places of a cube as points, x slowest.
PointsPtr points_in(const CubeGrid& cube) {
    std::vector<std::array<double, 4>> rows;
    const auto at = [&](std::size_t i) {
        return cube.side == 1 ? cube.low
                              : cube.low + (cube.high - cube.low) * double(i) / double(cube.side - 1);
    };
    for (std::size_t i = 0; i < cube.side; ++i)
        for (std::size_t j = 0; j < cube.side; ++j)
            for (std::size_t k = 0; k < cube.side; ++k) rows.push_back({at(i), at(j), at(k), 0});
    return points_of(rows);
}

class Cube : public IoTest {};

TEST_F(Cube, has_the_sums_of_points_in_the_same_places) {
    for (const char* variant : {"host.reference", "host.vector"})
        for (const std::size_t side : {1, 2, 5, 16, 17})
            for (const Kernel kernel : {Kernel::rbf, Kernel::helmholtz}) {
                SumSettings settings = settings_of(kernel, Precision::f64, 0.4);
                settings.gradient = side < 10;
                const CubeGrid cube{side, -0.5, 1.5};
                const PointsPtr sources = random_points(40, 1, false, -0.5, 1.5);
                const SumProblem grid(sources, cube, settings), points(sources, points_in(cube), settings);
                const Array a = sums_of(host_sum(grid, variant).result, grid);
                const Array b = sums_of(host_sum(points, variant).result, points);
                ASSERT_EQ(a.shape(), b.shape());
                for (std::size_t i = 0; i < a.size(); ++i)
                    ASSERT_NEAR(a.as<double>()[i], b.as<double>()[i], 1e-11) << variant << " " << side;
            }
}

TEST_F(Cube, is_an_image_of_three_axes_in_the_result_and_in_the_file) {
    const SumProblem problem(points_of({{1, 0.5, 0, 1}}), CubeGrid{3, 0, 1}, settings_of(Kernel::laplace));
    ks::Run run = host_sum(problem, "host.vector");
    const Dataset& potential = run.result.at("potential");
    EXPECT_EQ(potential.values.shape(), (std::vector<std::size_t>{3, 3, 3}));
    EXPECT_EQ(potential.axes, (std::vector<std::string>{"x", "y", "z"}));
    // The source is at i = 2 along x, j = 1 along y, k = 0 along z.
    EXPECT_EQ(potential.values.to_doubles()[2 * 9 + 1 * 3 + 0], 0);
    EXPECT_NEAR(potential.values.to_doubles()[2 * 9 + 1 * 3 + 1], 1 / (4 * std::numbers::pi * 0.5), 1e-12);
    EXPECT_EQ(run.result.facts.at("skipped_pairs"), 1);
    write_run(run, at("run.h5"), true, quiet);
    const ks::Run back = read_run(at("run.h5"));
    EXPECT_EQ(sums_of(back.result, problem), sums_of(run.result, problem));
    EXPECT_EQ(back.result.at("potential").axes, potential.axes);
    write_table(run, at("run.csv"), true, quiet);
    const std::string text = read_bytes(at("run.csv"));
    EXPECT_TRUE(text.starts_with("i,j,k,x,y,z,value\n0,0,0,0,0,0,")) << text.substr(0, 60);
    EXPECT_NE(text.find("\n2,1,0,1,0.5,0,0\n"), std::string::npos);
}

TEST_F(Cube, excludes_planes_and_points) {
    write_bytes(at("s.csv"), "x,y,z,weight\n0,0,0.5,1\n");
    const auto load = [&](const ParameterSet& given, bool targets) {
        Request request;
        request.parameters = checked(analysis_info().parameters, given);
        request.inputs["sources"].name = at("s.csv");
        if (targets) request.inputs["targets"].name = at("s.csv");
        Progress progress;
        return load_problem(request, progress, nullptr);
    };
    const auto problem = load({{"grid", std::int64_t{4}}, {"plane_low", -1.0}}, false);
    EXPECT_EQ(problem->n_targets(), 64u);
    EXPECT_EQ(problem->target(63), (Place{1, 1, 1}));
    EXPECT_EQ(problem->target(1), (Place{-1, -1, -1 + 2.0 / 3}));
    EXPECT_TRUE(contains(input_error([&] {
                             load({{"grid", std::int64_t{4}}}, true);
                         }),
                         {"grid and targets"}));
    EXPECT_TRUE(contains(input_error([&] {
                             load({{"grid", std::int64_t{4}}, {"planes", std::int64_t{4}}}, false);
                         }),
                         {"planes and grid"}));
    EXPECT_TRUE(contains(input_error([&] {
                             load({{"grid", std::int64_t{4}}, {"plane_low", 1.0}}, false);
                         }),
                         {"plane_low"}));
}

}  // namespace
