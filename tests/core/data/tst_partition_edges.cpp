#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/partition/partition_builder.h"

using ks::PartitionRecipe;

namespace {

/// Radii 10 to 20 to 30 that touch, and 40 to 50.
PartitionRecipe radii() {
    PartitionRecipe recipe;
    recipe.geometry.beam_x = 100;
    recipe.geometry.beam_y = 80;
    recipe.radial = {{10, 20, 40}, {20, 30, 50}};
    return recipe;
}

/// Pixels twice as high as wide.
PartitionRecipe in_q() {
    PartitionRecipe recipe;
    recipe.geometry = {1.2, 300, 100, 80, 100, 200};
    recipe.in_q = true;
    recipe.radial = ks::linear_levels(0.1, 0.5, 4);
    return recipe;
}

using Doubles = std::vector<double>;

TEST(Edges, CountTouchingOnesOnce) {
    EXPECT_EQ(ks::edges(radii()), (Doubles{10, 20, 30, 40, 50}));
    EXPECT_EQ(ks::edges({}), Doubles{});
}

TEST(Edges, AreFoundWithinTheToleranceInPixels) {
    const PartitionRecipe recipe = radii();
    EXPECT_EQ(ks::edge_near(recipe, 100 + 21.5, 80, 2), 1U);
    EXPECT_EQ(ks::edge_near(recipe, 100, 80 - 38.5, 2), 3U);
    EXPECT_EQ(ks::edge_near(recipe, 100 - 30, 80 - 40, 1), 4U);
    EXPECT_EQ(ks::edge_near(recipe, 100 + 25, 80, 4.9), std::nullopt);
    EXPECT_EQ(ks::edge_near(recipe, 100 + 23, 80, 100), 1U) << "the nearest of several";
    EXPECT_EQ(ks::edge_near(recipe, 100, 80, 9.9), std::nullopt);
    EXPECT_EQ(ks::edge_near(recipe, 100, 80, 10), 0U);
}

TEST(Edges, OfQAreFoundWhereTheyAreDrawnOnOblongPixels) {
    const PartitionRecipe recipe = in_q();
    const double q = recipe.radial.lower[2];
    // The ring's distance from the beam by hand: r = D tan(2 theta), q = 4 pi / lambda sin(theta).
    const double millimetres = 300 * std::tan(2 * std::asin(q * 1.2 / (4 * M_PI)));
    const double along_x = millimetres / 0.1, along_y = millimetres / 0.2;
    EXPECT_EQ(ks::edge_near(recipe, 100 + along_x + 0.9, 80, 1), 2U);
    EXPECT_EQ(ks::edge_near(recipe, 100 + along_x + 1.1, 80, 1), std::nullopt);
    EXPECT_EQ(ks::edge_near(recipe, 100, 80 + along_y - 0.9, 1), 2U);
    EXPECT_EQ(ks::edge_near(recipe, 100, 80 + along_y - 1.1, 1), std::nullopt);
}

TEST(Edges, FollowThePointAndTouchingOnesMoveTogether) {
    PartitionRecipe recipe = radii();
    ks::move_edge(recipe, 1, 100 + 15, 80 + 20);
    EXPECT_EQ(recipe.radial, (ks::Levels{{10, 25, 40}, {25, 30, 50}}));
    ks::move_edge(recipe, 2, 100, 80 - 33);
    EXPECT_EQ(recipe.radial, (ks::Levels{{10, 25, 40}, {25, 33, 50}}));
    recipe = in_q();
    ks::move_edge(recipe, 3, 350, 90);
    const double q = recipe.geometry.q(350, 90);
    ASSERT_GT(q, 0.3);
    ASSERT_LT(q, 0.5);
    EXPECT_EQ(recipe.radial.upper[2], q);
    EXPECT_EQ(recipe.radial.lower[3], q);
}

TEST(Edges, StopBeforeTheirNeighbours) {
    PartitionRecipe recipe = radii();
    ks::move_edge(recipe, 1, 100 + 300, 80, 2);
    EXPECT_EQ(recipe.radial, (ks::Levels{{10, 28, 40}, {28, 30, 50}}));
    ks::move_edge(recipe, 1, 100, 80, 2);
    EXPECT_EQ(recipe.radial, (ks::Levels{{10, 12, 40}, {12, 30, 50}}));
    ks::set_edge(recipe, 0, -5);
    EXPECT_EQ(recipe.radial.lower[0], 0);
    ks::set_edge(recipe, 4, 1000);
    EXPECT_EQ(recipe.radial.upper[2], 1000);
    ks::set_edge(recipe, 3, 7, 1.5);
    EXPECT_EQ(recipe.radial.lower[2], 31.5);
    recipe.radial = {{10, 10.4}, {10.4, 10.6}};
    ks::set_edge(recipe, 1, 10.5);
    EXPECT_EQ(recipe.radial, (ks::Levels{{10, 10.4}, {10.4, 10.6}})) << "there is no room to move in";
}

TEST(Edges, TakeAValueAsItIsGiven) {
    PartitionRecipe recipe = in_q();
    ks::set_edge(recipe, 2, 0.345);
    EXPECT_EQ(ks::edges(recipe)[2], 0.345);
    EXPECT_EQ(recipe.radial.upper[1], recipe.radial.lower[2]);
    ks::set_edge(recipe, 4, 2.0);
    EXPECT_EQ(ks::edges(recipe)[4], 2.0);
}

TEST(Edges, KeepTheirOrderAndDistanceWhateverIsDone) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0, 1);
    for (const PartitionRecipe& start : {radii(), in_q()}) {
        PartitionRecipe recipe = start;
        const double minimum = 1.5;
        const std::size_t n = ks::edges(recipe).size();
        for (int step = 0; step < 2000; ++step) {
            const std::size_t edge = random() % n;
            // In q on oblong pixels: along x, where a pixel is smallest, the most q rings fit.
            if (step % 2 == 0)
                ks::move_edge(recipe, edge, 100 + 900 * (unit(random) - 0.5), 80, minimum);
            else
                ks::set_edge(recipe, edge, unit(random) * (recipe.in_q ? 0.7 : 400.0), minimum);
            const Doubles all = ks::edges(recipe);
            ASSERT_EQ(all.size(), n);
            for (std::size_t i = 1; i < n; ++i) {
                ASSERT_GT(all[i], all[i - 1]);
                const auto pixels = [&](double value) {
                    return recipe.in_q ? 300 * std::tan(2 * std::asin(value * 1.2 / (4 * M_PI))) / 0.15
                                       : value;
                };
                // Mean pixel sizes are larger than those along x: counted in them the distance is at least
                // 2/3.
                const double expected = recipe.in_q ? minimum * 2 / 3 : minimum;
                ASSERT_GE(pixels(all[i]) - pixels(all[i - 1]), expected - 1e-9) << "step " << step;
            }
        }
    }
}

TEST(Edges, RefuseWhatIsNone) {
    PartitionRecipe recipe = radii();
    const auto message = [&recipe](std::size_t edge, double value) -> std::string {
        try {
            ks::set_edge(recipe, edge, value);
        } catch (const ks::Error& error) {
            return error.message();
        }
        return {};
    };
    EXPECT_EQ(message(5, 1), "edge 5 does not exist: there are only 5 edges, counted from 0");
    EXPECT_EQ(message(1, NAN), "an edge must be a finite number, found nan");
    recipe.in_q = true;
    EXPECT_EQ(message(1, 1),
              "q needs the wavelength, the distance and the pixel size, but at least one of them is unknown");
    EXPECT_EQ(recipe.radial, radii().radial);
}

}  // namespace
