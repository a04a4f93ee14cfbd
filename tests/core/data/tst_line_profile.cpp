#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/data/profiles/line_profile.h"

using ks::Array;
using ks::line_profile;

namespace {

/// Pixel (row i, column j) holds 10 i + j; the one at row 1, column 2 is invalid.
Array frame() {
    std::vector<std::int32_t> values;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) values.push_back(i == 1 && j == 2 ? -1 : 10 * i + j);
    return Array::of<std::int32_t>({4, 5}, values);
}

TEST(LineProfile, ARowGivesItsPixelsInOrder) {
    const ks::LineProfile row = line_profile(frame(), nullptr, {0.5, 1.5}, {4.5, 1.5});
    ASSERT_EQ(row.value.size(), 5U);
    EXPECT_EQ(row.value[0], 10);
    EXPECT_EQ(row.value[1], 11);
    EXPECT_TRUE(std::isnan(row.value[2]));
    EXPECT_EQ(row.value[4], 14);
    EXPECT_EQ(row.distance, (std::vector<double>{0, 1, 2, 3, 4}));
}

TEST(LineProfile, ADiagonalStepsByAtMostAPixel) {
    const ks::LineProfile line = line_profile(frame(), nullptr, {0.5, 0.5}, {3.5, 3.5});
    for (std::size_t k = 1; k < line.distance.size(); ++k)
        EXPECT_LE(line.distance[k] - line.distance[k - 1], 1.0);
    EXPECT_NEAR(line.distance.back(), std::sqrt(18.0), 1e-12);
    EXPECT_EQ(line.value.back(), 33);
}

TEST(LineProfile, OutsideAndMaskedIsNoNumber) {
    std::vector<std::uint8_t> mask(20, 0);
    mask[1] = 1;
    const ks::LineProfile line = line_profile(frame(), &mask, {-1.5, 0.5}, {1.5, 0.5});
    ASSERT_EQ(line.value.size(), 4U);
    EXPECT_TRUE(std::isnan(line.value[0]));
    EXPECT_TRUE(std::isnan(line.value[1]));
    EXPECT_EQ(line.value[2], 0);
    EXPECT_TRUE(std::isnan(line.value[3]));
    mask.pop_back();
    EXPECT_THROW(line_profile(frame(), &mask, {0, 0}, {1, 1}), ks::Error);
}

}  // namespace
