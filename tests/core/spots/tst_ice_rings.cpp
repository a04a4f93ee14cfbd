#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <vector>

#include "core/spots/grouping/spot_filter.h"
#include "core/spots/results/frame_columns.h"

using namespace ks::spots;

TEST(IceRings, are_where_powder_patterns_of_ice_have_them) {
    // The rings that crystallographers know ice by, angstrom.
    const double known[] = {3.90, 3.67, 3.44, 2.67, 2.25, 2.07, 1.95,
                            1.92, 1.88, 1.72, 1.52, 1.47, 1.44, 1.37};
    ASSERT_GE(ice_rings().size(), std::size(known));
    for (std::size_t i = 0; i < std::size(known); ++i) EXPECT_NEAR(ice_rings()[i].d, known[i], 0.011) << i;
}

TEST(IceRings, are_all_reflections_that_the_oxygens_give) {
    // Structure factors of oxygen in 4f (1/3, 2/3, 0.0623) of P6_3/mmc, summed over equivalent reflections.
    // Weak is less than 5 % of the first ring, with d^2 for the Lorentz factor.
    const double a = 4.4975, c = 7.3224, z = 0.0623;
    const double oxygens[4][3] = {
        {1. / 3, 2. / 3, z}, {2. / 3, 1. / 3, z + 0.5}, {2. / 3, 1. / 3, -z}, {1. / 3, 2. / 3, 0.5 - z}};
    std::map<long, double> power;  // by 1e8 / d^2
    for (int h = -6; h <= 6; ++h)
        for (int k = -6; k <= 6; ++k)
            for (int l = -9; l <= 9; ++l) {
                const double inverse = 4. / 3 * (h * h + h * k + k * k) / (a * a) + l * l / (c * c);
                if (inverse == 0 || inverse > 1 / (1.12 * 1.12)) continue;
                std::complex<double> factor = 0;
                for (const auto& [x, y, w] : oxygens)
                    factor += std::polar(1.0, 2 * std::numbers::pi * (h * x + k * y + l * w));
                power[std::lround(1e8 * inverse)] += std::norm(factor) / inverse;
            }
    const double first = power.at(std::lround(1e8 / std::pow(ice_rings()[0].d, 2)));
    std::vector<double> strong;
    for (const auto& [inverse, sum] : power)
        if (sum > 0.05 * first) strong.push_back(1 / std::sqrt(1e-8 * static_cast<double>(inverse)));
    ASSERT_EQ(strong.size(), ice_rings().size());
    for (std::size_t i = 0; i < strong.size(); ++i) EXPECT_NEAR(ice_rings()[i].d, strong[i], 1e-5) << i;
}

TEST(IceRings, have_a_width_in_inverse_squares) {
    const double d = ice_rings()[3].d, inverse = 1 / (d * d);
    EXPECT_TRUE(on_ice_ring(1 / std::sqrt(inverse + 0.00199), 0.002));
    EXPECT_FALSE(on_ice_ring(1 / std::sqrt(inverse + 0.00201), 0.002));
    EXPECT_TRUE(on_ice_ring(1 / std::sqrt(inverse - 0.00199), 0.002));
    EXPECT_FALSE(on_ice_ring(std::nan(""), 0.002));
}

TEST(FrameResolution, is_the_95th_percentile_of_the_inverse_squares) {
    std::vector<double> d;  // 1/d^2 from 0.1 to 0.12: between the rings 101 and 102
    for (int i = 0; i <= 100; ++i) d.push_back(1 / std::sqrt(0.1 + 0.0002 * i));
    EXPECT_NEAR(1 / std::pow(frame_resolution(d), 2), 0.1 + 0.0002 * 95, 1e-12);
    std::vector<double> stray = d;
    stray.push_back(0.7);
    EXPECT_NEAR(frame_resolution(stray), frame_resolution(d), 0.01);
}

TEST(FrameResolution, ice_and_spots_without_a_d_are_left_out) {
    std::vector<double> d(9, 5.0);
    d.insert(d.end(), 50, ice_rings()[5].d);
    d.push_back(std::nan(""));
    d.push_back(INFINITY);
    EXPECT_TRUE(std::isnan(frame_resolution(d)));
    d.push_back(5.0);
    EXPECT_NEAR(frame_resolution(d), 5.0, 1e-12);
}
