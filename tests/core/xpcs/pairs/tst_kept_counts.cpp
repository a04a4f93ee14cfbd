// Counts of frames from the sums that a run kept.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/xpcs/pairs/kept_pairs.h"

namespace ks::tests::kept_counts {

TEST(KeptCounts, are_sums_per_pixel_of_the_frames_that_were_used) {
    Result result;
    EXPECT_TRUE(xpcs::kept_counts(result, 0).empty());
    const auto add = [&](const char* name, Array values) {
        result.datasets.push_back({name, "", "", DataKind::overlay, std::move(values), {"", ""}});
    };
    add("pair_sums",
        Array::of<std::uint64_t>({3, 3}, std::vector<std::uint64_t>{8, 0, 4, 0, 0, 0, 9, 0, 30}));
    add("pair_pixels", Array::of<std::int64_t>({3}, std::vector<std::int64_t>{4, 0, 3}));
    add("pair_used", Array::of<std::uint8_t>({3}, std::vector<std::uint8_t>{1, 0, 1}));
    const std::vector<double> first = xpcs::kept_counts(result, 0), last = xpcs::kept_counts(result, 2);
    ASSERT_EQ(first.size(), 3U);
    EXPECT_EQ(first[0], 2);
    EXPECT_TRUE(std::isnan(first[1]));
    EXPECT_EQ(first[2], 1);
    ASSERT_EQ(last.size(), 3U);
    EXPECT_EQ(last[0], 3);
    EXPECT_EQ(last[2], 10);
    EXPECT_TRUE(xpcs::kept_counts(result, 1).empty());  // without pixels
    EXPECT_TRUE(xpcs::kept_counts(result, 3).empty());
    result.datasets[0].values = Array::of<std::uint64_t>({2}, std::vector<std::uint64_t>{1, 2});
    EXPECT_TRUE(xpcs::kept_counts(result, 0).empty());
}

}  // namespace ks::tests::kept_counts
