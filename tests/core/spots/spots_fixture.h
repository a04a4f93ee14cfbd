#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/data/frame_source.h"
#include "core/spots/problem.h"
#include "core/spots/signal_sink.h"
#include "tests/reference_data.h"

namespace ks::tests {

/// Poisson background with spots, hot pixels and a mask that touches the borders.
struct RandomScene {
    std::size_t frames = 2, height = 61, width = 83;
    double background = 5;
    std::size_t spots = 12, hot = 3;
    double hot_value = 65534;
    bool mask = true;
    unsigned seed = 1;
};

template <class T>
Array stack_of(const RandomScene& scene) {
    std::mt19937 random(scene.seed);
    std::vector<T> values(scene.frames * scene.height * scene.width);
    std::poisson_distribution<int> noise(scene.background);
    for (T& value : values) value = static_cast<T>(scene.background > 0 ? noise(random) : 0);
    const auto add = [&](std::size_t frame, double cy, double cx, double height, double width) {
        for (int dy = -4; dy <= 4; ++dy)
            for (int dx = -4; dx <= 4; ++dx) {
                const double y = std::floor(cy) + dy, x = std::floor(cx) + dx;
                if (y < 0 || x < 0 || y >= static_cast<double>(scene.height) ||
                    x >= static_cast<double>(scene.width))
                    continue;
                const double r2 = (y + 0.5 - cy) * (y + 0.5 - cy) + (x + 0.5 - cx) * (x + 0.5 - cx);
                T& value = values[(frame * scene.height + static_cast<std::size_t>(y)) * scene.width +
                                  static_cast<std::size_t>(x)];
                value = static_cast<T>(value + static_cast<T>(height * std::exp(-r2 / (2 * width * width))));
            }
    };
    std::uniform_real_distribution<double> u(0, 1);
    for (std::size_t frame = 0; frame < scene.frames; ++frame) {
        for (std::size_t i = 0; i < scene.spots; ++i)
            add(frame, u(random) * static_cast<double>(scene.height),
                u(random) * static_cast<double>(scene.width), 20 + 10 * scene.background * u(random),
                0.5 + u(random));
        for (std::size_t i = 0; i < scene.hot; ++i)
            values[frame * scene.height * scene.width + random() % (scene.height * scene.width)] =
                static_cast<T>(scene.hot_value);
    }
    return Array::of<T>({scene.frames, scene.height, scene.width}, values);
}

/// A border of one pixel on the left and at the bottom, a band, single pixels, a corner.
inline PixelMask mask_of(const RandomScene& scene) {
    PixelMask mask{scene.height, scene.width, {}};
    if (!scene.mask) return mask;
    mask.ignore.assign(scene.height * scene.width, 0);
    for (std::size_t y = 0; y < scene.height; ++y)
        for (std::size_t x = 0; x < scene.width; ++x)
            if (x == 0 || y + 1 == scene.height || (x >= 40 && x < 49) || (y * 7 + x * 13) % 97 == 0 ||
                (y < 5 && x + 6 > scene.width))
                mask.ignore[y * scene.width + x] = 1;
    return mask;
}

inline std::shared_ptr<const spots::SpotProblem> problem_of(
    Array stack, PixelMask mask, const spots::Thresholds& thresholds, const std::string& modules = "whole",
    double limit = std::numeric_limits<double>::infinity()) {
    const std::size_t frames = stack.shape()[0], height = stack.shape()[1], width = stack.shape()[2];
    auto source = std::make_shared<MemoryFrames>("scene", std::move(stack));
    auto shared = std::make_shared<spots::SharedFrames>(source, 0, frames, 0);
    return std::make_shared<spots::SpotProblem>(shared, std::move(mask), limit, thresholds,
                                                spots::ModuleLayout::parse(modules, height, width),
                                                spots::Grouping{});
}

/// The definition's signal of one frame of a problem, as ascending indices into the frame.
inline std::vector<std::uint32_t> expected_signal(const spots::SpotProblem& problem, std::size_t frame) {
    std::vector<std::byte> scratch, cut;
    const std::span<const std::byte> pixels = problem.shared()->frame(frame, scratch);
    const spots::ModuleLayout& layout = problem.layout();
    const std::size_t bytes = size_of(problem.type()), image = layout.height * layout.width;
    cut.resize(layout.pixels() * bytes);
    layout.cut(pixels, bytes, cut);
    std::vector<std::uint32_t> found;
    Progress progress;
    for (std::size_t module = 0; module < layout.modules(); ++module) {
        const spots::ImageView view{
            std::span<const std::byte>(cut).subspan(module * image * bytes, image * bytes),
            problem.type(),
            layout.height,
            layout.width,
            std::span(problem.ignore_cut()).subspan(module * image, image),
            problem.limit()};
        const auto signal = spots::reference_signal(view, problem.thresholds(), progress);
        for (std::size_t i = 0; i < image; ++i)
            if (signal[i] != 0)
                found.push_back(static_cast<std::uint32_t>(layout.in_frame(module * image + i)));
    }
    std::ranges::sort(found);
    return found;
}

/// Keeps what a variant delivers.
class KeptSignal : public spots::SignalSink {
  public:
    void add(std::size_t frame, std::span<const std::byte> pixels,
             std::span<const std::uint32_t> signal) override {
        frames.push_back(frame);
        first_pixels.emplace_back(pixels.begin(), pixels.end());
        signals.emplace_back(signal.begin(), signal.end());
    }
    std::vector<std::size_t> frames;
    std::vector<std::vector<std::byte>> first_pixels;
    std::vector<std::vector<std::uint32_t>> signals;
};

}  // namespace ks::tests
