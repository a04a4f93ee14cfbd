#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/regions/region_fill.h"

namespace region_fill_test {

using ks::Array;
using ks::PixelRegion;

namespace {

using Bitmap = std::vector<std::uint8_t>;

constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t uniform(std::mt19937& random, std::size_t minimum, std::size_t maximum) {
    return std::uniform_int_distribution<std::size_t>(minimum, maximum)(random);
}

Bitmap bitmap_of(const PixelRegion& region) {
    Bitmap bits(region.height() * region.width());
    for (const ks::PixelSpan& span : region.spans())
        for (std::size_t x = span.first; x < span.end; ++x) bits[span.y * region.width() + x] = 1;
    return bits;
}

template <class T>
class RegionFillOf : public testing::Test {};
using Elements = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::int16_t,
                                std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(RegionFillOf, Elements);

/// Noise around `level` with a few values of its own far above, as T holds it.
template <class T>
std::vector<T> noise(std::mt19937& random, std::size_t n, double level) {
    std::poisson_distribution<int> counts(level);
    std::vector<T> values(n);
    for (T& value : values) {
        value = static_cast<T>(std::min(250, counts(random)));
        if (uniform(random, 0, 30) == 0) value = static_cast<T>(uniform(random, 0, 250));
        if constexpr (std::is_floating_point_v<T>) {
            const std::size_t kind = uniform(random, 0, 60);
            if (kind == 0)
                value = std::numeric_limits<T>::quiet_NaN();
            else if (kind == 1)
                value = std::numeric_limits<T>::infinity() * (uniform(random, 0, 1) ? 1 : -1);
            else if (kind < 30)
                value += static_cast<T>(0.37);
        }
        if constexpr (std::is_signed_v<T>)
            if (uniform(random, 0, 25) == 0) value = -value;
    }
    return values;
}

template <class T>
bool finite(T value) {
    return std::isfinite(static_cast<double>(value));
}

TYPED_TEST(RegionFillOf, ValuesInTheRangeAreChosen) {
    std::mt19937 random(1);
    const std::vector<TypeParam> values = noise<TypeParam>(random, 40 * 61, 20);
    const Array frame = Array::of({40, 61}, values);
    for (const auto& [low, high] : std::vector<std::pair<double, double>>{{15, 25},
                                                                          {15.5, 25.5},
                                                                          {20, 20},
                                                                          {-infinite, infinite},
                                                                          {-3, infinite},
                                                                          {21, 19},
                                                                          {20.37, 20.37},
                                                                          {1e300, infinite},
                                                                          {-infinite, -1e300},
                                                                          {-infinite, 12.5},
                                                                          {19.9, 19.95},
                                                                          {-1e300, 1e300},
                                                                          {255, 1e9},
                                                                          {std::nan(""), 30},
                                                                          {10, std::nan("")}}) {
        Bitmap expected(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            expected[i] = finite(values[i]) && static_cast<double>(values[i]) >= low &&
                          static_cast<double>(values[i]) <= high;
        EXPECT_EQ(bitmap_of(ks::value_region(frame, low, high)), expected) << low << " to " << high;
    }
}

TYPED_TEST(RegionFillOf, TheLargestAndSmallestValuesAreInTheRangeOfAllValues) {
    using Limits = std::numeric_limits<TypeParam>;
    const Array frame = Array::of({1, 2}, std::vector<TypeParam>{Limits::lowest(), Limits::max()});
    EXPECT_EQ(ks::value_region(frame, -infinite, infinite).pixels(), 2U);
    EXPECT_EQ(ks::value_region(frame, static_cast<double>(Limits::lowest()), 0).pixels(), 1U);
    EXPECT_EQ(ks::value_region(frame, 1, infinite).pixels(), 1U);
    EXPECT_EQ(ks::value_region(frame, 2 * static_cast<double>(Limits::max()), infinite).pixels(), 0U);
}

TYPED_TEST(RegionFillOf, AFloodHoldsWhatCanBeReachedOverSides) {
    std::mt19937 random(2);
    for (int round = 0; round < 60; ++round) {
        const std::size_t height = uniform(random, 1, 30), width = uniform(random, 1, 40);
        const std::vector<TypeParam> values = noise<TypeParam>(random, height * width, 3);
        const std::size_t x = uniform(random, 0, width - 1), y = uniform(random, 0, height - 1);
        const double low = 1.5, high = static_cast<double>(uniform(random, 2, 6));
        const auto open = [&](std::size_t i) {
            return static_cast<double>(values[i]) >= low && static_cast<double>(values[i]) <= high;
        };
        // Pixels that touch a reached one are reached, until none is added.
        Bitmap reached(values.size());
        reached[y * width + x] = open(y * width + x);
        for (bool more = true; more;) {
            more = false;
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (reached[i] || !open(i)) continue;
                reached[i] = (i % width > 0 && reached[i - 1]) || (i % width + 1 < width && reached[i + 1]) ||
                             (i >= width && reached[i - width]) ||
                             (i + width < values.size() && reached[i + width]);
                more = more || reached[i];
            }
        }
        ASSERT_EQ(bitmap_of(ks::flood_region(Array::of({height, width}, values), x, y, low, high)), reached);
    }
}

TEST(RegionFill, AFloodFollowsALongSpiral) {
    // One path of ones that winds inwards, walls of zeros between its turns
    constexpr std::size_t n = 401;
    std::vector<std::uint16_t> values(n * n);
    std::size_t left = 0, top = 0, right = n - 1, bottom = n - 1, path = 0;
    const auto draw = [&](std::size_t x, std::size_t y) {
        path += values[y * n + x] == 0;
        values[y * n + x] = 1;
    };
    while (left + 2 < right) {
        for (std::size_t x = left - std::min<std::size_t>(left, 2); x <= right; ++x) draw(x, top);
        for (std::size_t y = top; y <= bottom; ++y) draw(right, y);
        for (std::size_t x = left; x <= right; ++x) draw(x, bottom);
        for (std::size_t y = top + 2; y <= bottom; ++y) draw(left, y);
        left += 2, top += 2, right -= 2, bottom -= 2;
    }
    const Array frame = Array::of({n, n}, values);
    EXPECT_EQ(ks::flood_region(frame, 0, 0, 1, 1).pixels(), path);
    EXPECT_GT(path, n * n / 3);
}

TEST(RegionFill, AFloodFromOutsideOrFromAPixelOutOfRangeIsEmpty) {
    const Array frame = Array::of({2, 3}, std::vector<float>{1, 1, 1, 1, std::nanf(""), 9});
    EXPECT_TRUE(ks::flood_region(frame, 3, 0, -infinite, infinite).empty());
    EXPECT_TRUE(ks::flood_region(frame, 0, 2, -infinite, infinite).empty());
    EXPECT_TRUE(ks::flood_region(frame, 1, 1, -infinite, infinite).empty());
    EXPECT_TRUE(ks::flood_region(frame, 2, 1, 0, 5).empty());
    EXPECT_EQ(ks::flood_region(frame, 2, 0, 0, 5).pixels(), 4U);
}

TEST(RegionFill, AFloodDoesNotPassCorners) {
    const Array frame = Array::of({2, 2}, std::vector<std::uint8_t>{1, 0, 0, 1});
    EXPECT_EQ(ks::flood_region(frame, 0, 0, 1, 1).pixels(), 1U);
}

double middle_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

/// The definition, pixel by pixel.
template <class T>
Bitmap hot_pixels(const std::vector<T>& values, std::size_t width, double sigma, const Bitmap& ignore) {
    Bitmap hot(values.size());
    constexpr bool whole = std::is_integral_v<T>;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!ignore.empty() && ignore[i]) continue;
        const double value = static_cast<double>(values[i]);
        hot[i] = !std::isfinite(value);
        if (hot[i] || (whole && value < 0)) continue;
        std::vector<double> around;
        for (std::size_t j = 0; j < values.size(); ++j) {
            const auto distance = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
            if (j == i || distance(i / width, j / width) > 2 || distance(i % width, j % width) > 2) continue;
            const double other = static_cast<double>(values[j]);
            if ((ignore.empty() || !ignore[j]) && std::isfinite(other) && !(whole && other < 0))
                around.push_back(other);
        }
        if (around.size() < 3) continue;
        const double median = middle_of(around);
        for (double& other : around) other = std::abs(other - median);
        double noise = std::max(std::sqrt(std::max(0.0, median)), 1.4826 * middle_of(around));
        if (whole) noise = std::max(noise, 1.0);
        hot[i] = value > median + sigma * noise;
    }
    return hot;
}

TYPED_TEST(RegionFillOf, HotPixelsAreThoseOfTheDefinition) {
    std::mt19937 random(3);
    std::size_t found = 0;
    for (int round = 0; round < 40; ++round) {
        const std::size_t height = uniform(random, 1, 24), width = uniform(random, 1, 28);
        const double level = std::vector<double>{0.05, 1, 4, 60}[static_cast<std::size_t>(round % 4)];
        const std::vector<TypeParam> values = noise<TypeParam>(random, height * width, level);
        Bitmap ignore;
        if (round % 3 == 1) {
            const double share = std::uniform_real_distribution<>(0, 1)(random);
            for (std::size_t i = 0; i < values.size(); ++i)
                ignore.push_back(std::bernoulli_distribution(share)(random));
        }
        const Array frame = Array::of({height, width}, values);
        for (const double sigma : {0.0, 1.0, 3.0, 5.5, 1000.0}) {
            const Bitmap expected = hot_pixels(values, width, sigma, ignore);
            ASSERT_EQ(bitmap_of(ks::hot_region(frame, sigma, ignore.empty() ? nullptr : &ignore)), expected)
                << height << " x " << width << " pixels, sigma " << sigma << ", level " << level;
            found += static_cast<std::size_t>(std::count(expected.begin(), expected.end(), 1));
        }
    }
    EXPECT_GT(found, 100U);
}

TEST(RegionFill, HotPixelsAreFoundWhereTheRowsOfTwoThreadsMeet) {
    std::mt19937 random(4);
    constexpr std::size_t height = 330, width = 12;
    std::vector<std::uint16_t> values = noise<std::uint16_t>(random, height * width, 30);
    const Bitmap expected = hot_pixels(values, width, 5, {});
    EXPECT_EQ(bitmap_of(ks::hot_region(Array::of({height, width}, values), 5)), expected);
    EXPECT_GT(std::count(expected.begin(), expected.end(), 1), 10);
}

TEST(RegionFill, AFlatFrameHasOnlyTheHotPixelThatWasSet) {
    std::vector<std::uint16_t> values(20 * 20, 100);
    values[7 * 20 + 11] = 151;  // the noise is 10, the root of 100
    const Array frame = Array::of({20, 20}, values);
    EXPECT_EQ(ks::hot_region(frame, 5).spans(), (std::vector<ks::PixelSpan>{{7, 11, 12}}));
    EXPECT_TRUE(ks::hot_region(frame, 5.1).empty()) << "151 is no more than 100 + 51";
}

TEST(RegionFill, APixelWithFewerThanThreeValidNeighboursIsNotHotUnlessItIsNotFinite) {
    std::vector<float> values{1e6F, 1, 1};
    EXPECT_TRUE(ks::hot_region(Array::of({1, 3}, values), 5).empty());
    EXPECT_EQ(ks::hot_region(Array::of({1, 4}, std::vector<float>{1e6F, 1, 1, 1}), 5).pixels(), 0U)
        << "the fourth is out of reach";
    EXPECT_EQ(ks::hot_region(Array::of({2, 2}, std::vector<float>{1e6F, 1, 1, 1}), 5).pixels(), 1U);
    values[1] = std::nanf("");
    EXPECT_EQ(ks::hot_region(Array::of({1, 3}, values), 5).spans(), (std::vector<ks::PixelSpan>{{0, 1, 2}}));
}

TEST(RegionFill, WhatMakesNoSenseIsRefused) {
    const Array frame = Array::of({2, 3}, std::vector<float>(6)),
                stack = Array::of({1, 2, 3}, std::vector<float>(6));
    EXPECT_THROW(ks::value_region(stack, 0, 1), ks::Error);
    EXPECT_THROW(ks::flood_region(stack, 0, 0, 0, 1), ks::Error);
    EXPECT_THROW(ks::hot_region(stack, 5), ks::Error);
    EXPECT_THROW(ks::hot_region(frame, -1), ks::Error);
    EXPECT_THROW(ks::hot_region(frame, std::nan("")), ks::Error);
    const Bitmap small(5);
    EXPECT_THROW(ks::hot_region(frame, 5, &small), ks::Error);
}

TEST(RegionFill, AFrameWithoutPixelsHasEmptyRegions) {
    const Array frame = Array::of({0, 3}, std::vector<std::uint8_t>{});
    EXPECT_TRUE(ks::value_region(frame, 0, 1).empty());
    EXPECT_TRUE(ks::flood_region(frame, 0, 0, 0, 1).empty());
    EXPECT_TRUE(ks::hot_region(frame, 5).empty());
}

Bitmap random_bitmap(std::mt19937& random, std::size_t n) {
    // mostly sparse or mostly full: both growing and shrinking leave something then
    const double sparse = std::pow(std::uniform_real_distribution<>(0, 1)(random), 3);
    const double share = std::bernoulli_distribution()(random) ? sparse : 1 - sparse;
    Bitmap bits(n);
    for (auto& bit : bits) bit = std::bernoulli_distribution(share)(random);
    return bits;
}

/// Whether a pixel with this value lies within `reach` columns and rows of (x, y).
bool any_near(const Bitmap& bits, std::size_t width, std::size_t i, std::size_t reach, std::uint8_t value) {
    for (std::size_t j = 0; j < bits.size(); ++j) {
        const auto distance = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
        if (bits[j] == value && distance(i / width, j / width) <= reach &&
            distance(i % width, j % width) <= reach)
            return true;
    }
    return false;
}

TEST(RegionMorphology, GrownHoldsWhatIsNearAndShrunkWhatIsFarFromTheRest) {
    std::mt19937 random(5);
    for (int round = 0; round < 150; ++round) {
        const std::size_t height = uniform(random, 1, 20), width = uniform(random, 1, 25);
        const std::size_t reach = round % 10 == 0 ? 1000 : uniform(random, 0, 9);
        const Bitmap bits = random_bitmap(random, height * width);
        Bitmap near(bits.size()), far(bits.size());
        for (std::size_t i = 0; i < bits.size(); ++i) {
            near[i] = any_near(bits, width, i, reach, 1);
            far[i] = !any_near(bits, width, i, reach, 0);
        }
        const PixelRegion region = PixelRegion::of_mask(height, width, bits);
        ASSERT_EQ(bitmap_of(ks::grown(region, reach)), near) << reach;
        ASSERT_EQ(bitmap_of(ks::shrunk(region, reach)), far) << reach;
    }
}

TEST(RegionMorphology, TheBorderDoesNotEatIntoARegion) {
    const PixelRegion all = PixelRegion(30, 20).inverted();
    EXPECT_EQ(ks::shrunk(all, 7), all);
    EXPECT_EQ(ks::shrunk(PixelRegion(30, 20, {{0, 0, 20}, {1, 0, 20}, {2, 0, 20}}), 2).pixels(), 20U);
}

TEST(RegionMorphology, GrowingByAnyNumberEndsAtTheWholeImage) {
    const PixelRegion one(3000, 2000, {{1234, 567, 568}});
    const std::size_t maximum = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(ks::grown(one, 100).pixels(), 201U * 201U);
    EXPECT_EQ(ks::grown(one, maximum).pixels(), 6000000U);
    EXPECT_EQ(ks::grown(one, 3000).pixels(), 6000000U);
    EXPECT_TRUE(ks::shrunk(one.inverted(), maximum).empty());
    EXPECT_TRUE(ks::grown(PixelRegion(3000, 2000), maximum).empty());
}

}  // namespace

}  // namespace region_fill_test
