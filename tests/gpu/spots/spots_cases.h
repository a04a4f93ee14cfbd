#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/io/open_frames.h"
#include "core/spots/analysis.h"
#include "tests/core/spots/patches_fixture.h"
#include "tests/gpu/spots/spots_device.h"

// Scenes, and what all OpenCL spot finders must find in them: the signal of the definition, bit for bit.
namespace ks::tests {

using namespace ks::spots;

using ProblemPtr = std::shared_ptr<const SpotProblem>;

struct Case {
    const char* name;
    ProblemPtr problem;
};

template <class T>
ProblemPtr scene(const RandomScene& scene, const Thresholds& thresholds = {},
                 const std::string& modules = "whole",
                 double limit = std::numeric_limits<double>::infinity()) {
    return problem_of(stack_of<T>(scene), mask_of(scene), thresholds, modules, limit);
}

/// Signed counts with some below 0.
template <class T>
Array with_negatives(const RandomScene& scene) {
    const Array stack = stack_of<T>(scene);
    std::vector<T> values(stack.as<T>().begin(), stack.as<T>().end());
    for (std::size_t i = 0; i < values.size(); i += 131) values[i] = -1;
    return Array::of<T>({scene.frames, scene.height, scene.width}, values);
}

/// Floats with fractions, values below 0, NaN and infinite ones, and one that is so large that a sliding sum
/// would not forget it.
inline Array awkward_floats(const RandomScene& scene) {
    const Array stack = stack_of<float>(scene);
    std::vector<float> values(stack.as<float>().begin(), stack.as<float>().end());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = values[i] * 0.37f - (i % 7 == 0 ? 0.5f : 0.0f);
    values[200] = std::numeric_limits<float>::quiet_NaN();
    values[900] = std::numeric_limits<float>::infinity();
    values[1700] = -std::numeric_limits<float>::infinity();
    values[3000] = 1e18f;
    return Array::of<float>({scene.frames, scene.height, scene.width}, values);
}

/// Floats around 0, as calibrated detectors write them: half of the windows have a sum below 0.
inline Array floats_around_zero(const RandomScene& scene) {
    const Array stack = stack_of<float>(scene);
    std::vector<float> values(stack.as<float>().begin(), stack.as<float>().end());
    std::mt19937 random(scene.seed + 1);
    std::normal_distribution<float> noise(0, 0.4f);
    for (float& value : values) value += noise(random) - 0.1f;
    return Array::of<float>({scene.frames, scene.height, scene.width}, values);
}

template <class T>
Array checkerboard(std::size_t frames, std::size_t side, T high) {
    std::vector<T> values(frames * side * side);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i / side + i % side) % 2 == 0 ? T{0} : high;
    return Array::of<T>({frames, side, side}, values);
}

/// Single counts of 5 to 104 on nothing, to the right of pixels that all have the same large count.
template <class T>
Array dim_beside_bright(T bright) {
    constexpr std::size_t height = 60, width = 112, border = 56;
    std::vector<T> values(height * width, T{0});
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t x = i % width, y = i / width;
        if (x < border) values[i] = bright;
        if (x >= border && x % 8 == 4 && y % 8 == 4) values[i] = static_cast<T>(5 + i % 100);
    }
    return Array::of<T>({1, height, width}, values);
}

inline Thresholds with(int kx, int ky, double sigma_b = 6, double sigma_s = 3, int min_local = 2,
                       double threshold = 0, double gain = 1) {
    return {Algorithm::dispersion, kx, ky, sigma_b, sigma_s, min_local, threshold, gain};
}

inline std::vector<Case> cases() {
    const Thresholds loose = with(3, 3, 1, 0.5);
    return {
        {"background 0.1", scene<std::uint16_t>({.background = 0.1})},
        {"background 0.3, loose", scene<std::uint16_t>({.background = 0.3, .seed = 2}, loose)},
        {"background 1", scene<std::uint16_t>({.background = 1, .seed = 3}, with(3, 3, 3, 2))},
        {"background 30, loose", scene<std::uint16_t>({.background = 30, .seed = 4}, loose)},
        {"background 5000", scene<std::uint16_t>({.background = 5000, .seed = 5}, with(3, 3, 1, 1))},
        {"no thresholds at all", scene<std::uint16_t>({.background = 2, .seed = 6}, with(3, 3, 0, 0))},
        {"a pixel more than a word wide",
         scene<std::uint16_t>({.height = 33, .width = 65, .seed = 7}, loose)},
        {"as small as the window",
         scene<std::uint16_t>({.height = 7, .width = 7, .spots = 2, .mask = false}, loose)},
        {"no mask, one frame", scene<std::uint16_t>({.frames = 1, .mask = false}, loose)},
        {"a limit and a gain",
         scene<std::uint16_t>({.seed = 8}, with(3, 3, 1, 1, 2, 0, 2.5), "whole", 60000)},
        {"a gain below 1", scene<std::uint16_t>({.seed = 9}, with(2, 3, 1, 1, 9, 4.5, 0.3))},
        {"window 3 x 5", scene<std::uint16_t>({.background = 0.5, .seed = 10}, with(1, 2, 2, 1))},
        {"window 31 x 31", scene<std::uint16_t>({.background = 3, .seed = 11}, with(15, 15, 2, 2))},
        {"window 13 x 29",
         scene<std::uint8_t>({.background = 3, .hot_value = 255, .seed = 12}, with(6, 14, 2, 2))},
        {"modules", scene<std::uint16_t>({.seed = 13}, loose, "19,25,3,4")},
        {"u8", scene<std::uint8_t>({.background = 4, .hot_value = 255, .seed = 14}, loose)},
        {"u8 with a limit",
         scene<std::uint8_t>({.background = 4, .hot_value = 255, .seed = 15}, loose, "whole", 254.5)},
        {"u32", scene<std::uint32_t>({.background = 300, .hot_value = 4294967295.0, .seed = 16}, loose)},
        {"u32, large windows",
         scene<std::uint32_t>({.background = 3, .hot_value = 4294967290.0, .seed = 17}, with(7, 8, 1, 1))},
        {"i16",
         problem_of(with_negatives<std::int16_t>({.hot_value = 32767, .seed = 18}), mask_of({}), loose)},
        {"i32",
         problem_of(with_negatives<std::int32_t>({.hot_value = 2147483647, .seed = 19}), mask_of({}), loose)},
        {"i32, gain", problem_of(with_negatives<std::int32_t>({.hot_value = 2147483647, .seed = 19}),
                                 mask_of({}), with(3, 3, 0.5, 0.5, 2, 0, 1.7))},
        {"i64",
         problem_of(with_negatives<std::int64_t>({.hot_value = 2147483647, .seed = 20}), mask_of({}), loose)},
        {"f32", problem_of(awkward_floats({.seed = 21}), mask_of({}), loose)},
        {"f32, limit, gain",
         problem_of(awkward_floats({.seed = 22}), mask_of({}), with(2, 4, 1, 1, 5, 0.7, 0.8), "whole", 40.1)},
        {"f32 around 0",
         problem_of(floats_around_zero({.background = 0.1, .hot = 0, .seed = 24}), mask_of({}), {})},
        {"u32 from 2^24 on",
         scene<std::uint32_t>({.frames = 1, .background = 3, .hot = 60, .hot_value = 16777216.0, .seed = 25},
                              loose)},
        {"f32 from 2^24 on, modules",
         scene<float>({.background = 3, .hot = 60, .hot_value = 16777216.0, .seed = 26}, loose, "19,25,3,4")},
        {"checkerboard of 0 and 65535",
         problem_of(checkerboard<std::uint16_t>(2, 64, 65535), {}, with(3, 3, 6, 0.1))},
        {"u16, dim beside bright", problem_of(dim_beside_bright<std::uint16_t>(40000), {}, with(3, 3))},
        {"u32, dim beside bright", problem_of(dim_beside_bright<std::uint32_t>(10'000'000), {}, with(3, 3))},
        {"seven frames", scene<std::uint16_t>({.frames = 7, .height = 40, .width = 50, .seed = 23}, loose)},
    };
}

inline ProblemPtr extended(const ProblemPtr& basic, ExtendedRule rule = ExtendedRule::newer) {
    Thresholds thresholds = basic->thresholds();
    thresholds.algorithm = Algorithm::dispersion_extended;
    thresholds.extended_rule = rule;
    PixelMask mask{basic->height(), basic->width(), basic->ignore()};
    return std::make_shared<SpotProblem>(basic->shared(), mask, basic->limit(), thresholds, basic->layout(),
                                         Grouping{});
}

inline bool usable(const Variant& variant, const DeviceInfo& device, const SpotProblem& problem) {
    if (variant.constraints.fp64 && !device.fp64) return false;
    return why_not(variant, traits_of(problem), device.fp64).empty();
}

/// @param with_define only variants that have it; empty: all
/// @return number of signal pixels
inline std::size_t expect_definition(const std::string& name, const SpotProblem& problem,
                                     std::optional<std::uint64_t> memory_limit = {},
                                     const std::map<std::string, std::string>& defines = {},
                                     const std::string& with_define = {}) {
    std::vector<std::vector<std::uint32_t>> expected;
    std::size_t signal = 0;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) {
            expected.push_back(expected_signal(problem, frame));
            signal += expected.back().size();
        }
    for (const auto& device : test_devices())
        for (const gpu::spots::SpotVariant& row : gpu::spots::spot_variants()) {
            if (!usable(row.info, device->info(), problem)) continue;
            if (!with_define.empty() && !has_define(row.info, with_define)) continue;
            const FoundSignal found = find_on(*device, row.info.id, problem, memory_limit, defines);
            EXPECT_EQ(found.kept.signals.size(), expected.size());
            for (std::size_t k = 0; k < expected.size() && k < found.kept.signals.size(); ++k)
                EXPECT_TRUE(found.kept.signals[k] == expected[k])
                    << name << ", " << row.info.id << ", frame " << k << ": " << found.kept.signals[k].size()
                    << " pixels, " << expected[k].size() << " by definition";
        }
    return signal;
}

/// The name of a case as one of a test.
inline std::string name_of_case(const ::testing::TestParamInfo<std::size_t>& instance) {
    std::string name = cases()[instance.param].name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

}  // namespace ks::tests
