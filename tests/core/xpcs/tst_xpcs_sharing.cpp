#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/xpcs/analysis.h"
#include "tests/core/xpcs/oracle.h"

namespace ks::tests::xpcs_sharing {
namespace {

using xpcs::CorrelationProblem;

/// @param labels [y][x], of 12 x 15 pixels
std::shared_ptr<const CorrelationProblem> problem(std::size_t frames, const std::vector<std::int32_t>& labels,
                                                  std::size_t two_time_bin = 0) {
    Case<std::uint8_t> made{frames, 12, 15, {}, labels};
    made.two_time_bin = two_time_bin;
    std::mt19937 random(4);
    std::poisson_distribution<int> counts(2);
    made.counts.resize(frames * labels.size());
    for (std::uint8_t& count : made.counts) count = static_cast<std::uint8_t>(counts(random));
    return made.problem();
}

const std::vector<std::int32_t> one_bin(180, 1);

/// The first of them two thirds of the pixels.
std::vector<std::int32_t> three_bins() {
    std::vector<std::int32_t> labels(180, 1);
    for (std::size_t i = 120; i < 180; ++i) labels[i] = i < 150 ? 3 : 4;
    return labels;
}

/// Pairs of frames whose product some part takes, by bin of the whole: each once.
std::size_t pairs_of_parts(const std::shared_ptr<const CorrelationProblem>& whole) {
    const ShareUnits units = xpcs::units_of(*whole);
    std::size_t sum = 0;
    for (std::size_t unit = 0; unit < units.count; ++unit) {
        const auto part =
            std::dynamic_pointer_cast<const CorrelationProblem>(xpcs::part_of(whole, unit, unit + 1));
        for (std::size_t bin = 0; bin < part->partition().bins(); ++bin) {
            const auto [begin, end] = part->delays_of(bin);
            for (std::size_t delay = begin; delay < end; ++delay)
                sum += (whole->frames() - delay) * part->partition().bin_size(bin);
        }
    }
    return sum;
}

TEST(XpcsSharing, one_bin_is_cut_into_ranges_of_delays_of_nearly_even_work) {
    const auto whole = problem(2000, one_bin);
    const ShareUnits units = xpcs::units_of(*whole);
    ASSERT_GE(units.count, 16U);
    const double all = std::accumulate(units.work.begin(), units.work.end(), 0.0);
    EXPECT_DOUBLE_EQ(all, 180.0 * 2000 * 2001 / 2);
    for (const double work : units.work) EXPECT_LT(work, all / 12);
    for (std::size_t unit = 0; unit + 1 < units.count; ++unit) {
        const auto part =
            std::dynamic_pointer_cast<const CorrelationProblem>(xpcs::part_of(whole, unit, unit + 1));
        EXPECT_TRUE(part->is_part());
        EXPECT_EQ(part->delays_of(0).end % 64, 0U) << "ranges end where tiles do";
    }
}

TEST(XpcsSharing, parts_take_each_product_once) {
    EXPECT_EQ(pairs_of_parts(problem(500, one_bin)), 180U * 500 * 501 / 2);
    EXPECT_EQ(pairs_of_parts(problem(500, three_bins())), 180U * 500 * 501 / 2);
    EXPECT_EQ(pairs_of_parts(problem(40, three_bins())), 180U * 40 * 41 / 2);
}

TEST(XpcsSharing, bins_that_are_little_work_stay_whole) {
    std::vector<std::int32_t> labels(180);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i / 12 + 1);
    EXPECT_EQ(xpcs::units_of(*problem(700, labels)).count, 15U);
}

TEST(XpcsSharing, a_bin_whose_two_time_map_is_wanted_stays_whole) {
    EXPECT_EQ(xpcs::units_of(*problem(500, one_bin, 1)).count, 1U);
    EXPECT_GT(xpcs::units_of(*problem(500, three_bins(), 4)).count, 3U);
    const auto whole = problem(500, three_bins(), 1);
    const auto first = std::dynamic_pointer_cast<const CorrelationProblem>(xpcs::part_of(whole, 0, 1));
    EXPECT_EQ(first->two_time_bin(), 1U);
    EXPECT_EQ(first->delays_of(0), (xpcs::DelayRange{0, 500}));
}

TEST(XpcsSharing, a_part_knows_the_delays_of_its_first_and_its_last_bin) {
    const auto whole = problem(500, three_bins());
    const auto part = whole->part(0, 4, 128, 64);
    EXPECT_EQ(part->delays_of(0), (xpcs::DelayRange{128, 500}));
    EXPECT_EQ(part->delays_of(1), (xpcs::DelayRange{0, 500}));
    EXPECT_EQ(part->delays_of(3), (xpcs::DelayRange{0, 64}));
    EXPECT_EQ(part->delays_of_any(), (xpcs::DelayRange{0, 500}));
    EXPECT_EQ(whole->part(2, 3, 64, 128)->delays_of_any(), (xpcs::DelayRange{64, 128}));
    EXPECT_FALSE(whole->is_part());
    EXPECT_FALSE(whole->part(0, 4)->is_part());
}

}  // namespace
}  // namespace ks::tests::xpcs_sharing
