#include "core/particles/cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/core/particles/particle_fixture.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

double step(const PointSet& points, std::uint32_t a, std::uint32_t b) {
    return std::hypot(points.x[a] - points.x[b], points.y[a] - points.y[b], points.z[a] - points.z[b]);
}

TEST(SpatialOrder, names_every_row_once) {
    for (const std::size_t n : {1, 2, 7, 1000}) {
        std::vector<std::uint32_t> order = spatial_order(*random_points(n, 1)), rows(n);
        std::ranges::sort(order);
        std::iota(rows.begin(), rows.end(), 0u);
        EXPECT_EQ(order, rows);
    }
    EXPECT_TRUE(spatial_order(PointSet{}).empty());
}

TEST(SpatialOrder, makes_neighbours_of_points_that_are_near) {
    const PointsPtr points = random_points(4000, 2);
    const std::vector<std::uint32_t> order = spatial_order(*points);
    double sorted = 0, unsorted = 0;
    for (std::uint32_t i = 1; i < order.size(); ++i) {
        sorted += step(*points, order[i], order[i - 1]);
        unsorted += step(*points, i, i - 1);
    }
    EXPECT_LT(sorted, 0.2 * unsorted);
}

TEST(SpatialOrder, of_a_lattice_goes_from_neighbour_to_neighbour) {
    PointSet points;
    for (unsigned i = 0; i < 4096; ++i) {
        const unsigned place = i * 2731 % 4096;
        points.x.push_back(place % 16);
        points.y.push_back(place / 16 % 16);
        points.z.push_back(place / 256);
    }
    const std::vector<std::uint32_t> order = spatial_order(points);
    for (std::size_t i = 1; i < order.size(); ++i) ASSERT_EQ(step(points, order[i], order[i - 1]), 1) << i;
}

TEST(SpatialOrder, keeps_rows_at_one_place_in_order) {
    PointSet points;
    points.x = points.y = points.z = std::vector<double>(5, 3.0);
    EXPECT_EQ(spatial_order(points), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(Cells, hold_all_sources_around_their_middle) {
    const PointsPtr points = random_points(300, 3);
    std::vector<float> xyzw;
    for (std::size_t i = 0; i < points->size(); ++i)
        for (const double value : {points->x[i], points->y[i], points->z[i], points->weight[i]})
            xyzw.push_back(static_cast<float>(value));
    const std::vector<std::uint32_t> order = spatial_order(*points);
    const Cells cells = in_cells(xyzw, order, 128, 10);
    ASSERT_EQ(cells.cells.size(), 4 * 3u);
    ASSERT_EQ(cells.xyzw.size(), xyzw.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const float* middle = &cells.cells[i / 128 * 4];
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            // The same difference that a target at that place has.
            EXPECT_EQ(cells.xyzw[4 * i + axis], xyzw[4 * order[i] + axis] - middle[axis]);
            square += std::pow(cells.xyzw[4 * i + axis], 2);
        }
        EXPECT_LE(std::sqrt(square), middle[3] * (1 + 1e-6));
        EXPECT_EQ(cells.xyzw[4 * i + 3], xyzw[4 * order[i] + 3]);
    }
    // 128 of 300 in a unit box: no cell is wider than the box's diagonal.
    for (std::size_t cell = 0; cell < 3; ++cell)
        EXPECT_LT(cells.cells[4 * cell + 3], std::sqrt(3.0) / 2 * 1.01);
}

}  // namespace
