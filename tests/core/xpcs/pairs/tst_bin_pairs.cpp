// Sums of all pairs of frames: equal to those of plain loops to the bit, also for shorter series.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/xpcs/pairs/bin_pairs.h"

namespace ks::tests::bin_pairs {
namespace {

using xpcs::BinPairs;

/// Counts [frame][pixel].
template <class T>
struct Counts {
    std::size_t frames, pixels;
    std::vector<T> values;

    BinPairs pairs(double largest, std::size_t delays = 1000000, unsigned threads = 2) const {
        Progress progress;
        return BinPairs(xpcs::BinCounts<T>{values.data(), frames, pixels, pixels}, delays, largest, threads,
                        progress);
    }
};

template <class T>
Counts<T> random_counts(std::size_t frames, std::size_t pixels, double largest, unsigned seed = 1) {
    Counts<T> made{frames, pixels, {}};
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < frames * pixels; ++i)
        made.values.push_back(
            static_cast<T>(std::floor(largest * static_cast<double>(random() % 1001) / 1000)));
    return made;
}

template <class T>
void expect_sums(const Counts<T>& counts, const BinPairs& pairs) {
    using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, long double>;
    ASSERT_EQ(pairs.frames(), counts.frames);
    for (std::size_t t = 0; t < counts.frames; ++t) {
        Sum sum = 0;
        for (std::size_t i = 0; i < counts.pixels; ++i) sum += counts.values[t * counts.pixels + i];
        EXPECT_EQ(pairs.sum(t), static_cast<double>(sum)) << t;
        for (std::size_t delay = 0; delay < std::min(pairs.delays(), counts.frames - t); ++delay) {
            Sum product = 0;
            for (std::size_t i = 0; i < counts.pixels; ++i)
                product += static_cast<Sum>(counts.values[t * counts.pixels + i]) *
                           static_cast<Sum>(counts.values[(t + delay) * counts.pixels + i]);
            const auto expected = static_cast<double>(product);
            if constexpr (std::is_integral_v<T>)
                EXPECT_EQ(pairs.product(t, delay), expected) << t << ", " << delay;
            else
                EXPECT_NEAR(pairs.product(t, delay), expected, 1e-12 * std::abs(expected) + 1e-12);
        }
    }
}

TEST(BinPairs, every_sum_is_that_of_plain_loops) {
    for (const std::size_t frames : {1, 2, 7, 8, 9, 37})
        for (const std::size_t pixels : {1, 3, 64, 200}) {
            const auto counts = random_counts<std::uint16_t>(frames, pixels, 90);
            expect_sums(counts, counts.pairs(90));
        }
    // above what products of 16 bits hold, and above 32 bits
    const auto large = random_counts<std::uint16_t>(20, 300, 65535);
    expect_sums(large, large.pairs(65535));
    const auto larger = random_counts<std::uint32_t>(12, 50, 4.0e9);
    EXPECT_TRUE(std::holds_alternative<std::vector<std::uint64_t>>(larger.pairs(4.0e9).products()));
    // each product fits 64 bits, as does their sum over 50 pixels only if counts are below 6e8
    const auto fits = random_counts<std::uint32_t>(12, 50, 5.0e8);
    expect_sums(fits, fits.pairs(5.0e8));
    auto reals = random_counts<float>(15, 77, 40);
    for (float& value : reals.values) value = value * 0.37F - 3;
    expect_sums(reals, reals.pairs(100));
}

TEST(BinPairs, products_take_32_bits_where_all_fit) {
    const auto counts = random_counts<std::uint16_t>(9, 100, 200);
    EXPECT_TRUE(std::holds_alternative<std::vector<std::uint32_t>>(counts.pairs(200).products()));
    // A pixel with the highest count: 65535^2 fits 32 bits, twice that does not.
    Counts<std::uint16_t> edge{2, 2, {65535, 0, 65535, 0}};
    EXPECT_TRUE(std::holds_alternative<std::vector<std::uint32_t>>(edge.pairs(65535).products()));
    edge.values = {65535, 65535, 65535, 65535};
    EXPECT_TRUE(std::holds_alternative<std::vector<std::uint64_t>>(edge.pairs(65535).products()));
    expect_sums(edge, edge.pairs(65535));
}

TEST(BinPairs, pieces_of_16_bit_products_do_not_overflow) {
    // 2047^2 x 512 is just below 2^31, so a bin of many pixels takes many pieces.
    for (const std::uint16_t count : {std::uint16_t{2047}, std::uint16_t{255}, std::uint16_t{2896}}) {
        Counts<std::uint16_t> full{3, 70000, std::vector<std::uint16_t>(3 * 70000, count)};
        const BinPairs pairs = full.pairs(count);
        EXPECT_EQ(pairs.product(0, 2), 70000.0 * count * count);
    }
}

TEST(BinPairs, fewer_delays_keep_the_same_sums_in_less_memory) {
    const auto counts = random_counts<std::uint16_t>(30, 40, 500);
    for (const std::size_t delays : {1, 2, 11, 29, 30}) {
        const BinPairs pairs = counts.pairs(500, delays);
        EXPECT_EQ(pairs.delays(), delays);
        expect_sums(counts, pairs);
        std::size_t expected = 0;
        for (std::size_t t = 0; t < 30; ++t) expected += std::min(delays, 30 - t);
        EXPECT_EQ(std::get<std::vector<std::uint32_t>>(pairs.products()).size(), expected);
    }
}

TEST(BinPairs, threads_change_no_bit) {
    auto reals = random_counts<float>(33, 500, 40);
    for (float& value : reals.values) value = value * 0.37F - 3;
    EXPECT_EQ(reals.pairs(100, 1000, 1).products(), reals.pairs(100, 1000, 4).products());
}

TEST(BinPairs, a_reduced_series_has_the_sums_of_its_frames_to_the_bit) {
    const auto counts = random_counts<std::uint16_t>(41, 30, 700);
    const BinPairs whole = counts.pairs(700);
    for (const std::size_t stride : {1, 2, 5, 40})
        for (const std::size_t average : {1, 2, 3, 8}) {
            Counts<std::uint32_t> reduced{0, 30, {}};
            std::vector<std::size_t> taken;
            for (std::size_t t = 0; t < 41; t += stride) taken.push_back(t);
            for (std::size_t first = 0; first + average <= taken.size(); first += average, ++reduced.frames)
                for (std::size_t i = 0; i < 30; ++i) {
                    std::uint32_t sum = 0;
                    for (std::size_t k = 0; k < average; ++k) sum += counts.values[taken[first + k] * 30 + i];
                    reduced.values.push_back(sum);
                }
            if (reduced.frames == 0) {
                EXPECT_THROW(whole.reduced(stride, average), Error);
                continue;
            }
            const BinPairs found = whole.reduced(stride, average);
            EXPECT_EQ(found.delays(), reduced.frames);
            expect_sums(reduced, found);
        }
}

TEST(BinPairs, a_reduced_series_has_only_delays_whose_pairs_are_all_kept) {
    const auto counts = random_counts<std::uint16_t>(40, 10, 9);
    // Sums of 3 frames at a delay of 2 sums are made of pairs up to a delay of 8 frames.
    EXPECT_EQ(counts.pairs(9, 9).reduced(1, 3).delays(), 3U);
    EXPECT_EQ(counts.pairs(9, 8).reduced(1, 3).delays(), 2U);
    EXPECT_THROW(counts.pairs(9, 2).reduced(1, 3), Error);
    const BinPairs few = counts.pairs(9, 9).reduced(1, 3), all = counts.pairs(9).reduced(1, 3);
    for (std::size_t t = 0; t < few.frames(); ++t)
        for (std::size_t delay = 0; delay < std::min<std::size_t>(3, few.frames() - t); ++delay)
            EXPECT_EQ(few.product(t, delay), all.product(t, delay));
}

TEST(BinPairs, a_part_in_time_and_the_rest_of_the_pixels_are_those_of_their_counts) {
    const auto counts = random_counts<std::uint16_t>(25, 60, 300);
    Counts<std::uint16_t> later{12, 60, {counts.values.begin() + 8 * 60, counts.values.begin() + 20 * 60}};
    expect_sums(later, counts.pairs(300).part(8, 20));
    expect_sums(later, counts.pairs(300, 5).part(8, 20));
    EXPECT_THROW(counts.pairs(300).part(8, 26), Error);
    EXPECT_THROW(counts.pairs(300).part(8, 8), Error);
    Counts<std::uint16_t> first{25, 20, {}}, rest{25, 40, {}};
    for (std::size_t i = 0; i < counts.values.size(); ++i)
        (i % 60 < 20 ? first : rest).values.push_back(counts.values[i]);
    const BinPairs without = counts.pairs(300).without(first.pairs(300));
    EXPECT_EQ(without.pixels(), 40U);
    expect_sums(rest, without);
}

TEST(BinPairs, stored_sums_of_another_shape_are_refused) {
    const std::vector<std::uint32_t> products(6, 1);
    const std::vector<std::uint64_t> sums(3, 1);
    EXPECT_NO_THROW(BinPairs(5, 3, 3, products, sums));
    EXPECT_THROW(BinPairs(5, 3, 2, products, sums), Error);
    EXPECT_THROW(BinPairs(5, 4, 3, products, sums), Error);
    EXPECT_THROW(BinPairs(5, 3, 0, products, sums), Error);
    EXPECT_THROW(BinPairs(5, 3, 4, products, sums), Error);
    EXPECT_THROW(BinPairs(5, 3, 3, products, std::vector<double>(3, 1)), Error);
    EXPECT_THROW(BinPairs(5, 3, 3, std::vector<double>(6, 1), sums), Error);
}

TEST(BinPairs, sums_of_frames_that_could_exceed_64_bits_are_refused) {
    const Counts<std::uint32_t> bright{4, 1, {3000000000, 1, 1, 1}};
    EXPECT_NO_THROW(bright.pairs(3e9));
    EXPECT_THROW(bright.pairs(3e9).reduced(1, 2), Error);
}

}  // namespace
}  // namespace ks::tests::bin_pairs
