#include "core/data/pixel_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ks::tests {
namespace {

/// Pixel by pixel: 1 in one of `some` and none of `without`.
std::vector<int> painted(const PixelBlocks& some, const PixelBlocks& without) {
    std::vector<int> pixels(12 * 12, 0);
    const auto paint = [&](const PixelBlocks& rects, int value) {
        for (const PixelBlock& rect : rects)
            for (std::size_t y = rect.top; y < rect.bottom; ++y)
                for (std::size_t x = rect.left; x < rect.right; ++x) pixels[y * 12 + x] = value;
    };
    paint(some, 1);
    paint(without, 0);
    return pixels;
}

TEST(PixelBlocks, DisjointOnesHaveTheSamePixelsOnce) {
    const PixelBlocks some{{0, 4, 0, 6}, {2, 8, 3, 9}, {5, 5, 0, 12}, {9, 10, 1, 2}}, without{{3, 4, 0, 12}};
    const PixelBlocks made = disjoint(some, without);
    EXPECT_EQ(painted(made, {}), painted(some, without));
    std::size_t pixels = 0;
    for (const int pixel : painted(some, without)) pixels += static_cast<std::size_t>(pixel);
    EXPECT_EQ(pixels_of(made), pixels);
}

TEST(PixelBlocks, TilesThatFillAFrameAreOneRectangle) {
    PixelBlocks tiles;
    for (std::size_t y = 0; y < 12; y += 5)
        for (std::size_t x = 0; x < 12; x += 7)
            tiles.push_back({y, std::min<std::size_t>(y + 5, 12), x, std::min<std::size_t>(x + 7, 12)});
    EXPECT_EQ(disjoint(tiles), (PixelBlocks{{0, 12, 0, 12}}));
    EXPECT_EQ(disjoint({{0, 12, 0, 12}}, tiles), PixelBlocks{});
    EXPECT_EQ(disjoint({}), PixelBlocks{});
}

}  // namespace
}  // namespace ks::tests
