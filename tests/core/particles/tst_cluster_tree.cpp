// What a treecode is made of: trees, interpolation at Chebyshev points, lists.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/particles/treecode/plan.h"
#include "core/particles/treecode/treecode_points.h"
#include "tests/core/particles/treecode_points.h"

namespace cluster_tree_test {

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

template <class T>
Coordinates<T> coordinates(const PointsPtr& points) {
    Coordinates<T> places;
    for (std::size_t i = 0; i < points->size(); ++i) {
        places.of[0].push_back(static_cast<T>(points->x[i]));
        places.of[1].push_back(static_cast<T>(points->y[i]));
        places.of[2].push_back(static_cast<T>(points->z[i]));
    }
    return places;
}

/// Of a copy: points stay in their order.
template <class T>
ClusterTree tree_of(Coordinates<T> points, std::size_t leaf, double thinnest, unsigned threads) {
    return build_tree(points, leaf, thinnest, threads);
}

template <class T>
void expect_sound(const Coordinates<T>& points, const ClusterTree& tree, std::size_t leaf) {
    EXPECT_EQ(std::set<std::uint32_t>(tree.order.begin(), tree.order.end()).size(), points.size());
    std::size_t in_leaves = 0;
    for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
        const Cluster& cluster = tree.clusters[c];
        for (std::uint32_t i = cluster.first; i < cluster.end(); ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                ASSERT_LE(
                    std::abs(static_cast<double>(points.of[axis][tree.order[i]]) - cluster.centre[axis]),
                    cluster.half[axis]);
        ASSERT_GT(cluster.count, 0u);
        if (cluster.is_leaf()) {
            in_leaves += cluster.count;
            EXPECT_LE(cluster.count, leaf);
            continue;
        }
        const Cluster &one = tree.clusters[cluster.child], &other = tree.clusters[cluster.child + 1];
        EXPECT_GT(cluster.child, c);
        EXPECT_EQ(one.parent, c);
        EXPECT_EQ(other.parent, c);
        EXPECT_EQ(one.first, cluster.first);
        EXPECT_EQ(other.first, one.end());
        EXPECT_EQ(other.end(), cluster.end());
    }
    EXPECT_EQ(in_leaves, points.size());
}

TEST(ClusterTree, has_each_point_in_one_leaf_and_in_the_boxes_above) {
    for (const char* shape : {"cube", "sphere", "clusters", "line", "plane"})
        for (const std::size_t n : {1, 7, 8, 9, 5000})
            for (const double thinnest : {0.0, 0.25}) {
                SCOPED_TRACE(std::string(shape) + " " + std::to_string(n));
                const auto floats = coordinates<float>(points_in(shape, n, 1));
                expect_sound(floats, tree_of(floats, 8, thinnest, 2), 8);
                const auto doubles = coordinates<double>(points_in(shape, n, 1));
                expect_sound(doubles, tree_of(doubles, 8, thinnest, 2), 8);
            }
}

TEST(ClusterTree, of_more_points_than_a_thread_takes_is_the_same_with_any_number_of_threads) {
    const auto points = coordinates<float>(points_in("clusters", 100000, 1));
    const ClusterTree one = tree_of(points, 50, 0, 1), two = tree_of(points, 50, 0, 2);
    EXPECT_EQ(one.order, two.order);
    EXPECT_EQ(one.clusters.size(), two.clusters.size());
    expect_sound(points, two, 50);
}

TEST(ClusterTree, of_points_that_nearly_all_lie_in_one_corner_is_sound_and_the_same) {
    // One bucket of keys has them, which several threads halve.
    auto points = coordinates<float>(points_in("cube", 150000, 1));
    for (RawVector<float>& values : points.of)
        for (std::size_t i = 0; i + 100 < values.size(); ++i) values[i] *= 0x1p-8f;
    const ClusterTree one = tree_of(points, 40, 0, 1), two = tree_of(points, 40, 0, 2);
    EXPECT_EQ(one.order, two.order);
    expect_sound(points, one, 40);
}

TEST(ClusterTree, of_extents_beside_which_its_steps_are_too_fine_for_floats_is_sound) {
    auto points = coordinates<float>(points_in("cube", 500, 1));
    for (RawVector<float>& values : points.of)
        for (float& value : values) value *= 1e-38f;
    expect_sound(points, tree_of(points, 500, 0, 1), 500);
}

TEST(ClusterTree, brings_points_into_its_order) {
    const auto before = coordinates<float>(points_in("sphere", 3000, 1));
    auto after = before;
    const ClusterTree tree = build_tree(after, 20, 0, 2);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(after.of[axis][i], before.of[axis][tree.order[i]]);
}

TEST(ClusterTree, with_the_thinnest_sides_asked_for_has_no_flat_boxes) {
    const auto points = coordinates<double>(points_in("plane", 1000, 1));
    for (const Cluster& cluster : tree_of(points, 8, 0, 1).clusters) EXPECT_EQ(cluster.half[2], 0);
    for (const Cluster& cluster : tree_of(points, 8, 0.25, 1).clusters)
        EXPECT_GE(cluster.half[2], 0.2499 * std::max(cluster.half[0], cluster.half[1]));
}

TEST(ClusterTree, keeps_points_of_one_place_together) {
    Coordinates<float> points;
    for (RawVector<float>& values : points.of) values.assign(100, 3.0f);
    const ClusterTree tree = tree_of(points, 8, 0, 1);
    ASSERT_EQ(tree.clusters.size(), 1u);
    EXPECT_EQ(tree.clusters[0].radius, 0);
}

TEST(Lagrange, polynomials_and_slopes_give_back_powers) {
    std::vector<double> values(max_nodes), slopes(max_nodes), with_slopes(max_nodes);
    for (std::size_t n = 1; n <= max_nodes; ++n) {
        const ChebyshevNodes& nodes = chebyshev_nodes(n);
        std::vector<double> places{-1, -0.3, 0, 0.77, 1};
        places.insert(places.end(), nodes.at.begin(), nodes.at.begin() + static_cast<std::ptrdiff_t>(n));
        for (const double x : places) {
            lagrange(n, x, values.data());
            lagrange_slopes(n, x, with_slopes.data(), slopes.data());
            for (std::size_t power = 0; power < n; ++power) {
                const double p = static_cast<double>(power);
                double sum = 0, slope = 0;
                for (std::size_t k = 0; k < n; ++k) {
                    sum += values[k] * std::pow(nodes.at[k], p);
                    slope += slopes[k] * std::pow(nodes.at[k], p);
                    EXPECT_NEAR(values[k], with_slopes[k], 1e-12);
                }
                EXPECT_NEAR(sum, std::pow(x, p), 1e-12);
                EXPECT_NEAR(slope, power == 0 ? 0 : p * std::pow(x, p - 1), 1e-9);
            }
        }
    }
}

TEST(TreecodePlan, meets_each_pair_once) {
    // Clusters of targets and sources as they meet, far or near: each pair is in one list of a target's leaf
    // or of one above it.
    auto sources = coordinates<double>(points_in("cube", 600, 1)),
         targets = coordinates<double>(points_in("clusters", 500, 2));
    SumSettings settings = settings_of(Kernel::laplace);
    Accuracy accuracy;
    accuracy.digits = 3;
    accuracy.pairs_anyway = 1'000'000;
    const Resolution resolution(settings, Scaling{}, accuracy);
    const TreecodePlan plan = plan_treecode(sources, targets, resolution, 10, 1);
    ASSERT_FALSE(plan.far.clusters.empty());
    std::vector<std::vector<int>> met(500, std::vector<int>(600));
    for (std::size_t i = 0; i < plan.near.clusters.size(); ++i) {
        const Cluster& target = plan.targets.clusters[plan.near.clusters[i]];
        for (std::uint32_t s = plan.near.start[i]; s < plan.near.start[i + 1]; ++s)
            for (std::uint32_t t = target.first; t < target.end(); ++t)
                for (std::uint32_t j = plan.near.spans[s].begin; j < plan.near.spans[s].end; ++j) ++met[t][j];
    }
    for (std::size_t i = 0; i < plan.far.clusters.size(); ++i) {
        const Cluster& target = plan.targets.clusters[plan.far.clusters[i]];
        for (std::uint32_t s = plan.far.start[i]; s < plan.far.start[i + 1]; ++s)
            for (std::size_t c = 0; c < plan.sources.clusters.size(); ++c) {
                const std::uint32_t first = plan.source_proxies.first[c];
                const bool whole = plan.source_proxies.count(c) > 0 && plan.far.spans[s].begin <= first &&
                                   plan.source_proxies.first[c + 1] <= plan.far.spans[s].end;
                if (!whole) continue;
                const Cluster& source = plan.sources.clusters[c];
                for (std::uint32_t t = target.first; t < target.end(); ++t)
                    for (std::uint32_t j = source.first; j < source.end(); ++j) ++met[t][j];
            }
    }
    for (const std::vector<int>& row : met)
        for (const int times : row) ASSERT_EQ(times, 1);
}

}  // namespace
}  // namespace cluster_tree_test
