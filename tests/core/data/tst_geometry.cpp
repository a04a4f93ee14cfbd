#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/data/geometry.h"

using ks::Geometry;

namespace {

constexpr double pi = std::numbers::pi;

/// 1 angstrom, 1 m, pixels of 100 um, beam at (100, 50).
Geometry bench() {
    return {1.0, 1000.0, 100.0, 50.0, 100.0, 100.0};
}

TEST(Geometry, IsCompleteOnlyWithWavelengthDistanceAndPixels) {
    EXPECT_TRUE(bench().complete());
    EXPECT_FALSE(Geometry{}.complete());
    for (double Geometry::*part :
         {&Geometry::wavelength, &Geometry::distance, &Geometry::pixel_size_x, &Geometry::pixel_size_y}) {
        Geometry without = bench();
        without.*part = 0;
        EXPECT_FALSE(without.complete());
    }
}

TEST(Geometry, QFollowsTheScatteringAngle) {
    // 1000 pixels of 0.1 mm at 1 m: tan(2 theta) = 0.1.
    const double two_theta = std::atan(0.1);
    EXPECT_NEAR(bench().q(1100, 50), 4 * pi * std::sin(two_theta / 2), 1e-12);
    EXPECT_NEAR(bench().q(100, 1050), bench().q(1100, 50), 1e-12);
    EXPECT_EQ(bench().q(100, 50), 0);
    // Small angles: q = 2 pi r / (lambda L).
    EXPECT_NEAR(bench().q(101, 50), 2 * pi * 1e-4, 1e-9);
    // At 2 theta = 90 degrees q = 4 pi / lambda sin(45 degrees).
    EXPECT_NEAR(bench().q_of_radius(1e9), 4 * pi * std::sqrt(0.5), 1e-4);
}

TEST(Geometry, DIsTheSpacingOfBragg) {
    // n lambda = 2 d sin(theta)
    const double theta = 0.5 * std::atan(0.1);
    EXPECT_NEAR(bench().d(1100, 50), 1.0 / (2 * std::sin(theta)), 1e-9);
    EXPECT_TRUE(std::isinf(bench().d(100, 50)));
}

TEST(Geometry, RadiusOfQInvertsQOfRadius) {
    for (const double radius : {0.5, 10.0, 200.0, 5000.0})
        EXPECT_NEAR(bench().radius_of_q(bench().q_of_radius(radius)).value(), radius, 1e-9 * radius);
    EXPECT_EQ(bench().radius_of_q(0).value(), 0);
    EXPECT_FALSE(bench().radius_of_q(4 * pi * std::sin(pi / 4) + 1e-9));
    EXPECT_FALSE(bench().radius_of_q(-1));
    EXPECT_FALSE(bench().radius_of_q(std::nan("")));
}

TEST(Geometry, OblongPixelsCountInLengths) {
    Geometry oblong = bench();
    oblong.pixel_size_y = 200;
    EXPECT_NEAR(oblong.q(100, 60), oblong.q(120, 50), 1e-15);
}

TEST(Geometry, AzimuthGrowsFromXTowardsY) {
    EXPECT_EQ(bench().phi(110, 50), 0);
    EXPECT_NEAR(bench().phi(100, 60), 90, 1e-12);
    EXPECT_NEAR(bench().phi(90, 50), 180, 1e-12);
    EXPECT_NEAR(bench().phi(100, 40), -90, 1e-12);
    EXPECT_NEAR(bench().phi(105, 55), 45, 1e-12);
}

TEST(Geometry, ARingOfOblongPixelsIsAnEllipse) {
    Geometry oblong = bench();
    oblong.pixel_size_y = 200;
    // tan(2 theta) = 0.1 is reached 100 mm from the beam.
    const auto axes = oblong.ring_of_q(4 * pi * std::sin(std::atan(0.1) / 2));
    ASSERT_TRUE(axes.has_value());
    EXPECT_NEAR(axes->x, 1000, 1e-9);
    EXPECT_NEAR(axes->y, 500, 1e-9);
    EXPECT_FALSE(oblong.ring_of_q(-1));
    EXPECT_FALSE(oblong.ring_of_q(4 * pi));
    EXPECT_EQ(oblong.aspect(), 2);
    EXPECT_EQ(Geometry{}.aspect(), 1);
    for (const double q : {0.001, 0.1, 3.0}) {
        const auto square = bench().ring_of_q(q);
        EXPECT_EQ(square->x, bench().radius_of_q(q).value());
        EXPECT_EQ(square->y, square->x);
    }
}

TEST(Geometry, TheAzimuthOfOblongPixelsIsThatOnTheDetector) {
    Geometry oblong = bench();
    oblong.pixel_size_y = 200;
    // 1 mm across and 1 mm down are 10 and 5 pixels; 0.3 mm and 0.4 mm make a triangle of 3, 4 and 5.
    EXPECT_NEAR(oblong.phi(110, 55), 45, 1e-12);
    EXPECT_NEAR(oblong.phi(97, 48), -180 + std::acos(0.6) * 180 / pi, 1e-12);
    // Where a size is unknown, pixels are taken as square.
    oblong.pixel_size_x = 0;
    EXPECT_NEAR(oblong.phi(105, 55), 45, 1e-12);
}

TEST(Geometry, SwappingExchangesTheBeamCentreAlone) {
    const Geometry swapped = bench().swapped();
    EXPECT_EQ(swapped.beam_x, 50);
    EXPECT_EQ(swapped.beam_y, 100);
    EXPECT_EQ(swapped.swapped(), bench());
    EXPECT_EQ(bench().radius(103, 54), 5);
}

}  // namespace
