#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/data/frame_combination.h"

using ks::Array;
using ks::Combination;
using ks::combined;

namespace {

ks::MemoryFrames counts() {
    return {"counts", Array::of<std::int32_t>({3, 1, 4}, std::vector<std::int32_t>{1, 5, -1, 7,  //
                                                                                   2, 4, 3, -2,  //
                                                                                   9, 6, 8, 1})};
}

TEST(Combined, ASumAndAMeanAreUndefinedWhereOneFrameIsInvalid) {
    ks::MemoryFrames source = counts();
    ks::Progress progress;
    const Array sum = combined(source, 0, 3, Combination::sum, progress);
    EXPECT_EQ(sum.shape(), (std::vector<std::size_t>{1, 4}));
    const auto s = sum.as<double>();
    EXPECT_EQ(s[0], 12);
    EXPECT_EQ(s[1], 15);
    EXPECT_TRUE(std::isnan(s[2]));
    EXPECT_TRUE(std::isnan(s[3]));
    const Array mean = combined(source, 1, 2, Combination::mean, progress);
    EXPECT_EQ(mean.as<double>()[0], 5.5);
    EXPECT_EQ(mean.as<double>()[2], 5.5);
    EXPECT_TRUE(std::isnan(mean.as<double>()[3]));
}

TEST(Combined, TheHighestValueOf32BitsIsNoCount) {
    ks::MemoryFrames source(
        "gaps", Array::of<std::uint32_t>(
                    {2, 1, 3}, std::vector<std::uint32_t>{4294967295U, 4294967295U, 3, 4294967295U, 7, 4}));
    ks::Progress progress;
    EXPECT_TRUE(std::isnan(combined(source, 0, 2, Combination::sum, progress).as<double>()[0]));
    EXPECT_EQ(combined(source, 0, 2, Combination::max, progress).to_doubles()[1], 7);
}

TEST(Combined, TheMaximumTakesValidPixelsOnly) {
    ks::MemoryFrames source = counts();
    ks::Progress progress;
    const Array maximum = combined(source, 0, 3, Combination::max, progress);
    EXPECT_EQ(maximum, Array::of<std::int32_t>({1, 4}, std::vector<std::int32_t>{9, 6, 8, 7}));
}

TEST(Combined, FloatsMayBeNegativeButMustBeFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    ks::MemoryFrames source("floats",
                            Array::of<float>({2, 1, 2}, std::vector<float>{-1.5F, nan, 0.5F, 2.0F}));
    ks::Progress progress;
    EXPECT_EQ(combined(source, 0, 2, Combination::sum, progress).as<double>()[0], -1.0);
    EXPECT_TRUE(std::isnan(combined(source, 0, 2, Combination::sum, progress).as<double>()[1]));
    EXPECT_EQ(combined(source, 0, 2, Combination::max, progress).as<float>()[1], 2.0F);
}

TEST(Combined, OneFrameComesAsItIs) {
    ks::MemoryFrames source = counts();
    ks::Progress progress;
    EXPECT_EQ(combined(source, 1, 1, Combination::sum, progress),
              Array::of<std::int32_t>({1, 4}, std::vector<std::int32_t>{2, 4, 3, -2}));
    EXPECT_THROW(combined(source, 1, 3, Combination::sum, progress), ks::Error);
    EXPECT_THROW(combined(source, 0, 0, Combination::sum, progress), ks::Error);
}

}  // namespace
