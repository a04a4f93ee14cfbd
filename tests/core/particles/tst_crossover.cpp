// Where a treecode becomes faster than direct sums, from times that follow formulas.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/particles/crossover.h"

namespace crossover_test {

using namespace ks::particles;
using Kind = Crossover::Kind;

namespace {

std::vector<Cost> costs(const std::vector<double>& sizes, double factor, double power) {
    std::vector<Cost> all;
    for (const double n : sizes) all.push_back({n, factor * std::pow(n, power)});
    return all;
}

TEST(Crossover, of_powers_is_where_they_are_equal) {
    // 1e-9 n^2 = 2e-5 n at n = 20,000.
    const std::vector<double> sizes{1000, 3000, 10000, 30000, 100000};
    const auto found = crossover_of(costs(sizes, 1e-9, 2), costs(sizes, 2e-5, 1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Kind::from);
    EXPECT_NEAR(found->n, 20000, 1e-6);
    EXPECT_FALSE(found->extrapolated);
}

TEST(Crossover, beyond_what_was_measured_directly_follows_from_the_square) {
    const auto direct = costs({1000, 3000}, 1e-9, 2);
    const auto found = crossover_of(direct, costs({1000, 3000, 10000, 30000}, 2e-5, 1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Kind::from);
    EXPECT_NEAR(found->n, 20000, 1e-6);
    EXPECT_TRUE(found->extrapolated);
    EXPECT_NEAR(direct_seconds(direct, 1e6).value(), 1e3, 1e-6);
    EXPECT_NEAR(direct_seconds(direct, 2000).value(), 4e-3, 1e-9);
    EXPECT_FALSE(direct_seconds(direct, 999));
}

TEST(Crossover, without_a_change_says_which_is_faster_and_how_far_that_is_known) {
    const std::vector<double> sizes{100, 1000, 10000};
    const Crossover never = crossover_of(costs(sizes, 1e-9, 2), costs(sizes, 1, 1)).value();
    EXPECT_EQ(never, (Crossover{Kind::never, 10000, false}));
    const Crossover always = crossover_of(costs({1000, 10000}, 1, 2), costs(sizes, 1e-9, 1)).value();
    EXPECT_EQ(always, (Crossover{Kind::always, 1000, false}));
    EXPECT_FALSE(crossover_of({}, costs(sizes, 1, 1)));
    EXPECT_FALSE(crossover_of(costs(sizes, 1, 2), {}));
    EXPECT_FALSE(crossover_of(costs({1e5}, 1, 2), costs(sizes, 1, 1)));
}

TEST(Crossover, that_noise_repeats_counts_where_it_is_last) {
    const std::vector<Cost> direct{{1000, 1}, {2000, 4}, {4000, 16}, {8000, 64}},
        treecode{{1000, 2}, {2000, 3}, {4000, 17}, {8000, 20}};
    const Crossover found = crossover_of(direct, treecode).value();
    EXPECT_EQ(found.kind, Kind::from);
    EXPECT_GT(found.n, 4000);
    EXPECT_LT(found.n, 4500);
}

}  // namespace
}  // namespace crossover_test
