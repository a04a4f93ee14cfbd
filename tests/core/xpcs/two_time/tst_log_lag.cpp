// Two-time maps by age and ranges of lags, compared with all pairs of frames one by one.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "core/xpcs/correlators/rebin.h"
#include "core/xpcs/two_time/log_lag.h"

namespace ks::tests::log_lag {
namespace {

/// Random values, with frames and single pairs that have none.
std::vector<double> random_map(std::size_t frames, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(1, 2);
    std::vector<double> map(frames * frames);
    for (std::size_t a = 0; a < frames; ++a)
        for (std::size_t b = a; b < frames; ++b) {
            const bool none = a % 11 == 5 || b % 11 == 5 || random() % 7 == 0;
            map[a * frames + b] = map[b * frames + a] = none ? std::nan("") : value(random);
        }
    return map;
}

/// The range of a lag, by its definition.
int range_of(std::size_t lag, std::size_t per_decade) {
    return static_cast<int>(
        std::floor(static_cast<double>(per_decade) * std::log10(static_cast<double>(lag))));
}

struct Sums {
    double value = 0, lag = 0, age = 0;
    std::uint32_t pairs = 0;
};

}  // namespace

TEST(LogLag, cells_are_means_over_their_pairs) {
    for (const std::size_t frames : {1, 2, 23, 60})
        for (const std::size_t per_decade : {1, 4, 10, 1000}) {
            const std::vector<double> map = random_map(frames, static_cast<unsigned>(frames));
            // Every pair, once, into the cell that it belongs to.
            std::map<std::pair<int, std::size_t>, Sums> cells;
            std::map<int, Sums> rows;
            for (std::size_t a = 0; a < frames; ++a)
                for (std::size_t b = a + 1; b < frames; ++b) {
                    const int row = range_of(b - a, per_decade);
                    rows[row];
                    if (std::isnan(map[a * frames + b])) continue;
                    for (Sums* const sums : {&cells[{row, (a + b) / 2}], &rows[row]}) {
                        sums->value += map[a * frames + b];
                        sums->lag += static_cast<double>(b - a);
                        sums->age += static_cast<double>(a + b) / 2;
                        ++sums->pairs;
                    }
                }
            const xpcs::LogLagMap found = xpcs::by_age_and_log_lag(map, frames, per_decade);
            ASSERT_EQ(found.lags.size(), rows.size());
            ASSERT_EQ(found.values.size(), rows.size() * frames);
            ASSERT_EQ(found.counts.size(), rows.size() * frames);
            std::size_t row = 0, lag = 1;
            for (const auto& [place, sums] : rows) {
                EXPECT_EQ(found.lags[row].begin, lag);
                lag = found.lags[row].end;
                EXPECT_EQ(range_of(lag - 1, per_decade), place);
                if (sums.pairs > 0) {
                    EXPECT_NEAR(found.mean_lags[row], sums.lag / sums.pairs, 1e-12);
                }
                const xpcs::MapCut cut = xpcs::log_cut_at_lag(map, frames, found.lags[row]);
                std::size_t next = 0;
                for (std::size_t age = 0; age < frames; ++age) {
                    const auto cell = cells.find({place, age});
                    const std::size_t at = row * frames + age;
                    if (cell == cells.end()) {
                        EXPECT_TRUE(std::isnan(found.values[at])) << row << ' ' << age;
                        EXPECT_EQ(found.counts[at], 0U);
                        continue;
                    }
                    EXPECT_EQ(found.counts[at], cell->second.pairs);
                    EXPECT_NEAR(found.values[at], cell->second.value / cell->second.pairs, 1e-12);
                    ASSERT_LT(next, cut.at.size());
                    EXPECT_NEAR(cut.at[next], cell->second.age / cell->second.pairs, 1e-12);
                    EXPECT_EQ(cut.values[next++], found.values[at]);
                }
                EXPECT_EQ(next, cut.at.size());
                ++row;
            }
            EXPECT_EQ(lag, frames);
        }
}

TEST(LogLag, a_cut_at_an_age_is_the_rebinned_one) {
    const std::size_t frames = 50, per_decade = 5;
    const std::vector<double> map = random_map(frames, 3), turned = xpcs::by_age_and_lag(map, frames);
    const xpcs::Rebinning rebinning{per_decade, frames};
    for (std::size_t age = 0; age < frames; ++age) {
        std::vector<double> column;
        std::vector<std::size_t> pairs;
        for (std::size_t lag = 0; lag < frames; ++lag) {
            column.push_back(turned[lag * frames + age]);
            pairs.push_back(std::isnan(column.back()) ? 0 : 1);
        }
        const std::vector<double> means = rebinning.means(column, pairs), lags = rebinning.mean_delays(pairs);
        const xpcs::MapCut cut = xpcs::log_cut_at_age(map, frames, age, per_decade);
        std::size_t next = 0;
        for (std::size_t point = 1; point < means.size(); ++point) {
            if (std::isnan(means[point])) continue;
            ASSERT_LT(next, cut.at.size());
            EXPECT_NEAR(cut.values[next], means[point], 1e-12);
            EXPECT_NEAR(cut.at[next++], lags[point], 1e-12);
        }
        EXPECT_EQ(next, cut.at.size());
    }
}

TEST(LogLag, the_mean_of_a_row_over_its_pairs_is_the_rebinned_curve) {
    const std::size_t frames = 40;
    const std::vector<double> map = random_map(frames, 8);
    std::vector<double> curve(frames, 0);
    std::vector<std::size_t> pairs(frames, 0);
    for (std::size_t lag = 0; lag < frames; ++lag) {
        for (std::size_t t = 0; t + lag < frames; ++t) {
            if (std::isnan(map[t * frames + t + lag])) continue;
            curve[lag] += map[t * frames + t + lag];
            ++pairs[lag];
        }
        curve[lag] /= static_cast<double>(pairs[lag]);
    }
    const xpcs::Rebinning rebinning{10, frames};
    const std::vector<double> expected = rebinning.means(curve, pairs), lags = rebinning.mean_delays(pairs);
    const xpcs::LogLagMap found = xpcs::by_age_and_log_lag(map, frames, 10);
    ASSERT_EQ(found.lags.size() + 1, expected.size());
    for (std::size_t row = 0; row < found.lags.size(); ++row) {
        double sum = 0, number = 0;
        for (std::size_t age = 0; age < frames; ++age) {
            const std::uint32_t count = found.counts[row * frames + age];
            if (count > 0) sum += count * found.values[row * frames + age];
            number += count;
        }
        if (number > 0) {
            EXPECT_NEAR(sum / number, expected[row + 1], 1e-12);
        }
        EXPECT_NEAR(found.mean_lags[row], lags[row + 1], 1e-12);
    }
}

}  // namespace ks::tests::log_lag
