// How long the host takes to find the signal of a frame of an Eiger 16M: Poisson backgrounds with 3000 spots,
// the gaps between the modules masked or not.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/spots/sliding/sliding.h"

namespace {

using namespace ks;
using namespace ks::spots;

constexpr std::size_t height = 4362, width = 4148;
constexpr std::size_t runs = 15;

/// Backgrounds are drawn from a pool: 18 million draws of their own would take longer than the measurement.
std::vector<std::uint16_t> frame_of(double background, unsigned seed) {
    std::mt19937 random(seed);
    std::poisson_distribution<int> noise(background);
    std::vector<std::uint16_t> pool(2097169), frame(height * width);
    for (std::uint16_t& value : pool) value = static_cast<std::uint16_t>(noise(random));
    for (std::size_t i = 0; i < frame.size(); ++i) frame[i] = pool[i % pool.size()];
    std::uniform_real_distribution<double> u(0, 1);
    for (int spot = 0; spot < 3000; ++spot) {
        const double y = 5 + u(random) * (height - 10), x = 5 + u(random) * (width - 10);
        const double peak = 20 + 20 * background * u(random), sigma = 0.7 + u(random);
        for (int dy = -4; dy <= 4; ++dy)
            for (int dx = -4; dx <= 4; ++dx) {
                const double r2 =
                    std::pow(std::floor(y) + dy + 0.5 - y, 2) + std::pow(std::floor(x) + dx + 0.5 - x, 2);
                std::uint16_t& value =
                    frame[static_cast<std::size_t>(y + dy) * width + static_cast<std::size_t>(x + dx)];
                value = static_cast<std::uint16_t>(value + peak * std::exp(-r2 / (2 * sigma * sigma)));
            }
    }
    return frame;
}

std::vector<std::uint8_t> gaps(bool there) {
    std::vector<std::uint8_t> ignore(height * width);
    for (std::size_t y = 0; there && y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            ignore[y * width + x] = y % 551 >= 514 || x % 1040 >= 1030 ? 1 : 0;
    return ignore;
}

void print_row(const std::string& name, const std::vector<std::vector<std::uint16_t>>& frames, bool masked,
               Algorithm algorithm, unsigned threads) {
    const std::vector<std::uint8_t> ignore = gaps(masked);
    Thresholds thresholds;
    thresholds.algorithm = algorithm;
    std::vector<double> times;
    std::vector<std::uint32_t> signal;
    Progress progress;
    for (std::size_t run = 0; run <= runs; ++run) {
        const ImageView view{std::as_bytes(std::span(frames[run % frames.size()])), ElementType::u16, height,
                             width, ignore};
        const auto begin = std::chrono::steady_clock::now();
        find_signal_sliding(view, thresholds, threads, progress, signal);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        // The first run warms up.
        if (run > 0) times.push_back(time.count());
    }
    std::ranges::sort(times);
    fmt::print("| {} | {} | {} | {} | {:.1f} ms | {:.1f} .. {:.1f} ms | {} |\n", name,
               masked ? "gaps" : "whole", algorithm == Algorithm::dispersion ? "dispersion" : "extended",
               threads, times[runs / 2], times[runs / 4], times[runs - 1 - runs / 4], signal.size());
    std::fflush(stdout);
}

}  // namespace

int main() {
    const unsigned all = std::max(1U, std::thread::hardware_concurrency());
    fmt::print("| background | mask | algorithm | threads | median | half of the runs | signal |\n");
    for (const double background : {0.1, 5.0, 100.0}) {
        const std::vector<std::vector<std::uint16_t>> frames{frame_of(background, 1),
                                                             frame_of(background, 2)};
        for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended})
            for (const bool masked : {false, true})
                print_row(fmt::format("{}", background), frames, masked, algorithm, all);
        print_row(fmt::format("{}", background), frames, true, Algorithm::dispersion, 1);
    }
}
