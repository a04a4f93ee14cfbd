#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/partition/partition_builder.h"

using ks::Geometry;
using ks::Levels;
using ks::PartitionRecipe;
using ks::PixelMask;
using ks::QPartition;

namespace {

constexpr std::size_t height = 61, width = 83;

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const ks::Error& error) {
        EXPECT_EQ(error.kind(), ks::ErrorKind::input);
        return error.message();
    }
    return "nothing was thrown";
}

bool near(double value, double edge) {
    return std::abs(value - edge) <= 1e-12 * std::max(std::abs(value), std::abs(edge));
}

/// The label by the definition; nothing for a pixel on an edge.
std::optional<std::int32_t> brute_label(const PartitionRecipe& recipe, double x, double y) {
    const Geometry& g = recipe.geometry;
    const double value = recipe.in_q ? g.q(x, y) : std::hypot(x - g.beam_x, y - g.beam_y);
    std::int32_t level = -1;
    for (std::size_t k = 0; k < recipe.radial.size(); ++k) {
        if (near(value, recipe.radial.lower[k]) || near(value, recipe.radial.upper[k])) return std::nullopt;
        if (recipe.radial.lower[k] <= value && value < recipe.radial.upper[k])
            level = static_cast<std::int32_t>(k);
    }
    if (level < 0) return 0;
    const double azimuth = std::atan2((y - g.beam_y) * g.pixel_size_y, (x - g.beam_x) * g.pixel_size_x);
    const double turns = (azimuth / std::numbers::pi / 2) - recipe.phi_start / 360.0;
    const double sector = (turns - std::floor(turns)) * static_cast<double>(recipe.sectors);
    if (recipe.sectors > 1 && std::abs(sector - std::round(sector)) < 1e-12 * (1 + sector))
        return std::nullopt;
    return level * static_cast<std::int32_t>(recipe.sectors) + static_cast<std::int32_t>(sector) + 1;
}

/// Geometries with the beam inside, outside, near the border, on pixel centres and far away.
PartitionRecipe random_recipe(std::mt19937& random, int trial) {
    std::uniform_real_distribution<double> unit(0, 1);
    PartitionRecipe recipe;
    Geometry& g = recipe.geometry;
    g = {0.5 + unit(random), 20 + 400 * unit(random), 0, 0, 50 + 100 * unit(random), 50 + 100 * unit(random)};
    const double w = width, h = height;
    switch (trial % 6) {
        case 0:
            g.beam_x = w * unit(random), g.beam_y = h * unit(random);
            break;
        case 1:
            g.beam_x = -50 * unit(random), g.beam_y = h * unit(random);
            break;
        case 2:
            g.beam_x = w + 300 * unit(random), g.beam_y = h + 40 * unit(random);
            break;
        case 3:
            g.beam_x = unit(random), g.beam_y = h - unit(random);
            break;
        case 4:
            g.beam_x = std::floor(w * unit(random)) + 0.5, g.beam_y = std::floor(h * unit(random)) + 0.5;
            break;
        default:
            g.beam_x = 1e5 * (unit(random) - 0.5), g.beam_y = -1e5 * unit(random);
    }
    if (trial % 2 == 0) g.pixel_size_y = g.pixel_size_x;
    recipe.in_q = trial % 3 != 0;
    double nearest = 1e300, farthest = 0;
    for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < width; ++j) {
            const double x = static_cast<double>(j) + 0.5, y = static_cast<double>(i) + 0.5;
            const double value = recipe.in_q ? g.q(x, y) : std::hypot(x - g.beam_x, y - g.beam_y);
            nearest = std::min(nearest, value), farthest = std::max(farthest, value);
        }
    const double range = farthest - nearest;
    const auto n = static_cast<std::size_t>(1 + 60 * unit(random));
    switch (trial % 4) {
        case 0:
            recipe.radial = ks::linear_levels(nearest + 0.1 * range, farthest, n);
            break;
        case 1:
            recipe.radial = ks::logarithmic_levels(nearest + 1e-3 * range, nearest + 1.1 * range, n);
            break;
        case 2:
            recipe.radial = ks::spaced_levels(nearest, 0.5 * range / static_cast<double>(n), 0.01 * range, n);
            break;
        default:
            recipe.radial = ks::edge_levels({nearest - range, nearest + range / 3, nearest + range / 2});
    }
    recipe.sectors = trial % 5 == 0 ? 1 : static_cast<std::size_t>(1 + 359 * unit(random) * unit(random));
    recipe.phi_start = 800 * (unit(random) - 0.5);
    return recipe;
}

TEST(PartitionBuilder, GivesEachPixelTheLabelOfItsQAndPhi) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 240; ++trial) {
        const PartitionRecipe recipe = random_recipe(random, trial);
        const QPartition made = ks::build_partition(height, width, recipe);
        ASSERT_EQ(made.bins(), recipe.radial.size() * recipe.sectors);
        std::size_t on_edges = 0;
        for (std::size_t i = 0; i < height; ++i)
            for (std::size_t j = 0; j < width; ++j) {
                const auto expected =
                    brute_label(recipe, static_cast<double>(j) + 0.5, static_cast<double>(i) + 0.5);
                if (expected)
                    ASSERT_EQ(made.labels()[i * width + j], *expected)
                        << "trial " << trial << ", " << i << ", " << j;
                else
                    ++on_edges;
            }
        ASSERT_LT(on_edges, height * width / 4);
    }
}

TEST(PartitionBuilder, PutsPixelsOnAnEdgeAboveIt) {
    PartitionRecipe recipe;
    recipe.geometry.beam_x = recipe.geometry.beam_y = 10.5;
    recipe.radial = ks::linear_levels(0, 12, 4);
    recipe.sectors = 8;
    const QPartition made = ks::build_partition(21, 21, recipe);
    const auto at = [&](std::size_t row, std::size_t column) { return made.labels()[row * 21 + column]; };
    EXPECT_EQ(at(10, 10), 1);          // the beam: radius 0, phi 0
    EXPECT_EQ(at(10, 13), 8 + 1);      // radius 3, phi 0
    EXPECT_EQ(at(13, 10), 8 + 2 + 1);  // phi 90
    EXPECT_EQ(at(10, 7), 8 + 4 + 1);   // phi 180
    EXPECT_EQ(at(7, 10), 8 + 6 + 1);   // phi -90
    EXPECT_EQ(at(11, 11), 1 + 1);      // phi 45
    EXPECT_EQ(at(13, 14), 8 + 1);      // radius 5, phi 36.9
    EXPECT_EQ(at(9, 9), 5 + 1);        // phi -135
}

TEST(PartitionBuilder, StartsItsSectorsAnywhereAndWrapsThem) {
    PartitionRecipe recipe;
    recipe.geometry.beam_x = recipe.geometry.beam_y = 10.2;
    recipe.radial = ks::linear_levels(0, 100, 1);
    recipe.sectors = 2;
    recipe.phi_start = 90;
    const QPartition halves = ks::build_partition(20, 20, recipe);
    EXPECT_EQ(halves.labels()[3 * 20 + 0], 1);  // left of the beam, across 180 degrees
    EXPECT_EQ(halves.labels()[17 * 20 + 0], 1);
    EXPECT_EQ(halves.labels()[3 * 20 + 19], 2);
    recipe.phi_start = 90 - 360;
    EXPECT_EQ(ks::build_partition(20, 20, recipe).labels(), halves.labels());
}

TEST(PartitionBuilder, LeavesMaskedPixelsOutAndEmptyBinsIn) {
    PartitionRecipe recipe;
    recipe.geometry.beam_x = 2;
    recipe.geometry.beam_y = 0.5;
    recipe.radial = ks::linear_levels(0, 400, 40);
    PixelMask mask{1, 12, std::vector<std::uint8_t>(12, 0)};
    mask.ignore[2] = 255;
    const QPartition made = ks::build_partition(1, 12, recipe, &mask);
    EXPECT_EQ(made.bins(), 40U);
    EXPECT_EQ(made.labels(), (std::vector<std::int32_t>{1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_TRUE(
        std::ranges::equal(made.pixels(), std::vector<std::uint32_t>{0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(made.bin_size(39), 0U);
    const auto empty = ks::empty_bins(made, recipe);
    ASSERT_EQ(empty.size(), 39U);
    EXPECT_EQ(empty[0], "bin 2 (radius 10 to 20 pixels) is outside the image or masked");
}

TEST(PartitionBuilder, SaysWhatAnEmptyBinWouldHold) {
    PartitionRecipe recipe;
    recipe.geometry = {1, 1000, -500, 0, 100, 100};
    recipe.in_q = true;
    recipe.radial = ks::edge_levels({0.21, 0.24, 0.4});
    recipe.sectors = 2;
    recipe.phi_start = -90;
    const auto empty = ks::empty_bins(ks::build_partition(4, 4, recipe), recipe);
    ASSERT_EQ(empty.size(), 3U);
    EXPECT_EQ(empty[1],
              "bin 2 (q 0.21 to 0.24 1/angstrom, phi 90 to 270 degrees) is outside the image or masked");
}

TEST(PartitionBuilder, MakesStaticBinsThatLieInOneDynamicBinAndFillIt) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 120; ++trial) {
        PartitionRecipe recipe = random_recipe(random, trial);
        recipe.sectors = 1 + recipe.sectors % 12;
        recipe.static_per_radial = 1 + random() % 4;
        recipe.static_per_sector = 1 + random() % 4;
        if (trial % 4 == 0) recipe.phi_start = 0;
        const QPartition dynamic = ks::build_partition(height, width, recipe);
        const ks::StaticPartition fine = ks::build_static_partition(height, width, recipe);
        ASSERT_EQ(fine.labels.bins(), dynamic.bins() * recipe.static_per_radial * recipe.static_per_sector);
        ASSERT_EQ(fine.dynamic_of.size(), fine.labels.bins());
        for (std::size_t pixel = 0; pixel < height * width; ++pixel) {
            const std::int32_t label = fine.labels.labels()[pixel];
            ASSERT_EQ(label == 0 ? 0 : fine.dynamic_of[static_cast<std::size_t>(label) - 1],
                      dynamic.labels()[pixel]);
        }
    }
}

TEST(PartitionBuilder, DividesAlongTheRadiusAndAlongPhi) {
    PartitionRecipe recipe;
    recipe.geometry.beam_x = recipe.geometry.beam_y = 0;
    recipe.radial = ks::edge_levels({0, 4, 20});
    recipe.sectors = 4;
    recipe.static_per_radial = 2;
    recipe.static_per_sector = 3;
    PartitionRecipe same = recipe;
    same.radial = ks::edge_levels({0, 2, 4, 12, 20});
    same.sectors = 12;
    EXPECT_EQ(ks::build_static_partition(16, 16, recipe).labels.labels(),
              ks::build_partition(16, 16, same).labels());
    recipe.static_per_radial = recipe.static_per_sector = 1;
    EXPECT_EQ(ks::build_static_partition(16, 16, recipe).labels.labels(),
              ks::build_partition(16, 16, recipe).labels());
}

TEST(PartitionBuilder, GivesLargeImagesTheSameBinsAsSmallOnes) {
    // Large enough for several threads; the pixels of each bin are listed by a loop.
    constexpr std::size_t h = 700, w = 900;
    PartitionRecipe recipe;
    recipe.geometry = {1, 500, 430.3, 310.7, 75, 75};
    recipe.radial = ks::spaced_levels(3.3, 11.7, 2.1, 45);
    recipe.sectors = 7;
    const QPartition made = ks::build_partition(h, w, recipe);
    std::vector<std::vector<std::uint32_t>> pixels(made.bins());
    for (std::size_t i = 0; i < h; ++i)
        for (std::size_t j = 0; j < w; ++j) {
            const auto label =
                brute_label(recipe, static_cast<double>(j) + 0.5, static_cast<double>(i) + 0.5);
            ASSERT_TRUE(label);
            if (*label > 0)
                pixels[static_cast<std::size_t>(*label) - 1].push_back(static_cast<std::uint32_t>(i * w + j));
        }
    for (std::size_t bin = 0; bin < made.bins(); ++bin)
        ASSERT_EQ(pixels[bin], std::vector<std::uint32_t>(made.pixels().begin() + made.offsets()[bin],
                                                          made.pixels().begin() + made.offsets()[bin + 1]));
}

TEST(PartitionBuilder, GivesRingsByTheirDefinitionToThePixel) {
    for (const ks::Rings& rings : {ks::Rings{417.3, 288.9, 10, 13.7, 40}, ks::Rings{400.5, 300.5, 0, 5, 60},
                                   ks::Rings{-20, 900, 3, 0.3, 5000}, ks::Rings{12, 300, 0, 1, 1'000'000}}) {
        constexpr std::size_t h = 500, w = 800;
        const QPartition made = QPartition::from_rings(h, w, rings);
        ASSERT_EQ(made.bins(), rings.n);
        for (std::size_t i = 0; i < h; ++i)
            for (std::size_t j = 0; j < w; ++j) {
                const double dx = static_cast<double>(j) + 0.5 - rings.x,
                             dy = static_cast<double>(i) + 0.5 - rings.y;
                const double ring = std::floor((std::sqrt(dx * dx + dy * dy) - rings.r0) / rings.width);
                const bool inside = ring >= 0 && ring < static_cast<double>(rings.n);
                ASSERT_EQ(made.labels()[i * w + j], inside ? static_cast<std::int32_t>(ring) + 1 : 0)
                    << i << ", " << j;
            }
    }
}

TEST(PartitionBuilder, SortsScatteredLabelsOfAMillionBins) {
    constexpr std::size_t h = 600, w = 700;
    std::mt19937 random(3);
    for (const std::int32_t bins : {1, 40, 1'000'000}) {
        std::vector<std::int32_t> labels(h * w);
        std::uniform_int_distribution<std::int32_t> label(0, bins);
        for (std::int32_t& value : labels) value = label(random);
        const QPartition made(h, w, labels, static_cast<std::size_t>(bins));
        ASSERT_EQ(made.bins(), static_cast<std::size_t>(bins));
        std::size_t selected = 0;
        for (const std::int32_t value : labels) selected += value > 0 ? 1 : 0;
        ASSERT_EQ(made.selected(), selected);
        for (std::size_t bin = 0; bin < made.bins(); ++bin)
            for (std::uint32_t at = made.offsets()[bin]; at < made.offsets()[bin + 1]; ++at) {
                ASSERT_EQ(static_cast<std::size_t>(labels[made.pixels()[at]]), bin + 1);
                ASSERT_TRUE(at == made.offsets()[bin] || made.pixels()[at - 1] < made.pixels()[at]);
            }
    }
}

TEST(PartitionBuilder, RefusesWhatMakesNoPartition) {
    PartitionRecipe good;
    good.geometry = {1, 100, 5, 5, 100, 100};
    good.radial = ks::linear_levels(0, 5, 5);
    const auto refused = [&good](const std::function<void(PartitionRecipe&)>& change,
                                 const PixelMask* mask = nullptr) {
        PartitionRecipe recipe = good;
        change(recipe);
        return error_of([&] { ks::build_partition(10, 10, recipe, mask); });
    };
    EXPECT_EQ(refused([](PartitionRecipe& r) { r.in_q = true, r.geometry.wavelength = 0; }),
              "q needs the wavelength, the distance and the pixel size, but at least one of them is unknown");
    EXPECT_EQ(refused([](PartitionRecipe& r) { r.radial = {}; }), "there are no radial levels");
    EXPECT_EQ(refused([](PartitionRecipe& r) { r.radial.upper[1] = 2.5; }),
              "the radial levels must ascend without overlap, found 2 to 3 after 2.5");
    EXPECT_EQ(refused([](PartitionRecipe& r) { r.sectors = 0; }), "there must be at least 1 sector, found 0");
    EXPECT_EQ(refused([](PartitionRecipe& r) { r.sectors = 200'001; }),
              "5 levels with 200001 sectors each give more than the maximum of 1000000 bins");
    const PixelMask small{9, 10, std::vector<std::uint8_t>(90, 0)};
    EXPECT_EQ(refused([](PartitionRecipe&) {}, &small),
              "the mask must have the image's shape 10 x 10, found 9 x 10");
    good.static_per_radial = 100'000;
    good.sectors = 3;
    EXPECT_EQ(error_of([&] { ks::build_static_partition(10, 10, good); }),
              "500000 levels with 3 sectors each give more than the maximum of 1000000 bins");
}

TEST(Levels, FillTheirRangeEvenly) {
    const Levels linear = ks::linear_levels(1, 3, 4);
    EXPECT_EQ(linear.lower, (std::vector<double>{1, 1.5, 2, 2.5}));
    EXPECT_EQ(linear.upper, (std::vector<double>{1.5, 2, 2.5, 3}));
    const Levels ratios = ks::logarithmic_levels(0.01, 10, 3);
    ASSERT_EQ(ratios.size(), 3U);
    EXPECT_EQ(ratios.lower[0], 0.01);
    EXPECT_NEAR(ratios.lower[1], 0.1, 1e-15);
    EXPECT_NEAR(ratios.lower[2], 1, 1e-14);
    EXPECT_EQ(ratios.upper[2], 10);
    EXPECT_EQ(ratios.upper[0], ratios.lower[1]);
    const Levels spaced = ks::spaced_levels(1, 2, 0.5, 3);
    EXPECT_EQ(spaced.lower, (std::vector<double>{1, 3.5, 6}));
    EXPECT_EQ(spaced.upper, (std::vector<double>{3, 5.5, 8}));
    const Levels halves = ks::divided(ks::spaced_levels(0, 2, 2, 2), 2);
    EXPECT_EQ(halves.lower, (std::vector<double>{0, 1, 4, 5}));
    EXPECT_EQ(halves.upper, (std::vector<double>{1, 2, 5, 6}));
    const Levels touching = ks::spaced_levels(0.1, 0.1, 0, 9);
    for (std::size_t k = 1; k < 9; ++k) EXPECT_EQ(touching.lower[k], touching.upper[k - 1]);
}

TEST(Levels, RefuseWhatHasNoLevels) {
    const double inf = INFINITY;
    EXPECT_EQ(error_of([] { ks::linear_levels(0, 1, 0); }), "expected 1 to 1000000 rings, found 0");
    EXPECT_EQ(error_of([] { ks::linear_levels(2, 1, 3); }),
              "the rings must end at a larger value than they begin, found 2 to 1");
    EXPECT_EQ(error_of([] { ks::linear_levels(2, 2, 3); }),
              "the rings must end at a larger value than they begin, found 2 to 2");
    EXPECT_EQ(error_of([&] { ks::linear_levels(0, inf, 3); }),
              "the end of the rings must be a finite number, found inf");
    EXPECT_EQ(error_of([] { ks::linear_levels(NAN, 1, 3); }),
              "the beginning of the rings must be a finite number, found nan");
    EXPECT_EQ(error_of([] { ks::logarithmic_levels(0, 1, 3); }),
              "logarithmic rings must begin at a value above 0, found 0");
    EXPECT_EQ(error_of([] { ks::logarithmic_levels(1, 2, 0); }), "expected 1 to 1000000 rings, found 0");
    EXPECT_EQ(error_of([] { ks::edge_levels({1}); }), "expected at least 2 edges, found 1");
    EXPECT_EQ(error_of([] { ks::edge_levels({1, 3, 2}); }), "the edges must ascend, found 2 after 3");
    EXPECT_EQ(error_of([] { ks::edge_levels({1, 1}); }), "the edges must ascend, found 1 after 1");
    EXPECT_EQ(error_of([] { ks::edge_levels({1, NAN}); }), "an edge must be a finite number, found nan");
    EXPECT_EQ(error_of([] { ks::spaced_levels(0, 0, 1, 3); }), "the width must be > 0, found 0");
    EXPECT_EQ(error_of([] { ks::spaced_levels(0, 1, -1, 3); }), "the gap must be >= 0, found -1");
    EXPECT_EQ(error_of([&] { ks::spaced_levels(0, inf, 1, 3); }),
              "the width must be a finite number, found inf");
    EXPECT_EQ(error_of([] { ks::spaced_levels(0, 1, 1, 0); }), "expected 1 to 1000000 rings, found 0");
    EXPECT_EQ(error_of([] { ks::divided(ks::linear_levels(0, 1, 2), 0); }),
              "a level must be divided into at least 1 part, found 0");
}

}  // namespace
