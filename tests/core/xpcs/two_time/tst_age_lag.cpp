// Two-time maps by age and lag, and cuts of them.

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/progress.h"
#include "core/xpcs/pairs/bin_pairs.h"
#include "core/xpcs/pairs/curves.h"
#include "core/xpcs/two_time/age_lag.h"
#include "core/xpcs/two_time/small_map.h"

namespace ks::tests::age_lag {
namespace {

/// C(t1, t2) = 100 t1 + t2 for t1 <= t2.
std::vector<double> map_of(std::size_t frames) {
    std::vector<double> map;
    for (std::size_t a = 0; a < frames; ++a)
        for (std::size_t b = 0; b < frames; ++b)
            map.push_back(static_cast<double>(100 * std::min(a, b) + std::max(a, b)));
    return map;
}

}  // namespace

TEST(AgeLag, each_pair_is_at_its_age_and_lag_once) {
    const std::vector<double> turned = xpcs::by_age_and_lag(map_of(5), 5);
    const double none = std::nan("");
    const std::vector<double> expected{0,    101,  202, 303,  404,   // lag 0
                                       1,    102,  203, 304,  none,  // lag 1: ages 0.5 to 3.5
                                       none, 2,    103, 204,  none,  // lag 2
                                       none, 3,    104, none, none,  // lag 3
                                       none, none, 4,   none, none};
    ASSERT_EQ(turned.size(), expected.size());
    for (std::size_t i = 0; i < turned.size(); ++i)
        EXPECT_TRUE(turned[i] == expected[i] || (std::isnan(turned[i]) && std::isnan(expected[i]))) << i;
}

TEST(AgeLag, cuts_are_a_row_with_exact_ages_and_a_column) {
    std::vector<double> map = map_of(5);
    const xpcs::MapCut lag = xpcs::cut_at_lag(map, 5, 3);
    EXPECT_EQ(lag.at, (std::vector<double>{1.5, 2.5}));
    EXPECT_EQ(lag.values, (std::vector<double>{3, 104}));
    const xpcs::MapCut age = xpcs::cut_at_age(map, 5, 1);
    EXPECT_EQ(age.at, (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(age.values, (std::vector<double>{101, 102, 2, 3}));
    EXPECT_EQ(xpcs::cut_at_age(map, 5, 4).values, std::vector<double>{404});
    // A frame that is left out is in no cut.
    for (std::size_t t = 0; t < 5; ++t) map[t * 5 + 2] = map[2 * 5 + t] = std::nan("");
    EXPECT_EQ(xpcs::cut_at_age(map, 5, 1).at, (std::vector<double>{0, 3}));
}

TEST(SmallMap, cells_are_means_of_the_pairs_in_them) {
    const std::vector<std::uint16_t> counts{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    Progress progress;
    const xpcs::BinPairs pairs(xpcs::BinCounts<std::uint16_t>{counts.data(), 6, 2, 2}, 6, 9, 1, progress);
    const std::vector<bool> used{true, true, true, true, false, true};
    const std::vector<double> whole = xpcs::two_time_of(pairs, used),
                              same = xpcs::small_two_time_of(pairs, used, 6),
                              small = xpcs::small_two_time_of(pairs, used, 3);
    for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = 0; b < 6; ++b) {
            const double expected = a == b ? std::nan("") : whole[a * 6 + b], found = same[a * 6 + b];
            EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << a << ' ' << b;
        }
    EXPECT_EQ(small[0], whole[1]);  // frames 0 and 1
    EXPECT_DOUBLE_EQ(small[1], (whole[2] + whole[3] + whole[6 + 2] + whole[6 + 3]) / 4);
    EXPECT_EQ(small[3], small[1]);
    EXPECT_DOUBLE_EQ(small[2], (whole[5] + whole[6 + 5]) / 2);  // without frame 4
    EXPECT_TRUE(std::isnan(small[8]));
}

}  // namespace ks::tests::age_lag
