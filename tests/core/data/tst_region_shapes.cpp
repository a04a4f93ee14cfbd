#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "core/data/regions/region_shapes.h"

using ks::ImagePoint;
using ks::PixelRegion;

namespace {

// The shapes are asked for corners in eighths of a pixel, so that many centres lie exactly on an edge, and
// compared with a test of each pixel in whole numbers of eighths.
constexpr std::int64_t unit = 8;

struct Corner {
    std::int64_t x, y;
    ImagePoint point() const { return {static_cast<double>(x) / unit, static_cast<double>(y) / unit}; }
};

double eighths(std::int64_t n) {
    return static_cast<double>(n) / unit;
}

class Dice {
  public:
    explicit Dice(unsigned seed) : random_(seed) {}
    std::int64_t whole(std::int64_t minimum, std::int64_t maximum) {
        return std::uniform_int_distribution<std::int64_t>(minimum, maximum)(random_);
    }
    double real(double minimum, double maximum) {
        return std::uniform_real_distribution<>(minimum, maximum)(random_);
    }
    /// In and around an image; now and then on whole or half pixels.
    Corner corner(std::size_t height, std::size_t width) {
        const std::int64_t step = std::int64_t{1} << whole(0, 3);
        const auto along = [&](std::size_t n) {
            return whole(-10, static_cast<std::int64_t>(n) + 10) * unit + whole(0, unit / step - 1) * step;
        };
        return {along(width), along(height)};
    }

  private:
    std::mt19937 random_;
};

/// Compares a region with inside(x, y) of the pixels' centres, in eighths.
template <class Inside>
void expect_pixels(const PixelRegion& region, Inside&& inside) {
    for (std::size_t y = 0; y < region.height(); ++y)
        for (std::size_t x = 0; x < region.width(); ++x)
            ASSERT_EQ(region.contains(x, y), inside(static_cast<std::int64_t>(x) * unit + unit / 2,
                                                    static_cast<std::int64_t>(y) * unit + unit / 2))
                << "column " << x << ", row " << y;
}

/// As expect_pixels, of centres in pixels.
template <class Inside>
void expect_centres(const PixelRegion& region, Inside&& inside) {
    expect_pixels(region, [&](std::int64_t x, std::int64_t y) { return inside(eighths(x), eighths(y)); });
}

TEST(RegionShapes, ARectangleHoldsTheCentresBetweenItsCorners) {
    Dice dice(1);
    for (int round = 0; round < 300; ++round) {
        const Corner a = dice.corner(13, 17), b = dice.corner(13, 17);
        expect_pixels(ks::rectangle_region(13, 17, a.point(), b.point()),
                      [&](std::int64_t x, std::int64_t y) {
                          return x >= std::min(a.x, b.x) && x < std::max(a.x, b.x) &&
                                 y >= std::min(a.y, b.y) && y < std::max(a.y, b.y);
                      });
    }
}

TEST(RegionShapes, TwoRectanglesWithACommonEdgeShareNoPixelAndLeaveNoGap) {
    for (const double edge : {3.0, 3.25, 3.5, 3.75}) {
        const PixelRegion left = ks::rectangle_region(4, 8, {0, 0}, {edge, 4});
        const PixelRegion right = ks::rectangle_region(4, 8, {edge, 0}, {8, 4});
        EXPECT_EQ(left.pixels() + right.pixels(), 32U);
        EXPECT_EQ(left.united(right).pixels(), 32U);
    }
}

TEST(RegionShapes, AnEllipseHoldsTheCentresInsideAndThoseOnItsLeftEdge) {
    Dice dice(2);
    for (int round = 0; round < 300; ++round) {
        const Corner centre = dice.corner(31, 37);
        const std::int64_t a = dice.whole(1, 20 * unit), b = round % 3 == 0 ? a : dice.whole(1, 20 * unit);
        expect_pixels(ks::ellipse_region(31, 37, centre.point(), eighths(a), eighths(b)),
                      [&](std::int64_t x, std::int64_t y) {
                          const std::int64_t dx = (x - centre.x) * b, dy = (y - centre.y) * a;
                          const std::int64_t outside = dx * dx + dy * dy - a * b * a * b;
                          return outside < 0 || (outside == 0 && dx < 0);
                      });
    }
}

TEST(RegionShapes, ACircleThroughCentresHoldsTheLeftOnesAndNotTheRightOnes) {
    // 3, 4, 5 and 5, 12, 13: centres that lie exactly on the circle
    const PixelRegion five = ks::ellipse_region(30, 30, {14.5, 14.5}, 5, 5);
    EXPECT_TRUE(five.contains(14 - 3, 14 - 4) && five.contains(14 - 4, 14 + 3) && five.contains(14 - 5, 14));
    EXPECT_FALSE(five.contains(14 + 3, 14 - 4) || five.contains(14 + 4, 14 + 3) || five.contains(14 + 5, 14));
    EXPECT_FALSE(five.contains(14, 14 - 5) || five.contains(14, 14 + 5));
    const PixelRegion thirteen = ks::ellipse_region(30, 30, {14.5, 14.5}, 13, 13);
    EXPECT_TRUE(thirteen.contains(14 - 5, 14 - 12) && thirteen.contains(14 - 12, 14 + 5));
    EXPECT_FALSE(thirteen.contains(14 + 5, 14 - 12) || thirteen.contains(14 + 12, 14 + 5));
}

TEST(RegionShapes, AnEllipseFarLargerThanTheImageCoversIt) {
    EXPECT_EQ(ks::ellipse_region(20, 30, {-1e6, 1e6}, 1e8, 1e8).pixels(), 600U);
    EXPECT_EQ(ks::ellipse_region(20, 30, {15, 10}, 1e200, 1e200).pixels(), 600U);
    EXPECT_EQ(ks::ellipse_region(20, 30, {15, 10}, 1e200, 1).pixels(), 60U);
    EXPECT_TRUE(ks::ellipse_region(20, 30, {-1e6, 1e6}, 1e5, 1e5).empty());
}

TEST(RegionShapes, AnEllipseWithoutAnAxisIsEmpty) {
    EXPECT_TRUE(ks::ellipse_region(20, 30, {10.5, 10.5}, 0, 5).empty());
    EXPECT_TRUE(ks::ellipse_region(20, 30, {10.5, 10.5}, 5, 0).empty());
    EXPECT_TRUE(ks::ellipse_region(20, 30, {10.5, 10.5}, -5, 5).empty());
}

/// Even-odd: edges that a ray to the left meets, its start included.
bool in_polygon(const std::vector<Corner>& corners, std::int64_t x, std::int64_t y) {
    bool inside = false;
    for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
        const Corner &a = corners[i], &b = corners[j];
        if ((a.y <= y) == (b.y <= y)) continue;
        const std::int64_t turn = (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y);
        if (b.y > a.y ? turn <= 0 : turn >= 0) inside = !inside;
    }
    return inside;
}

TEST(RegionShapes, APolygonIsFilledByTheEvenOddRule) {
    Dice dice(3);
    for (int round = 0; round < 400; ++round) {
        std::vector<Corner> corners;
        std::vector<ImagePoint> points;
        for (std::int64_t n = dice.whole(3, 12); n > 0; --n) {
            corners.push_back(dice.corner(23, 29));
            points.push_back(corners.back().point());
        }
        expect_pixels(ks::polygon_region(23, 29, points),
                      [&](std::int64_t x, std::int64_t y) { return in_polygon(corners, x, y); });
    }
}

TEST(RegionShapes, APolygonMayHaveThousandsOfCorners) {
    Dice dice(4);
    std::vector<Corner> corners;
    std::vector<ImagePoint> points;
    for (int i = 0; i < 5000; ++i) {
        corners.push_back(dice.corner(40, 50));
        points.push_back(corners.back().point());
    }
    expect_pixels(ks::polygon_region(40, 50, points),
                  [&](std::int64_t x, std::int64_t y) { return in_polygon(corners, x, y); });
}

TEST(RegionShapes, ATriangulatedImageIsCoveredExactlyOnce) {
    Dice dice(5);
    for (int round = 0; round < 100; ++round) {
        // The four triangles between any inner point and the image's corners
        const ImagePoint inner =
            round % 2 ? dice.corner(0, 0).point() : ImagePoint{dice.real(0, 20), dice.real(0, 20)};
        const ImagePoint middle{std::clamp(inner.x, 1.0, 19.0), std::clamp(inner.y, 1.0, 19.0)};
        const std::vector<ImagePoint> around{{0, 0}, {20, 0}, {20, 20}, {0, 20}};
        PixelRegion all(20, 20);
        std::size_t sum = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const PixelRegion part =
                ks::polygon_region(20, 20, std::vector<ImagePoint>{around[i], around[(i + 1) % 4], middle});
            sum += part.pixels();
            all = all.united(part);
        }
        EXPECT_EQ(sum, 400U);
        EXPECT_EQ(all.pixels(), 400U);
    }
}

TEST(RegionShapes, APolygonFarLargerThanTheImageCoversIt) {
    const std::vector<ImagePoint> huge{{-1e12, -1e12}, {1e12, -1e12}, {0, 1e12}};
    EXPECT_EQ(ks::polygon_region(20, 30, huge).pixels(), 600U);
    const std::vector<ImagePoint> elsewhere{{-1e12, -1e12}, {-1e11, -1e12}, {-5e11, 1e12}};
    EXPECT_TRUE(ks::polygon_region(20, 30, elsewhere).empty());
}

TEST(RegionShapes, FewerThanThreeCornersAreNoPolygon) {
    EXPECT_TRUE(ks::polygon_region(9, 9, {}).empty());
    EXPECT_TRUE(ks::polygon_region(9, 9, std::vector<ImagePoint>{{0, 0}, {9, 9}}).empty());
    EXPECT_TRUE(ks::polygon_region(9, 9, std::vector<ImagePoint>{{0, 0}, {9, 9}, {3, 3}}).empty());
}

/// Where a centre lies to a capsule, in whole numbers: below 0 inside, 0 on its edge.
std::int64_t beyond_capsule(const Corner& a, const Corner& b, std::int64_t diameter, std::int64_t x,
                            std::int64_t y) {
    const std::int64_t dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const std::int64_t along = (x - a.x) * dx + (y - a.y) * dy;
    const auto distance2 = [&](const Corner& end) {
        return (x - end.x) * (x - end.x) + (y - end.y) * (y - end.y);
    };
    if (along <= 0) return 4 * distance2(a) - diameter * diameter;
    if (along >= length2) return 4 * distance2(b) - diameter * diameter;
    const std::int64_t across = (x - a.x) * dy - (y - a.y) * dx;
    return 4 * across * across - diameter * diameter * length2;
}

TEST(RegionShapes, AStrokeHoldsTheCentresWithinItsRadius) {
    Dice dice(6);
    int ties = 0;
    for (int round = 0; round < 600; ++round) {
        const Corner a = dice.corner(27, 33);
        Corner b = dice.corner(27, 33);
        if (round % 5 == 0) b = a;
        if (round % 5 == 1) b.x = a.x;
        if (round % 5 == 2) b.y = a.y;
        const std::int64_t diameter =
            dice.whole(12, 15 * unit);  // 1.5 and more: no pixel is added below the ends
        const PixelRegion region = ks::stroke_region(27, 33, a.point(), b.point(), eighths(diameter));
        EXPECT_EQ(ks::stroke_region(27, 33, b.point(), a.point(), eighths(diameter)), region);
        expect_pixels(region, [&](std::int64_t x, std::int64_t y) {
            const std::int64_t beyond = beyond_capsule(a, b, diameter, x, y);
            if (beyond != 0) return beyond < 0;
            ++ties;
            // On the edge: inside where a point a little to the right is, or where that is on the edge as
            // well (a horizontal one), a little below. A 1/64 of the unit is closer than any other edge.
            const Corner fine_a{a.x * 64, a.y * 64}, fine_b{b.x * 64, b.y * 64};
            const std::int64_t right = beyond_capsule(fine_a, fine_b, diameter * 64, x * 64 + 1, y * 64);
            if (right != 0) return right < 0;
            return beyond_capsule(fine_a, fine_b, diameter * 64, x * 64 + 1, y * 64 + 1) < 0;
        });
    }
    EXPECT_GT(ties, 100) << "the test must meet edges";
}

TEST(RegionShapes, AStrokeWithoutLengthIsADisc) {
    EXPECT_EQ(ks::stroke_region(30, 30, {11.25, 14.5}, {11.25, 14.5}, 9),
              ks::ellipse_region(30, 30, {11.25, 14.5}, 4.5, 4.5));
}

/// Pixels that can be reached from the first one over sides and corners.
std::size_t connected_pixels(const PixelRegion& region) {
    if (region.empty()) return 0;
    std::vector<std::uint8_t> seen(region.height() * region.width());
    std::vector<std::pair<std::size_t, std::size_t>> todo{{region.spans()[0].first, region.spans()[0].y}};
    seen[todo[0].second * region.width() + todo[0].first] = 1;
    std::size_t count = 0;
    while (!todo.empty()) {
        const auto [x, y] = todo.back();
        todo.pop_back();
        ++count;
        for (std::size_t v = y - std::min<std::size_t>(y, 1); v <= std::min(y + 1, region.height() - 1); ++v)
            for (std::size_t u = x - std::min<std::size_t>(x, 1); u <= std::min(x + 1, region.width() - 1);
                 ++u)
                if (region.contains(u, v) && !seen[v * region.width() + u]) {
                    seen[v * region.width() + u] = 1;
                    todo.emplace_back(u, v);
                }
    }
    return count;
}

TEST(RegionShapes, AThinStrokeIsAConnectedLineFromEndToEnd) {
    Dice dice(7);
    for (int round = 0; round < 2000; ++round) {
        ImagePoint a{dice.real(0, 40), dice.real(0, 30)}, b{dice.real(0, 40), dice.real(0, 30)};
        if (round % 2) {  // whole and half pixels, and lines through the pixels' corners
            a = {std::floor(2 * a.x) / 2, std::floor(2 * a.y) / 2};
            b = {std::floor(2 * b.x) / 2, std::floor(2 * b.y) / 2};
            b.x = std::clamp(b.x, a.x - 14, a.x + 14);
            const double fall = std::abs(b.x - a.x) * (round % 3 == 0 ? 0.5 : 1);
            if (round % 4 == 1) b.y = a.y < 15 ? a.y + fall : a.y - fall;
        }
        const double diameter =
            std::vector<double>{0, 0.3, 1, 1.2, 1.4}[static_cast<std::size_t>(round / 2 % 5)];
        const PixelRegion region = ks::stroke_region(30, 40, a, b, diameter);
        for (const ImagePoint end : {a, b})
            ASSERT_TRUE(region.contains(static_cast<std::size_t>(end.x), static_cast<std::size_t>(end.y)));
        ASSERT_EQ(connected_pixels(region), region.pixels())
            << a.x << " " << a.y << " " << b.x << " " << b.y << " " << diameter;
    }
}

double distance_to_line(ImagePoint a, ImagePoint b, double x, double y) {
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const double t = length2 > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / length2, 0.0, 1.0) : 0;
    return std::hypot(x - a.x - t * dx, y - a.y - t * dy);
}

TEST(RegionShapes, AStrokeOfOnePixelAddsOnlyThePixelsBelowItsEnds) {
    Dice dice(8);
    for (int round = 0; round < 500; ++round) {
        const ImagePoint a{dice.real(0, 40), dice.real(0, 30)}, b{dice.real(0, 40), dice.real(0, 30)};
        expect_centres(ks::stroke_region(30, 40, a, b, 1), [&](double x, double y) {
            const auto below = [&](ImagePoint end) {
                return std::floor(end.x) == x - 0.5 && std::floor(end.y) == y - 0.5;
            };
            return distance_to_line(a, b, x, y) <= 0.5 || below(a) || below(b);
        });
    }
}

TEST(RegionShapes, AStrokeThinnerThanAPixelStaysOnePixelWide) {
    const PixelRegion line = ks::stroke_region(30, 40, {2.5, 3.5}, {30.5, 17.5}, 0);
    EXPECT_EQ(line.pixels(), 29U) << "one a column";
    const PixelRegion steep = ks::stroke_region(40, 30, {3.5, 2.5}, {17.5, 30.5}, 0.01);
    EXPECT_EQ(steep.pixels(), 29U) << "one a row";
}

TEST(RegionShapes, AStrokeFromFarAwayIsCutOff) {
    const PixelRegion region = ks::stroke_region(30, 40, {-1e9, 15.5}, {1e9, 15.5}, 3);
    EXPECT_EQ(region.pixels(), 120U);
    EXPECT_EQ(ks::stroke_region(30, 40, {-1e9, 15.5}, {1e9, 15.5}, 0).pixels(), 40U);
    EXPECT_TRUE(ks::stroke_region(30, 40, {-1e9, -15}, {1e9, -15}, 3).empty());
    EXPECT_TRUE(ks::stroke_region(30, 40, {-5, -5}, {-5, -5}, 1).empty());
}

TEST(RegionShapes, WhatIsNotFiniteIsEmpty) {
    const double infinite = std::numeric_limits<double>::infinity(),
                 largest = std::numeric_limits<double>::max();
    for (const double bad : {std::nan(""), infinite, -infinite}) {
        EXPECT_TRUE(ks::rectangle_region(9, 9, {bad, 0}, {9, 9}).empty());
        EXPECT_TRUE(ks::rectangle_region(9, 9, {0, 0}, {9, bad}).empty());
        EXPECT_TRUE(ks::ellipse_region(9, 9, {bad, 4}, 3, 3).empty());
        EXPECT_TRUE(ks::ellipse_region(9, 9, {4, 4}, bad, 3).empty());
        EXPECT_TRUE(ks::ellipse_region(9, 9, {4, 4}, 3, bad).empty());
        EXPECT_TRUE(
            ks::polygon_region(9, 9, std::vector<ImagePoint>{{0, 0}, {9, bad}, {9, 9}, {0, 9}}).empty());
        EXPECT_TRUE(ks::stroke_region(9, 9, {bad, 4}, {5, 5}, 3).empty());
        EXPECT_TRUE(ks::stroke_region(9, 9, {4, 4}, {5, bad}, 3).empty());
        EXPECT_TRUE(ks::stroke_region(9, 9, {4, 4}, {5, 5}, bad).empty());
    }
    EXPECT_EQ(ks::rectangle_region(9, 9, {-largest, -largest}, {largest, largest}).pixels(), 81U);
    EXPECT_EQ(ks::stroke_region(9, 9, {-largest, 4}, {largest, 4}, largest).pixels(), 81U);
}

TEST(RegionShapes, AnImageWithoutPixelsHasEmptyShapes) {
    EXPECT_TRUE(ks::rectangle_region(0, 9, {0, 0}, {9, 9}).empty());
    EXPECT_TRUE(ks::ellipse_region(9, 0, {4, 4}, 3, 3).empty());
    EXPECT_TRUE(ks::polygon_region(0, 0, std::vector<ImagePoint>{{0, 0}, {9, 0}, {9, 9}}).empty());
    EXPECT_TRUE(ks::stroke_region(0, 9, {4, 4}, {5, 5}, 1).empty());
}

}  // namespace
