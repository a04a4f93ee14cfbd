#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/spots/analysis.h"
#include "core/spots/collector.h"
#include "core/spots/results/spot_columns.h"
#include "tests/core/data/streamed_frames.h"
#include "tests/core/spots/spots_fixture.h"

namespace ks::tests {

/// Frames in memory of which some are not in the file.
class Incomplete : public StreamedFrames {
  public:
    Incomplete(Array stack, std::set<std::size_t> missing)
        : StreamedFrames("holes.h5", std::move(stack)), missing_(std::move(missing)) {}
    bool written(std::size_t frame) const override { return missing_.count(frame) == 0; }

  private:
    std::set<std::size_t> missing_;
};

struct Collected {
    Array stack;                                           ///< [frame][y][x]
    std::vector<std::vector<std::uint32_t>> signals = {};  ///< by frame
    std::vector<std::uint8_t> ignore = {};
    spots::Grouping grouping = {.stills = false, .min_size = 0, .max_size = 1u << 30, .max_separation = 1e9};
    std::set<std::size_t> missing = {};
    std::vector<std::size_t> left_out = {};
    double limit = std::numeric_limits<double>::infinity();
    std::string modules = "whole";
    Geometry geometry = {};

    std::size_t frames() const { return stack.shape()[0]; }
    std::size_t height() const { return stack.shape()[1]; }
    std::size_t width() const { return stack.shape()[2]; }

    spots::SpotProblem problem() const {
        const auto source = std::make_shared<Incomplete>(stack, missing);
        const auto shared = std::make_shared<spots::SharedFrames>(source, 0, frames(), 0, left_out);
        PixelMask mask{height(), width(), ignore};
        spots::Thresholds small;
        small.kernel_x = small.kernel_y = 1;
        spots::SpotProblem problem(shared, ignore.empty() ? PixelMask{} : mask, limit, small,
                                   spots::ModuleLayout::parse(modules, height(), width()), grouping);
        problem.geometry = geometry;
        problem.located = geometry.complete();
        return problem;
    }
    /// What a variant would deliver.
    std::vector<spots::FrameSignal> found() const {
        std::vector<spots::FrameSignal> all;
        const std::size_t bytes = stack.bytes().size() / frames();
        for (std::size_t k = 0; k < frames(); ++k)
            if (missing.count(k) == 0 && std::ranges::find(left_out, k) == left_out.end())
                all.push_back({k, stack.bytes().subspan(k * bytes, bytes), signals[k]});
        return all;
    }
    Result result() const {
        const spots::SpotProblem made = problem();
        spots::SpotCollector collector(made);
        for (const auto& [frame, pixels, signal] : found()) collector.add(frame, pixels, signal);
        return collector.result();
    }
    std::vector<spots::Spot> spots() const { return spots::spots_of(result()); }
};

/// Frames drawn as rows of text: '.' no signal, a digit a signal pixel of that many counts. They are made at
/// least 3 x 3 by rows below and columns at the right.
inline Collected drawn(const std::vector<std::vector<std::string>>& frames) {
    const std::size_t height = std::max<std::size_t>(3, frames[0].size()),
                      width = std::max<std::size_t>(3, frames[0][0].size());
    std::vector<std::uint16_t> values(frames.size() * height * width, 0);
    std::vector<std::vector<std::uint32_t>> signals;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        auto& signal = signals.emplace_back();
        for (std::size_t y = 0; y < frames[k].size(); ++y)
            for (std::size_t x = 0; x < frames[k][y].size(); ++x) {
                const char pixel = frames[k][y][x];
                if (pixel == '.') continue;
                values[(k * height + y) * width + x] = static_cast<std::uint16_t>(pixel - '0');
                signal.push_back(static_cast<std::uint32_t>(y * width + x));
            }
    }
    return {Array::of<std::uint16_t>({frames.size(), height, width}, values), signals};
}

/// Byte for byte, and with the same warnings.
inline void expect_same_tables(const Result& found, const Result& expected) {
    ASSERT_EQ(found.datasets.size(), expected.datasets.size());
    for (std::size_t i = 0; i < found.datasets.size(); ++i) {
        const Dataset &a = found.datasets[i], &b = expected.datasets[i];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.values.shape(), b.values.shape()) << a.name;
        ASSERT_EQ(a.values.bytes().size(), b.values.bytes().size()) << a.name;
        EXPECT_TRUE(std::ranges::equal(a.values.bytes(), b.values.bytes())) << a.name;
    }
    EXPECT_EQ(found.warnings, expected.warnings);
}

/// Tables and facts, but for those of the run itself.
inline void expect_same_results(const Result& found, const Result& expected) {
    expect_same_tables(found, expected);
    auto facts = found.facts, wanted = expected.facts;
    for (const char* own : {"kernels", "frames_per_second"}) {
        facts.erase(own);
        wanted.erase(own);
    }
    EXPECT_EQ(facts, wanted);
}

}  // namespace ks::tests
