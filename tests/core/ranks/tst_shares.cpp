// How the units of a run are cut into shares, and threads of a node among its ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/ranks/processors.h"
#include "core/ranks/rank_part.h"

namespace ks::tests {
namespace {

TEST(Shares, every_unit_is_in_one_share_in_order_whatever_the_work) {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        std::vector<double> work(random() % 40);
        for (double& one : work) one = random() % 4 == 0 ? 0 : static_cast<double>(random() % 1000);
        const std::size_t count = 1 + random() % 12;
        const auto shares = even_shares(work, count);
        ASSERT_EQ(shares.size(), count);
        std::size_t at = 0;
        for (const Share& share : shares) {
            EXPECT_EQ(share.first, at);
            EXPECT_GE(share.end, share.first);
            at = share.end;
        }
        EXPECT_EQ(at, work.size());
        EXPECT_EQ(shares[0].is_empty(), work.empty());
    }
}

TEST(Shares, no_share_is_farther_from_even_than_the_largest_unit) {
    std::mt19937 random(8);
    for (int round = 0; round < 500; ++round) {
        std::vector<double> work(1 + random() % 60);
        for (double& one : work) one = 1 + static_cast<double>(random() % 1000);
        const std::size_t count = 1 + random() % 9;
        double all = 0;
        for (const double one : work) all += one;
        const double largest = *std::ranges::max_element(work) / all;
        for (const Share& share : even_shares(work, count)) {
            double sum = 0;
            for (std::size_t i = share.first; i < share.end; ++i) sum += work[i];
            EXPECT_NEAR(share.work, sum / all, 1e-12);
            EXPECT_LE(std::abs(share.work - 1.0 / static_cast<double>(count)), largest + 1e-12);
        }
    }
}

TEST(Shares, of_fewer_units_than_ranks_some_have_none) {
    const std::vector<double> work{1, 1, 1};
    std::size_t with_work = 0;
    for (const Share& share : even_shares(work, 8)) {
        EXPECT_LE(share.end - share.first, 1U);
        with_work += share.is_empty() ? 0 : 1;
    }
    EXPECT_EQ(with_work, 3U);
}

TEST(Shares, equal_units_are_cut_evenly) {
    const std::vector<double> work(12, 2.5);
    for (const Share& share : even_shares(work, 4)) {
        EXPECT_EQ(share.end - share.first, 3U);
        EXPECT_DOUBLE_EQ(share.work, 0.25);
    }
}

std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t end) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = first; i < end; ++i) all.push_back(i);
    return all;
}

TEST(FairThreads, ranks_that_may_use_the_same_processors_share_them) {
    const std::vector<RankProcessors> all(4, {"a", numbers(0, 16)});
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(fair_threads(all, i), 4U);
}

TEST(FairThreads, a_rank_that_is_bound_to_its_own_keeps_them) {
    const std::vector<RankProcessors> all{{"a", numbers(0, 3)}, {"a", numbers(3, 8)}, {"b", numbers(0, 8)}};
    EXPECT_EQ(fair_threads(all, 0), 3U);
    EXPECT_EQ(fair_threads(all, 1), 5U);
    EXPECT_EQ(fair_threads(all, 2), 8U);
}

TEST(FairThreads, more_ranks_than_processors_have_a_thread_each) {
    const std::vector<RankProcessors> all(5, {"a", numbers(0, 2)});
    EXPECT_EQ(fair_threads(all, 4), 1U);
}

}  // namespace
}  // namespace ks::tests
