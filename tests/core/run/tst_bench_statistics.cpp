// Orders of lists of times, counted on times that are made here: by std::mt19937_64, which is the same
// everywhere.

#include "core/run/bench_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace bench_statistics_test {

using namespace ks;
using Times = std::vector<double>;

class Noise {
  public:
    explicit Noise(std::uint64_t seed) : engine_(seed) {}
    /// From 0 to 1.
    double even() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    /// About 0, by the sum of twelve.
    double normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += even();
        return sum;
    }

  private:
    std::mt19937_64 engine_;
};

/// Times of runs in rounds of variants whose medians are `middles`.
using Machine = std::function<std::vector<Times>(Noise&, const Times& middles, std::size_t rounds)>;

/// Each run has its own noise of 5 %, and one in ten is disturbed and takes up to twice as long.
std::vector<Times> quiet(Noise& noise, const Times& middles, std::size_t rounds) {
    std::vector<Times> all(middles.size());
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < middles.size(); ++i) {
            const double disturbed = noise.even() < 0.1 ? 1 + noise.even() : 1;
            all[i].push_back(middles[i] * disturbed * std::exp(0.05 * noise.normal()));
        }
    return all;
}

/// Beside the noise of each run, all of a round are slower or faster together, by 30 % and more, and the next
/// rounds nearly as much.
std::vector<Times> drifting(Noise& noise, const Times& middles, std::size_t rounds) {
    std::vector<Times> all(middles.size());
    double drift = 0.3 * noise.normal();
    for (std::size_t round = 0; round < rounds; ++round) {
        drift = 0.9 * drift + 0.13 * noise.normal();
        for (std::size_t i = 0; i < middles.size(); ++i)
            all[i].push_back(middles[i] * std::exp(drift + 0.05 * noise.normal()));
    }
    return all;
}

/// A run is disturbed as often as not, and then takes up to ten times as long.
std::vector<Times> busy(Noise& noise, const Times& middles, std::size_t rounds) {
    std::vector<Times> all(middles.size());
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < middles.size(); ++i)
            all[i].push_back(middles[i] * (noise.even() < 0.5 ? 1 + 9 * noise.even() : 1) *
                             std::exp(0.02 * noise.normal()));
    return all;
}

const std::vector<Machine> machines{quiet, drifting, busy};

TEST(BenchStatistics, OfTwoThatAreAlikeOneOrderOfAHundredIsSureAtMost) {
    constexpr int benchmarks = 2000;
    for (const Machine& machine : machines)
        for (const std::size_t repeats : {1, 2, 3, 5, 8, 10, 20, 50}) {
            Noise noise(repeats);
            int sure = 0;
            for (int i = 0; i < benchmarks; ++i) {
                const auto made = machine(noise, {100, 100}, repeats);
                sure += order_of(made[0], made[1]) == Order::undecided ? 0 : 1;
            }
            EXPECT_LE(sure, benchmarks / 100) << repeats << " repeats";
            if (repeats < 8) {
                EXPECT_EQ(sure, 0) << repeats << " repeats";
            }
        }
}

TEST(BenchStatistics, OfManyThatAreAlikeNoneIsSureInNinetyNineOfAHundredBenchmarks) {
    Noise noise(3);
    int sure = 0;
    for (int i = 0; i < 500; ++i) {
        const auto ranks = ranks_of(quiet(noise, Times(10, 100), 20));
        sure += std::ranges::any_of(ranks, [](const Rank& rank) { return rank.first > 1 || rank.last < 10; });
    }
    EXPECT_LE(sure, 5) << "of 500";
}

TEST(BenchStatistics, AFifthSlowerIsSureByTwentyRepeats) {
    for (const auto& [machine, enough] : {std::pair<Machine, int>(quiet, 90), {drifting, 95}}) {
        Noise noise(1);
        int sure = 0;
        for (int i = 0; i < 100; ++i) {
            const auto made = machine(noise, {100, 120}, 20);
            const Order order = order_of(made[0], made[1]);
            EXPECT_NE(order, Order::shorter);
            EXPECT_NE(order_of(made[1], made[0]), Order::longer);
            sure += order == Order::longer ? 1 : 0;
        }
        EXPECT_GE(sure, enough) << "of 100";
    }
}

// 2 / 2^n <= 0.01 / pairs.
TEST(BenchStatistics, AnOrderNeedsMoreRepeatsTheMoreAreRanked) {
    EXPECT_EQ(runs_for_an_order(2), 8U);
    EXPECT_EQ(runs_for_an_order(3), 10U);
    EXPECT_EQ(runs_for_an_order(6), 12U);
    EXPECT_EQ(runs_for_an_order(10), 14U);
    const std::vector<Times> seven{Times(7, 100), Times(7, 300)}, eight{Times(8, 100), Times(8, 300)};
    EXPECT_EQ(ranks_of(seven)[0].last, 2U);
    EXPECT_EQ(ranks_of(eight)[0].last, 1U);
    EXPECT_EQ(ranks_of(eight)[1].first, 2U);
    EXPECT_EQ(ranks_of({Times(9, 1), Times(9, 3), Times(9, 9)})[0].last, 3U);
    EXPECT_EQ(ranks_of({Times(10, 1), Times(10, 3), Times(10, 9)})[0].last, 1U);
}

// At most 3 of 20 tosses of a coin are the rarer side in 2 * 1351 of 2^20 cases, at most 4 in 2 * 6196.
TEST(BenchStatistics, ThreeOfTwentyRoundsMayContradictAnOrderAndFourMayNot) {
    Times some(20, 100), longer(20, 110);
    for (const std::size_t round : {3, 11, 17}) longer[round] = 90;
    EXPECT_EQ(order_of(some, longer), Order::longer);
    EXPECT_EQ(order_of(longer, some), Order::shorter);
    EXPECT_EQ(order_of({}, longer), Order::undecided);
    longer[0] = 100;  // a tie contradicts, too
    EXPECT_EQ(order_of(some, longer), Order::undecided);
}

TEST(BenchStatistics, NoiseThatARoundSharesHidesNoOrder) {
    Noise noise(5);
    Times some, longer;
    for (int i = 0; i < 20; ++i) {
        some.push_back(100 * (1 + 9 * noise.even()));
        longer.push_back(some.back() * 1.1);
    }
    EXPECT_EQ(order_of(some, longer), Order::longer);
    std::ranges::sort(some);
    std::ranges::sort(longer, std::greater<>());  // of other rounds
    EXPECT_EQ(order_of(some, longer), Order::undecided);
}

TEST(BenchStatistics, WhatDiffersByLessThanProcessesDoHasNoOrder) {
    const Times some(20, 100);
    EXPECT_EQ(order_of(some, Times(20, 102.5)), Order::undecided);
    EXPECT_EQ(order_of(some, Times(20, 103.5)), Order::longer);
    // Benchmarks of their own differ by more.
    EXPECT_EQ(order_of(some, Times(20, 190), Taken::apart), Order::undecided);
    EXPECT_EQ(order_of(some, Times(20, 210), Taken::apart), Order::longer);
}

// All of 5 before all of 5 others: 2 of 252 cases; 4 before 5: 2 of 126.
TEST(BenchStatistics, RunsOfTwoBenchmarksAreFiveEachAtLeast) {
    EXPECT_EQ(order_of(Times(5, 100), Times(5, 300), Taken::apart), Order::longer);
    EXPECT_EQ(order_of(Times(4, 100), Times(5, 300), Taken::apart), Order::undecided);
    EXPECT_TRUE(ratio_of_medians(Times(5, 100), Times(5, 300), Taken::apart).known());
    EXPECT_FALSE(ratio_of_medians(Times(4, 100), Times(5, 300), Taken::apart).known());
    int sure = 0;
    Noise noise(7);
    for (int i = 0; i < 1000; ++i) {
        const auto made = busy(noise, {100, 100}, 9);
        const RatioInterval ratio = ratio_of_medians(made[0], made[1], Taken::apart);
        sure += ratio.above(1) || ratio.below(1) ? 1 : 0;
    }
    EXPECT_LE(sure, 20) << "of 1000";
}

// One that takes seconds runs three times: before or behind 20 others in 2 of 1771 cases.
TEST(BenchStatistics, AVariantOfFewRunsHasAnOrderAmongMany) {
    EXPECT_EQ(order_of(Times(20, 1), Times(3, 300)), Order::longer);
    EXPECT_EQ(order_of(Times(3, 1), Times(3, 300)), Order::undecided);
}

TEST(BenchStatistics, TheRatioOfMediansLiesInItsInterval) {
    Noise noise(2);
    int outside = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto made = quiet(noise, {100, 150}, 20);
        const RatioInterval ratio = ratio_of_medians(made[0], made[1]);
        EXPECT_LE(ratio.low, ratio.value);
        EXPECT_GE(ratio.high, ratio.value);
        outside += ratio.above(1.5) || ratio.below(1.5) ? 1 : 0;
    }
    EXPECT_LE(outside, 10) << "of 1000";
    const RatioInterval few = ratio_of_medians(Times(7, 100), Times(7, 150));
    EXPECT_EQ(few.value, 1.5);
    EXPECT_FALSE(few.known() || few.above(1) || few.below(1));
    EXPECT_TRUE(std::isnan(ratio_of_medians({}, Times(3, 1)).value));
    // All of 8 rounds: the whole range of their ratios.
    const RatioInterval eight =
        ratio_of_medians(Times(8, 100), Times{150, 160, 140, 150, 150, 150, 150, 150});
    EXPECT_DOUBLE_EQ(eight.low, 1.4);
    EXPECT_DOUBLE_EQ(eight.high, 1.6);
}

TEST(BenchStatistics, RanksOfEqualsAreTies) {
    Noise noise(4);
    const auto made = quiet(noise, {200, 100, 100, 300}, 21);
    const auto ranks = ranks_of({made[0], made[1], {}, made[2], made[3]});
    const auto is = [&](std::size_t i, std::size_t first, std::size_t last) {
        EXPECT_EQ(ranks[i].first, first) << i;
        EXPECT_EQ(ranks[i].last, last) << i;
    };
    is(0, 3, 3);
    is(1, 1, 2);
    is(2, 0, 0);
    is(3, 1, 2);
    is(4, 4, 4);
}

TEST(BenchStatistics, ASecondBenchmarkRanksWithinTheTiesOfTheFirst) {
    Noise noise(6);
    int outside = 0;
    for (int i = 0; i < 50; ++i) {
        const auto one = ranks_of(quiet(noise, {100, 101, 104, 130, 131}, 21)),
                   other = ranks_of(quiet(noise, {100, 101, 104, 130, 131}, 21));
        for (std::size_t k = 0; k < one.size(); ++k)
            outside += one[k].last < other[k].first || other[k].last < one[k].first ? 1 : 0;
    }
    EXPECT_EQ(outside, 0);
}

}  // namespace bench_statistics_test
