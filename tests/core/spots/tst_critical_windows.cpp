#include "core/spots/synthetic/critical_windows.h"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/spots/signal/reference.h"

namespace ks::spots {
namespace {

constexpr std::size_t height = 63, width = 70, pixels = height * width, frames = 2;

template <class T>
struct Made {
    std::vector<T> counts;
    PixelMask mask;
};

template <class T = std::uint16_t>
Made<T> make(const Thresholds& thresholds, double background, std::uint64_t seed = 7) {
    Made<T> made;
    Random random(3, 0);
    made.counts.resize(frames * pixels);
    for (T& count : made.counts) count = static_cast<T>(random.poisson(background));
    make_windows_critical(std::span<T>(made.counts), height, width,
                          ModuleLayout::parse("whole", height, width), thresholds, seed, made.mask);
    return made;
}

template <class T>
bool is_signal(const Made<T>& made, const Thresholds& thresholds, std::size_t frame, std::uint32_t pixel,
               int more) {
    std::vector<T> image(made.counts.begin() + static_cast<std::ptrdiff_t>(frame * pixels),
                         made.counts.begin() + static_cast<std::ptrdiff_t>((frame + 1) * pixels));
    image[pixel] = static_cast<T>(static_cast<int>(image[pixel]) + more);
    const ImageView view{.pixels = std::as_bytes(std::span(image)),
                         .type = sizeof(T) == 2 ? ElementType::u16 : ElementType::u32,
                         .height = height,
                         .width = width,
                         .ignore = made.mask.ignore};
    return reference_signal_at(view, thresholds, std::span(&pixel, 1)).at(0) != 0;
}

TEST(CriticalWindows, one_count_decides_about_each_centre) {
    for (const double background : {4.0, 900.0}) {
        const Thresholds thresholds;
        const auto made = make(thresholds, background);
        std::size_t least = 0, below = 0, never = 0;
        for (std::size_t frame = 0; frame < frames; ++frame)
            for (std::uint32_t y = 0; y < height; y += 7)
                for (std::uint32_t x = 0; x < width; x += 7) {
                    const auto centre = static_cast<std::uint32_t>(y * width + x);
                    const bool now = is_signal(made, thresholds, frame, centre, 0);
                    if (now) {
                        ++least;
                        EXPECT_FALSE(is_signal(made, thresholds, frame, centre, -1)) << x << ", " << y;
                    } else if (made.counts[frame * pixels + centre] == 65533) {
                        ++never;
                    } else {
                        ++below;
                        EXPECT_TRUE(is_signal(made, thresholds, frame, centre, 1)) << x << ", " << y;
                    }
                }
        EXPECT_GT(least, 50U);
        EXPECT_GT(below, 50U);
        EXPECT_GT(never, 10U);  // a single valid pixel
    }
}

TEST(CriticalWindows, counts_of_32_bits_are_so_large_that_products_of_windows_are_beyond_32_bits) {
    Thresholds thresholds;
    thresholds.kernel_x = thresholds.kernel_y = 10;
    const auto made = make<std::uint32_t>(thresholds, 30);
    constexpr std::uint32_t largest = 16777215;  // of those in sums
    std::size_t decided = 0, beyond = 0;
    for (std::size_t frame = 0; frame < frames; ++frame)
        for (std::uint32_t y = 21; y + 11 <= height; y += 21)
            for (std::uint32_t x = 21; x + 11 <= width; x += 21) {
                const auto centre = static_cast<std::uint32_t>(y * width + x);
                const std::uint32_t count = made.counts[frame * pixels + centre];
                ASSERT_LE(count, largest);
                if (count == largest) continue;  // none is signal
                const bool now = is_signal(made, thresholds, frame, centre, 0);
                EXPECT_NE(now, is_signal(made, thresholds, frame, centre, now ? -1 : 1)) << x << ", " << y;
                ++decided;
                beyond += std::uint64_t{441} * count > 0xffffffff ? 1 : 0;
            }
    EXPECT_GE(decided, 3U);
    EXPECT_GE(beyond, 1U);
}

/// Signal of pixels with a single count is decided by a count of another one, in any row and column of the
/// window, for rows of any remainder modulo its height.
TEST(CriticalWindows, of_hardly_any_counts_only_one_decides_about_many_pixels) {
    const Thresholds thresholds;
    std::set<std::uint16_t> counts;
    std::set<std::size_t> remainders;
    std::set<int> beside, below;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
        const auto made = make(thresholds, 0.02, seed);
        counts.insert(made.counts.begin(), made.counts.end());
        for (std::size_t i = 0; i < frames * pixels; ++i)
            if (made.counts[i] >= 3) remainders.insert(i % pixels / width % 7);
        for (std::size_t frame = 0; frame < frames; ++frame)
            for (std::uint32_t y = 3; y + 3 < height; ++y)
                for (std::uint32_t x = 3; x + 3 < width; ++x) {
                    const auto at = static_cast<std::uint32_t>(y * width + x);
                    if (made.counts[frame * pixels + at] != 3) continue;
                    EXPECT_TRUE(is_signal(made, thresholds, frame, at, 0)) << x << ", " << y;
                    EXPECT_FALSE(is_signal(made, thresholds, frame, at, -1)) << x << ", " << y;
                    for (std::uint32_t row = y - 3; row <= y + 3; ++row)
                        for (std::uint32_t column = x - 3; column <= x + 3; ++column) {
                            const auto other = static_cast<std::uint32_t>(row * width + column);
                            if (made.counts[frame * pixels + other] != 1 ||
                                !is_signal(made, thresholds, frame, other, 0))
                                continue;
                            beside.insert(static_cast<int>(column) - static_cast<int>(x));
                            below.insert(static_cast<int>(row) - static_cast<int>(y));
                        }
                }
    }
    EXPECT_LE(*counts.rbegin(), 5);
    EXPECT_EQ(remainders.size(), 7U);
    EXPECT_EQ(beside.size(), 7U);
    EXPECT_EQ(below.size(), 7U);
}

TEST(CriticalWindows, some_pixels_are_masked_and_have_counts) {
    const auto made = make(Thresholds(), 4);
    ASSERT_EQ(made.mask.ignore.size(), pixels);
    std::size_t masked = 0, with_counts = 0;
    for (std::size_t at = 0; at < pixels; ++at)
        if (made.mask.ignore[at] != 0) {
            ++masked;
            with_counts += made.counts[at] > 60000 ? 1 : 0;
        }
    EXPECT_GT(masked, pixels / 10);
    EXPECT_LT(masked, pixels / 2);
    EXPECT_GT(with_counts, masked / 4);
}

}  // namespace
}  // namespace ks::spots
