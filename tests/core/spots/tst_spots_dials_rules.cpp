// What DIALS' local.h says of windows whose sum is below 0 and of counts of 2^24 and more, written out here
// once more.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/spots/signal/intermediate.h"
#include "core/spots/sliding/sliding.h"
#include "tests/core/spots/spots_fixture.h"

namespace ks::tests {
namespace {

using namespace spots;

constexpr long high = 40, wide = 50, half = 3;
constexpr double big = 16777216;

struct Frame {
    std::vector<float> values = std::vector<float>(high * wide);
    std::vector<std::uint8_t> ignore = std::vector<std::uint8_t>(high * wide, 0);
    float& at(long y, long x) { return values[static_cast<std::size_t>(y * wide + x)]; }
    ImageView view() const {
        return {std::as_bytes(std::span(values)), ElementType::f32, high, wide, ignore};
    }
};

struct Window {
    double m = 0, x = 0, y = 0;
};

/// Rows from left to right, then their sums. @param take(y, x) of pixels inside
template <class Take>
Window window(const Frame& frame, long y, long x, long reach, const Take& take) {
    Window all;
    for (long i = std::max(0L, y - reach); i <= std::min(high - 1, y + reach); ++i) {
        Window row;
        for (long j = std::max(0L, x - reach); j <= std::min(wide - 1, x + reach); ++j) {
            const double p = frame.values[static_cast<std::size_t>(i * wide + j)];
            if (!take(i, j)) continue;
            row.m += 1;
            row.x += p;
            row.y += p * p;
        }
        all.m += row.m;
        all.x += row.x;
        all.y += row.y;
    }
    return all;
}

bool dispersed(const Window& w) {
    return w.m >= 2 && w.x >= 0 &&
           w.m * w.y - w.x * w.x - w.x * (w.m - 1) > w.x * 6 * std::sqrt(2 * (w.m - 1));
}

std::vector<std::uint32_t> dials(const Frame& frame, Algorithm algorithm) {
    const auto value = [&](long y, long x) {
        return double{frame.values[static_cast<std::size_t>(y * wide + x)]};
    };
    const auto summed = [&](long y, long x) { return value(y, x) < big; };
    std::vector<std::uint32_t> signal;
    std::vector<bool> open(high * wide), kept(high * wide);
    for (long y = 0; y < high; ++y)
        for (long x = 0; x < wide; ++x) {
            const Window w = window(frame, y, x, half, summed);
            const auto at = static_cast<std::size_t>(y * wide + x);
            open[at] = !summed(y, x) || dispersed(w);
            if (algorithm == Algorithm::dispersion && value(y, x) > 0 && dispersed(w) &&
                w.m * value(y, x) - w.x > 3 * std::sqrt(w.x * w.m))
                signal.push_back(static_cast<std::uint32_t>(at));
        }
    if (algorithm == Algorithm::dispersion) return signal;
    for (long y = 0; y < high; ++y)
        for (long x = 0; x < wide; ++x) {
            bool all = true;
            for (long i = std::max(0L, y - 2); i <= std::min(high - 1, y + 2); ++i)
                for (long j = std::max(0L, x - 2); j <= std::min(wide - 1, x + 2); ++j)
                    all = all && open[static_cast<std::size_t>(i * wide + j)];
            kept[static_cast<std::size_t>(y * wide + x)] = all;
        }
    for (long y = 0; y < high; ++y)
        for (long x = 0; x < wide; ++x) {
            const auto at = static_cast<std::size_t>(y * wide + x);
            if (!kept[at] || !summed(y, x) || !(value(y, x) > 0)) continue;
            const Window w = window(frame, y, x, half + 2, [&](long i, long j) {
                return summed(i, j) && !kept[static_cast<std::size_t>(i * wide + j)];
            });
            const double mean = w.m >= 2 ? w.x / w.m : 0;
            if (w.x >= 0 && value(y, x) >= mean + 3 * std::sqrt(mean))
                signal.push_back(static_cast<std::uint32_t>(at));
        }
    return signal;
}

void expect_rules(const Frame& frame) {
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        Thresholds t;
        t.algorithm = algorithm;
        Progress progress;
        const std::vector<std::uint32_t> wanted = dials(frame, algorithm);
        EXPECT_FALSE(wanted.empty());
        const auto pixels_of = [](auto flags) {
            std::vector<std::uint32_t> found;
            for (std::uint32_t i = 0; i < flags.size(); ++i)
                if (flags[i] != 0) found.push_back(i);
            return found;
        };
        EXPECT_EQ(pixels_of(reference_signal(frame.view(), t, progress)), wanted);
        std::vector<std::uint32_t> sliding;
        find_signal_sliding(frame.view(), t, 2, progress, sliding);
        EXPECT_EQ(sliding, wanted);
        const Array image = intermediate_image(frame.view(), t, Intermediate::threshold, progress);
        EXPECT_EQ(pixels_of(image.as<std::uint8_t>()), wanted);
    }
}

Frame noise_around_zero(unsigned seed) {
    Frame frame;
    std::mt19937 random(seed);
    std::normal_distribution<float> noise(0, 0.4f);
    for (float& value : frame.values) value = noise(random);
    for (const auto& [y, x] : {std::pair{10L, 12L}, {25L, 30L}, {33L, 5L}, {8L, 44L}})
        for (long dy = -2; dy <= 2; ++dy)
            for (long dx = -2; dx <= 2; ++dx)
                frame.at(y + dy, x + dx) +=
                    std::floor(60 * std::exp(-static_cast<float>(dy * dy + dx * dx) / 2));
    return frame;
}

TEST(DialsRules, windows_whose_sum_is_below_0_are_not_dispersed) {
    for (unsigned seed = 1; seed < 6; ++seed) expect_rules(noise_around_zero(seed));
}

TEST(DialsRules, counts_of_2_to_the_24_and_more_are_in_no_sum) {
    Frame frame = noise_around_zero(9);
    for (float& value : frame.values) value = std::max(0.0f, std::round(value * 3 + 2));
    // In a spot, beside one, and alone.
    frame.at(10, 12) = 16777216;
    frame.at(25, 33) = 3e9f;
    frame.at(20, 20) = 20000000;
    frame.at(33, 6) = 16777215;
    expect_rules(frame);
}

}  // namespace
}  // namespace ks::tests
