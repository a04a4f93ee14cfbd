#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/data/calibration/calibration.h"

namespace ks {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::vector<ImagePoint> arc(double x, double y, double radius, double from, double to, int n,
                            double noise = 0) {
    std::mt19937 random(7);
    std::normal_distribution<double> off(0, 1);
    std::vector<ImagePoint> points;
    for (int i = 0; i < n; ++i) {
        const double at = (from + (to - from) * i / (n - 1)) * degree, r = radius + noise * off(random);
        points.push_back({x + r * std::cos(at), y + r * std::sin(at)});
    }
    return points;
}

/// Mean square of the distances to the best circle around (x, y).
double spread_around(const std::vector<ImagePoint>& points, double x, double y, double* radius = nullptr) {
    double sum = 0, squares = 0;
    const auto n = static_cast<double>(points.size());
    for (const ImagePoint& p : points) sum += std::hypot(p.x - x, p.y - y);
    for (const ImagePoint& p : points) squares += std::pow(std::hypot(p.x - x, p.y - y) - sum / n, 2);
    if (radius != nullptr) *radius = sum / n;
    return squares / n;
}

std::string refused(const std::vector<ImagePoint>& points) {
    try {
        fit_circle(points);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        return error.message();
    }
    return {};
}

TEST(CircleFit, ExactPointsGiveTheCircle) {
    for (const double span : {360.0, 90.0, 5.0}) {
        const CircleFit fit = fit_circle(arc(-5.4, 4085.9, 187.5, -40, -40 + span, 12));
        EXPECT_NEAR(fit.x, -5.4, 1e-6) << span;
        EXPECT_NEAR(fit.y, 4085.9, 1e-6) << span;
        EXPECT_NEAR(fit.radius, 187.5, 1e-6) << span;
        EXPECT_LT(fit.rms, 1e-8) << span;
    }
}

TEST(CircleFit, ARingOfOblongPixelsIsACircleOnTheDetector) {
    // 2 mm on pixels of 0.05 x 0.1 mm, of which the mean is 0.075 mm.
    std::vector<ImagePoint> points;
    for (const double angle : {120, 150, 180, 210, 240})
        points.push_back({190.5 + 40 * std::cos(angle * degree), 95.5 + 20 * std::sin(angle * degree)});
    const CircleFit fit = fit_ring(points, 2);
    EXPECT_NEAR(fit.x, 190.5, 1e-9);
    EXPECT_NEAR(fit.y, 95.5, 1e-9);
    EXPECT_NEAR(fit.radius, 2 / 0.075, 1e-9);
    EXPECT_NEAR(fit.rms, 0, 1e-9);
    const std::vector<ImagePoint> circle = arc(-5.4, 4085.9, 187.5, -40, 50, 12, 0.3);
    const CircleFit square = fit_ring(circle, 1), plain = fit_circle(circle);
    EXPECT_EQ(square.x, plain.x);
    EXPECT_EQ(square.y, plain.y);
    EXPECT_EQ(square.radius, plain.radius);
    EXPECT_EQ(square.rms, plain.rms);
}

TEST(CircleFit, ThreePointsLieOnTheirCircle) {
    const CircleFit fit = fit_circle(std::vector<ImagePoint>{{0, 0}, {4, 0}, {0, 3}});
    // Thales: the hypotenuse is a diameter.
    EXPECT_NEAR(fit.x, 2, 1e-9);
    EXPECT_NEAR(fit.y, 1.5, 1e-9);
    EXPECT_NEAR(fit.radius, 2.5, 1e-9);
}

TEST(CircleFit, ANoisyArcOf30DegreesIsTheBestOfAllCircles) {
    const std::vector<ImagePoint> points = arc(500, 300, 200, 10, 40, 25, 0.5);
    const CircleFit fit = fit_circle(points);
    // Brute force: the best of a grid of centres that shrinks around its best until it is 1e-7 px wide.
    double x = 500, y = 300;
    for (double width = 100; width > 1e-7; width *= 0.8) {
        double best = std::numeric_limits<double>::infinity(), best_x = x, best_y = y;
        for (int i = -10; i <= 10; ++i)
            for (int j = -10; j <= 10; ++j) {
                const double value = spread_around(points, x + width * i / 10, y + width * j / 10);
                if (value < best) best = value, best_x = x + width * i / 10, best_y = y + width * j / 10;
            }
        x = best_x;
        y = best_y;
    }
    double radius = 0;
    const double minimum = spread_around(points, x, y, &radius);
    EXPECT_NEAR(fit.x, x, 1e-3);
    EXPECT_NEAR(fit.y, y, 1e-3);
    EXPECT_NEAR(fit.radius, radius, 1e-3);
    EXPECT_NEAR(fit.rms, std::sqrt(minimum), 1e-9);
    // A short arc is a bad witness of its centre; the scale of this one's noise must not hide that it is
    // near.
    EXPECT_NEAR(fit.radius, 200, 25);
}

TEST(CircleFit, RefusesWhatIsNoCircle) {
    EXPECT_NE(refused({{0, 0}, {1, 0}}).find("at least 3 points, found 2"), std::string::npos);
    EXPECT_NE(refused({{10, 20}, {11, 22}, {12, 24}, {15, 30}}).find("on one line"), std::string::npos);
    EXPECT_NE(refused({{3, 3}, {3, 3}, {3, 3}}).find("all points are identical"), std::string::npos);
    EXPECT_NE(refused({{3, 3}, {3, 3}, {4, 9}}).find("on one line"), std::string::npos);
    EXPECT_NE(refused({{0, 0}, {1, std::nan("")}, {2, 5}}).find("finite"), std::string::npos);
    EXPECT_NE(refused({{0, 0}, {1, 7}, {std::numeric_limits<double>::infinity(), 5}}).find("finite"),
              std::string::npos);
}

}  // namespace
}  // namespace ks
