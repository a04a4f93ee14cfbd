#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/partition/q_partition.h"

using ks::Array;
using ks::Geometry;
using ks::QPartition;
using ks::Rings;

namespace {

TEST(Partition, ListsThePixelsOfEachBinInOrder) {
    const QPartition bins(2, 4, {0, 2, 1, 2, 5, 0, 2, 1});
    EXPECT_EQ(bins.bins(), 5U);
    EXPECT_EQ(bins.selected(), 6U);
    EXPECT_EQ(bins.offsets(), (std::vector<std::uint32_t>{0, 2, 5, 5, 5, 6}));
    EXPECT_TRUE(std::ranges::equal(bins.pixels(), std::vector<std::uint32_t>{2, 7, 1, 3, 6, 4}));
    EXPECT_EQ(bins.bin_size(1), 3U);
    EXPECT_EQ(bins.bin_size(2), 0U);
}

TEST(Partition, WithOnlyZerosHasNoBins) {
    const QPartition none(2, 2, {0, 0, 0, 0});
    EXPECT_EQ(none.bins(), 0U);
    EXPECT_EQ(none.selected(), 0U);
    EXPECT_TRUE(none.meanings({}).empty());
}

TEST(Partition, DroppedPixelsLeaveTheNumberOfBins) {
    const QPartition left = QPartition(1, 4, {1, 2, 3, 3}).without({0, 0, 1, 1});
    EXPECT_EQ(left.bins(), 3U);
    EXPECT_EQ(left.bin_size(2), 0U);
    EXPECT_EQ(left.labels(), (std::vector<std::int32_t>{1, 2, 0, 0}));
}

TEST(Partition, APartHasItsBinsAsTheyAreInTheWhole) {
    // Bins 1 and 5 are empty.
    const QPartition whole(2, 4, {0, 2, 3, 3, 4, 2, 0, 4}, 5);
    const QPartition some = whole.part(1, 3), of_part = some.part(1, 2), full = whole.part(1, 5);
    EXPECT_EQ(some.bins(), 2U);
    EXPECT_EQ(some.labels(), (std::vector<std::int32_t>{0, 1, 2, 2, 0, 1, 0, 0}));
    EXPECT_TRUE(std::ranges::equal(some.pixels(), std::vector<std::uint32_t>{1, 5, 2, 3}));
    EXPECT_EQ(some.offsets(), (std::vector<std::uint32_t>{0, 2, 4}));
    EXPECT_EQ(of_part.labels(), (std::vector<std::int32_t>{0, 0, 1, 1, 0, 0, 0, 0}));
    EXPECT_TRUE(std::ranges::equal(of_part.pixels(), std::vector<std::uint32_t>{2, 3}));
    EXPECT_TRUE(std::ranges::equal(of_part.pixels_of_whole(), whole.pixels()));
    EXPECT_EQ(of_part.first_pixel(), 2U);
    // All pixels, but not all bins.
    EXPECT_EQ(full.labels(), (std::vector<std::int32_t>{0, 1, 2, 2, 3, 1, 0, 3}));
    for (std::size_t pixel = 0; pixel < 8; ++pixel) {
        EXPECT_EQ(whole.label(pixel), whole.labels()[pixel]) << pixel;
        EXPECT_EQ(some.label(pixel), some.labels()[pixel]) << pixel;
        EXPECT_EQ(full.label(pixel), full.labels()[pixel]) << pixel;
    }
    // What leaves a part stays in the whole.
    const QPartition left = some.without({0, 1, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(left.labels(), (std::vector<std::int32_t>{0, 0, 2, 2, 0, 1, 0, 0}));
    EXPECT_EQ(whole.labels()[1], 2);
    EXPECT_EQ(some.bin_size(0), 2U);
}

TEST(Partition, RefusesLabelsThatMeanNothing) {
    EXPECT_THROW(QPartition(2, 2, {0, 1, 2}), ks::Error);
    EXPECT_THROW(QPartition(1, 2, {0, -1}), ks::Error);
    EXPECT_THROW(QPartition(1, 2, {0, 2'000'000'000}), ks::Error);
    EXPECT_THROW(QPartition::from_array(Array(ks::ElementType::i32, {4}), "flat"), ks::Error);
    EXPECT_THROW(QPartition::from_array(Array::of<double>({1, 2}, std::vector<double>{1, 1.5}), "m"),
                 ks::Error);
    EXPECT_THROW(QPartition::from_array(Array::of<double>({1, 1}, std::vector<double>{std::nan("")}), "m"),
                 ks::Error);
    EXPECT_THROW(
        QPartition::from_array(Array::of<std::int64_t>({1, 1}, std::vector<std::int64_t>{1LL << 40}), "m"),
        ks::Error);
    try {
        QPartition::from_array(Array::of<float>({1, 2}, std::vector<float>{1, -2}), "masks.h5::/q");
        FAIL();
    } catch (const ks::Error& error) {
        EXPECT_NE(std::string(error.what()).find("masks.h5::/q"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("-2"), std::string::npos);
    }
}

TEST(Partition, TakesWholeNumbersOfAnyType) {
    const std::vector<std::int32_t> expected{0, 3};
    EXPECT_EQ(QPartition::from_array(Array::of<float>({1, 2}, std::vector<float>{0, 3}), "m").labels(),
              expected);
    EXPECT_EQ(QPartition::from_array(Array::of<std::uint8_t>({1, 2}, std::vector<std::uint8_t>{0, 3}), "m")
                  .labels(),
              expected);
    EXPECT_EQ(QPartition::from_array(Array::of<std::int64_t>({1, 2}, std::vector<std::int64_t>{0, 3}), "m")
                  .labels(),
              expected);
}

TEST(Rings, HoldTheirInnerAndNotTheirOuterRadius) {
    // Pixel centres lie at x = j + 0.5; the centre is that of pixel (0, 0).
    const QPartition bins = QPartition::from_rings(1, 8, {0.5, 0.5, 2, 2, 2});
    EXPECT_EQ(bins.labels(), (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 0, 0}));
}

TEST(Rings, AgreeWithTheRadiusOfEveryPixel) {
    const Rings rings{12.3, 7.9, 1.5, 2.25, 6};
    const QPartition bins = QPartition::from_rings(20, 30, rings);
    EXPECT_EQ(bins.bins(), 6U);
    for (std::size_t i = 0; i < 20; ++i)
        for (std::size_t j = 0; j < 30; ++j) {
            const double r =
                std::hypot(static_cast<double>(j) + 0.5 - 12.3, static_cast<double>(i) + 0.5 - 7.9);
            const std::int32_t label = bins.labels()[i * 30 + j];
            if (label == 0) {
                EXPECT_TRUE(r < 1.5 || r >= 1.5 + 6 * 2.25);
            } else {
                EXPECT_GE(r, 1.5 + (label - 1) * 2.25 - 1e-12);
                EXPECT_LT(r, 1.5 + label * 2.25 + 1e-12);
            }
        }
}

TEST(Rings, OutsideOfTheImageAreEmptyBins) {
    const QPartition bins = QPartition::from_rings(4, 4, {-100, 2, 0, 10, 20});
    EXPECT_EQ(bins.bins(), 20U);
    EXPECT_EQ(bins.bin_size(0), 0U);
    EXPECT_EQ(bins.selected(), 16U);
}

TEST(Rings, AreParsedFromFiveNumbers) {
    const Rings rings = Rings::parse("10.5,-3,0,2.5,7");
    EXPECT_EQ(rings.x, 10.5);
    EXPECT_EQ(rings.y, -3);
    EXPECT_EQ(rings.r0, 0);
    EXPECT_EQ(rings.width, 2.5);
    EXPECT_EQ(rings.n, 7U);
    const Rings again = Rings::parse(rings.to_string());
    EXPECT_EQ(again.x, rings.x);
    EXPECT_EQ(again.n, rings.n);
    Geometry geometry;
    geometry.beam_x = 33;
    geometry.beam_y = 44;
    EXPECT_EQ(Rings::parse("beam,beam,1,2,3", geometry).x, 33);
    EXPECT_EQ(Rings::parse("beam,beam,1,2,3", geometry).y, 44);
}

TEST(Rings, RefuseWhatIsNoRing) {
    for (const char* text :
         {"", "1,2,3,4", "1,2,3,4,5,6", "a,2,3,4,5", "1,2,-1,4,5", "1,2,3,0,5", "1,2,3,4,0", "1,2,3,4,1.5",
          "1,2,3,nan,5", "1,2,3,4,1e9", "beam,beam,1,2,3", "1 ,2,3,4,5x", "1,2,3,4,5,"})
        EXPECT_THROW(Rings::parse(text), ks::Error) << text;
}

TEST(Meanings, ARingAroundTheBeamHasNoAzimuth) {
    const Geometry geometry{1.0, 1000.0, 20.3, 20.1, 100.0, 100.0};
    std::vector<std::int32_t> labels(40 * 40, 0);
    for (std::size_t y = 0; y < 40; ++y)
        for (std::size_t x = 0; x < 40; ++x) {
            const double dx = static_cast<double>(x) + 0.5 - 20.3, dy = static_cast<double>(y) + 0.5 - 20.1;
            const double r = std::sqrt(dx * dx + dy * dy);
            if (r >= 4 && r < 7) labels[y * 40 + x] = 1;
            if (r >= 9 && r < 12) labels[y * 40 + x] = dx > 0 ? 2 : 3;
        }
    const auto all = QPartition(40, 40, labels).meanings(geometry);
    EXPECT_FALSE(std::isnan(all[0].q));
    EXPECT_TRUE(std::isnan(all[0].phi));
    EXPECT_NEAR(all[1].phi, 0, 3);
    EXPECT_NEAR(std::abs(all[2].phi), 180, 3);
}

TEST(Meanings, AreTheMeanOfQAndTheDirection) {
    Geometry geometry{1.0, 1000.0, 5.0, 5.0, 100.0, 100.0};
    std::vector<std::int32_t> labels(100, 0);
    labels[5 * 10 + 8] = labels[4 * 10 + 8] = 1;  // right of the beam
    labels[0 * 10 + 4] = labels[0 * 10 + 5] = 3;  // above it on the screen
    const auto all = QPartition(10, 10, labels).meanings(geometry);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_NEAR(all[0].q, geometry.q(8.5, 5.5), 1e-15);
    EXPECT_NEAR(all[0].phi, 0, 1e-12);
    EXPECT_NEAR(all[2].phi, -90, 1e-12);
    EXPECT_TRUE(std::isnan(all[1].q));
    EXPECT_TRUE(std::isnan(all[1].phi));
    geometry.wavelength = 0;
    EXPECT_TRUE(std::isnan(QPartition(10, 10, labels).meanings(geometry)[0].q));
}

TEST(Meanings, TheAzimuthOfOblongPixelsIsThatOnTheDetector) {
    // Pixels twice as high as wide: 3 pixels to the right and 3 down are at 3 and 6 widths.
    Geometry geometry;
    geometry.beam_x = geometry.beam_y = 2.5;
    geometry.pixel_size_x = 50;
    geometry.pixel_size_y = 100;
    std::vector<std::int32_t> labels(36);
    labels[5 * 6 + 5] = 1;
    const auto all = QPartition(6, 6, labels).meanings(geometry);
    EXPECT_NEAR(all[0].phi, std::acos(1 / std::sqrt(5.0)) * 180 / std::acos(-1.0), 1e-12);
}

}  // namespace
