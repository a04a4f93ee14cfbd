// dispersion_extended by the older rule for masked pixels: the steps of DIALS 3.23
// (DispersionExtendedThreshold of algorithms/image/threshold/local.h), written out here once more, with its
// tables and distances.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/run/analysis.h"
#include "core/spots/analysis.h"
#include "core/spots/parameters.h"
#include "core/spots/signal/intermediate.h"
#include "core/spots/sliding/sliding.h"
#include "tests/core/spots/patches_fixture.h"
#include "tests/core/spots/spots_fixture.h"

namespace ks::tests::older_rule {
namespace {

using namespace spots;

constexpr long high = Patches::height, wide = Patches::width;

using Flags = std::vector<bool>;  ///< [y][x]

std::size_t index(long y, long x) {
    return static_cast<std::size_t>(y * wide + x);
}

struct Sums {
    double m = 0, x = 0, y = 0;
};

/// Of the pixels of the window that `mask` has.
Sums window(const std::vector<double>& values, const Flags& mask, long y, long x, long reach_y,
            long reach_x) {
    Sums sums;
    for (long i = std::max(0L, y - reach_y); i <= std::min(high - 1, y + reach_y); ++i)
        for (long j = std::max(0L, x - reach_x); j <= std::min(wide - 1, x + reach_x); ++j) {
            const double p = values[index(i, j)];
            if (!mask[index(i, j)]) continue;
            sums.m += 1;
            sums.x += p;
            sums.y += p * p;
        }
    return sums;
}

/// The Chebyshev distance of each pixel to the nearest one that is not set.
std::vector<long> distances(const Flags& set) {
    std::vector<long> distance(set.size(), high + wide);
    for (std::size_t at = 0; at < set.size(); ++at)
        if (!set[at]) distance[at] = 0;
    // Twice over all pixels, from either corner.
    for (const bool back : {false, true})
        for (long k = 0; k < high * wide; ++k) {
            const long y = (back ? high * wide - 1 - k : k) / wide,
                       x = (back ? high * wide - 1 - k : k) % wide;
            for (long i = std::max(0L, y - 1); i <= std::min(high - 1, y + 1); ++i)
                for (long j = std::max(0L, x - 1); j <= std::min(wide - 1, x + 1); ++j)
                    distance[index(y, x)] = std::min(distance[index(y, x)], distance[index(i, j)] + 1);
        }
    for (std::size_t at = 0; at < set.size(); ++at)
        if (!set[at]) distance[at] = 0;
    return distance;
}

std::vector<std::uint32_t> dials(const std::vector<double>& values, const Flags& mask, const Thresholds& t) {
    Flags foreground(values.size());
    for (long y = 0; y < high; ++y)
        for (long x = 0; x < wide; ++x) {
            const Sums w = window(values, mask, y, x, t.kernel_y, t.kernel_x);
            if (!mask[index(y, x)] || w.m < t.min_local || w.x < 0) continue;
            foreground[index(y, x)] =
                w.m * w.y - w.x * w.x - w.x * (w.m - 1) > w.x * t.sigma_b * std::sqrt(2 * (w.m - 1));
        }
    const std::vector<long> distance = distances(foreground);
    const long erosion = std::min(t.kernel_x, t.kernel_y);
    Flags background(values.size());
    for (std::size_t at = 0; at < values.size(); ++at)
        background[at] = mask[at] && !(foreground[at] && distance[at] >= erosion);
    std::vector<std::uint32_t> signal;
    for (long y = 0; y < high; ++y)
        for (long x = 0; x < wide; ++x) {
            const std::size_t at = index(y, x);
            if (!mask[at] || background[at] || !(values[at] > t.global_threshold)) continue;
            const Sums w = window(values, background, y, x, t.kernel_y + 2, t.kernel_x + 2);
            const double mean = w.m >= 2 ? w.x / w.m : 0;
            if (w.x >= 0 && values[at] >= mean + t.sigma_s * std::sqrt(mean))
                signal.push_back(static_cast<std::uint32_t>(at));
        }
    return signal;
}

std::vector<std::uint32_t> pixels_of(std::span<const std::uint8_t> flags) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < flags.size(); ++i)
        if (flags[i] != 0) found.push_back(i);
    return found;
}

Thresholds thresholds(int kx, int ky, ExtendedRule rule) {
    Thresholds t;
    t.algorithm = Algorithm::dispersion_extended;
    t.kernel_x = kx;
    t.kernel_y = ky;
    t.sigma_b = 12;
    t.sigma_s = 1;
    t.extended_rule = rule;
    return t;
}

template <class T>
void expect_older(const Patches& patches, int kx, int ky) {
    std::vector<T> values(patches.values.begin(), patches.values.end());
    for (std::size_t at = 0; at < values.size(); at += 13)
        if (values[at] == 60) values[at] = 61;  // saturated, thus invalid
    const ImageView image{
        std::as_bytes(std::span(values)), element_type_of<T>(), high, wide, patches.ignore, 61, 61};
    Flags mask;
    for (std::size_t at = 0; at < values.size(); ++at)
        mask.push_back(patches.ignore[at] == 0 && static_cast<double>(values[at]) < 61);
    const Thresholds t = thresholds(kx, ky, ExtendedRule::older);
    Progress progress;
    const std::vector<std::uint32_t> wanted =
        dials(std::vector<double>(values.begin(), values.end()), mask, t);
    EXPECT_GT(wanted.size(), 100U);
    const std::vector<std::uint8_t> reference = reference_signal(image, t, progress);
    EXPECT_EQ(pixels_of(reference), wanted);
    std::vector<std::uint32_t> some;
    std::vector<std::uint8_t> of_some;
    for (std::uint32_t at = 100; at < values.size(); at += 499) some.push_back(at);
    for (const std::uint32_t at : some) of_some.push_back(reference[at]);
    EXPECT_EQ(reference_signal_at(image, t, some), of_some);
    for (const unsigned threads : {1U, 3U}) {
        std::vector<std::uint32_t> sliding;
        find_signal_sliding(image, t, threads, progress, sliding);
        EXPECT_EQ(sliding, wanted);
    }
    const Array shown = intermediate_image(image, t, Intermediate::threshold, progress);
    EXPECT_EQ(pixels_of(shown.as<std::uint8_t>()), wanted);
    // The other rule loses nothing beside masked pixels.
    const auto newer = pixels_of(reference_signal(image, thresholds(kx, ky, ExtendedRule::newer), progress));
    EXPECT_EQ(newer == wanted, std::min(kx, ky) == 1);
}

TEST(OlderRule, masked_pixels_are_background_for_the_erosion) {
    for (const auto& [kx, ky] : {std::pair{1, 1}, {2, 1}, {3, 3}, {5, 3}, {4, 6}, {11, 9}}) {
        SCOPED_TRACE(std::to_string(kx) + " x " + std::to_string(ky));
        const Patches patches(static_cast<unsigned>(kx * 16 + ky));
        expect_older<std::uint16_t>(patches, kx, ky);
        expect_older<float>(patches, kx, ky);
        expect_older<std::uint32_t>(patches, kx, ky);
    }
}

TEST(OlderRule, signal_next_to_a_masked_column_is_lost) {
    std::vector<std::uint16_t> values(high * wide, 1);
    std::vector<std::uint8_t> ignore(high * wide, 0);
    for (long y = 0; y < high; ++y) ignore[index(y, 40)] = 1;
    // A spot of 5 x 5 pixels that touches the masked column.
    for (long y = 20; y < 25; ++y)
        for (long x = 41; x < 46; ++x) values[index(y, x)] = 500;
    const ImageView image{std::as_bytes(std::span(values)), ElementType::u16, high, wide, ignore};
    Progress progress;
    Thresholds t = thresholds(3, 3, ExtendedRule::newer);
    const auto columns = [&] {
        std::vector<long> found;
        for (const std::uint32_t at : pixels_of(reference_signal(image, t, progress)))
            if (at / wide == 22) found.push_back(at % wide);
        return found;
    };
    EXPECT_EQ(columns(), (std::vector<long>{41, 42, 43, 44, 45}));
    // Those at a distance of 3 and more remain.
    t.extended_rule = ExtendedRule::older;
    EXPECT_EQ(columns(), (std::vector<long>{43, 44, 45}));
}

TEST(OlderRule, is_said_of_a_run_and_has_no_effect_on_the_other_algorithm) {
    ks::Run run;
    run.request.analysis = "spots";
    run.request.parameters = checked(analysis_info().parameters, {});
    EXPECT_EQ(setup_text_of(run).find("rule"), std::string::npos);
    run.request.parameters["extended_rule"] = std::string("older");
    EXPECT_EQ(setup_text_of(run).find("rule"), std::string::npos) << "of the algorithm dispersion";
    run.request.parameters["algorithm"] = std::string("dispersion_extended");
    EXPECT_NE(setup_text_of(run).find("older rule"), std::string::npos);
    const std::vector<Analysis> analyses = make_analyses();
    Request request;
    request.parameters["extended_rule"] = std::string("older");
    ASSERT_EQ(analyses.front().idle(request).size(), 1U);
    EXPECT_EQ(analyses.front().idle(request).front().id, "extended_rule");
    request.parameters["algorithm"] = std::string("dispersion_extended");
    EXPECT_TRUE(analyses.front().idle(request).empty());
}

}  // namespace
}  // namespace ks::tests::older_rule
