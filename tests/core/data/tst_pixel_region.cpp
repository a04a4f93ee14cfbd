#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/data/regions/pixel_region.h"

namespace pixel_region_test {

using ks::PixelRect;
using ks::PixelRegion;
using ks::PixelSpan;

namespace {

using Bitmap = std::vector<std::uint8_t>;

std::size_t uniform(std::mt19937& random, std::size_t minimum, std::size_t maximum) {
    return std::uniform_int_distribution<std::size_t>(minimum, maximum)(random);
}

Bitmap random_bitmap(std::mt19937& random, std::size_t n) {
    const double share = std::uniform_real_distribution<>(0, 1)(random);
    Bitmap bits(n);
    for (auto& bit : bits) bit = std::bernoulli_distribution(share)(random);
    return bits;
}

/// Asks the region for each pixel.
Bitmap bitmap_of(const PixelRegion& region) {
    Bitmap bits;
    for (std::size_t y = 0; y < region.height(); ++y)
        for (std::size_t x = 0; x < region.width(); ++x) bits.push_back(region.contains(x, y));
    return bits;
}

void expect_sound(const PixelRegion& region) {
    const std::vector<PixelSpan>& spans = region.spans();
    for (std::size_t i = 0; i < spans.size(); ++i) {
        EXPECT_LT(spans[i].first, spans[i].end);
        EXPECT_LE(spans[i].end, region.width());
        EXPECT_LT(spans[i].y, region.height());
        if (i > 0) {
            EXPECT_TRUE(spans[i - 1].y < spans[i].y ||
                        (spans[i - 1].y == spans[i].y && spans[i - 1].end < spans[i].first));
        }
    }
}

TEST(PixelRect, UnionIsTheSmallestAroundBothAndAnEmptyOneAddsNothing) {
    const PixelRect a{2, 3, 4, 5}, b{-1, 6, 2, 10}, nothing{50, 60, 0, 7};
    EXPECT_EQ(a.united(b), (PixelRect{-1, 3, 7, 13}));
    EXPECT_EQ(a.united(nothing), a);
    EXPECT_EQ(nothing.united(a), a);
    EXPECT_EQ(nothing.united(nothing), PixelRect{});
}

TEST(PixelRect, IntersectionHoldsWhatBothHold) {
    const PixelRect a{2, 3, 4, 5};
    EXPECT_EQ(a.intersected({4, 0, 10, 4}), (PixelRect{4, 3, 2, 1}));
    EXPECT_TRUE(a.intersected({6, 3, 4, 4}).empty()) << "they touch";
    EXPECT_EQ(a.intersected({100, 100, 5, 5}), PixelRect{});
    EXPECT_EQ(a.intersected({3, 4, 0, 0}), PixelRect{});
}

TEST(PixelRegion, SpansInAnyOrderBecomeTheSameSetOfPixels) {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const std::size_t height = uniform(random, 1, 12), width = uniform(random, 1, 20);
        Bitmap expected(height * width);
        std::vector<PixelSpan> spans;
        for (std::size_t n = uniform(random, 0, 30); n > 0; --n) {
            const PixelSpan span{static_cast<std::uint32_t>(uniform(random, 0, height + 2)),
                                 static_cast<std::uint32_t>(uniform(random, 0, width + 4)),
                                 static_cast<std::uint32_t>(uniform(random, 0, width + 4))};
            spans.push_back(span);
            for (std::size_t x = span.first; x < std::min<std::size_t>(span.end, width); ++x)
                if (span.y < height) expected[span.y * width + x] = 1;
        }
        const PixelRegion region(height, width, spans);
        expect_sound(region);
        ASSERT_EQ(bitmap_of(region), expected);
    }
}

TEST(PixelRegion, IsMadeOfAMask) {
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        const std::size_t height = uniform(random, 1, 9), width = uniform(random, 1, 70);
        Bitmap bits = random_bitmap(random, height * width);
        const PixelRegion region = PixelRegion::of_mask(height, width, bits);
        expect_sound(region);
        ASSERT_EQ(bitmap_of(region), bits);
        // any value but 0 counts
        for (auto& bit : bits) bit = bit ? static_cast<std::uint8_t>(uniform(random, 1, 255)) : bit;
        EXPECT_EQ(PixelRegion::of_mask(height, width, bits), region);
    }
    EXPECT_THROW(PixelRegion::of_mask(3, 4, Bitmap(11)), ks::Error);
}

TEST(PixelRegion, AlgebraIsThatOfBitmaps) {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        const std::size_t height = uniform(random, 1, 9), width = uniform(random, 1, 40);
        const Bitmap a = random_bitmap(random, height * width), b = random_bitmap(random, height * width);
        Bitmap both(a.size()), less(a.size()), inverse(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            both[i] = a[i] | b[i];
            less[i] = a[i] && !b[i];
            inverse[i] = !a[i];
        }
        const PixelRegion one = PixelRegion::of_mask(height, width, a),
                          other = PixelRegion::of_mask(height, width, b);
        for (const auto& [region, expected] :
             {std::pair{one.united(other), both}, {one.without(other), less}, {one.inverted(), inverse}}) {
            expect_sound(region);
            ASSERT_EQ(bitmap_of(region), expected);
        }
    }
}

TEST(PixelRegion, CountsItsPixelsAndKnowsItsBounds) {
    std::mt19937 random(4);
    for (int round = 0; round < 100; ++round) {
        const std::size_t height = uniform(random, 1, 9), width = uniform(random, 1, 40);
        Bitmap bits(height * width);
        for (std::size_t n = uniform(random, 0, 4); n > 0; --n) bits[uniform(random, 0, bits.size() - 1)] = 1;
        const PixelRegion region = PixelRegion::of_mask(height, width, bits);
        std::size_t count = 0, left = width, top = height, right = 0, bottom = 0;
        for (std::size_t i = 0; i < bits.size(); ++i) {
            if (!bits[i]) continue;
            ++count;
            left = std::min(left, i % width), right = std::max(right, i % width + 1);
            top = std::min(top, i / width), bottom = std::max(bottom, i / width + 1);
        }
        EXPECT_EQ(region.pixels(), count);
        EXPECT_EQ(region.empty(), count == 0);
        const auto s = [](std::size_t n) { return static_cast<std::int64_t>(n); };
        EXPECT_EQ(region.bounds(),
                  count == 0 ? PixelRect{} : (PixelRect{s(left), s(top), s(right - left), s(bottom - top)}));
    }
}

TEST(PixelRegion, AnImageWithoutPixelsHasAnEmptyRegion) {
    EXPECT_TRUE(PixelRegion(0, 5).inverted().empty());
    EXPECT_TRUE(PixelRegion(5, 0).inverted().empty());
    EXPECT_FALSE(PixelRegion(0, 0).contains(0, 0));
}

TEST(PixelRegion, RegionsOfDifferentImagesDoNotMix) {
    EXPECT_THROW(PixelRegion(3, 4).united(PixelRegion(4, 3)), ks::Error);
    EXPECT_THROW(PixelRegion(3, 4).without(PixelRegion(3, 5)), ks::Error);
}

}  // namespace

}  // namespace pixel_region_test
