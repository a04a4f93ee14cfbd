#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/data/profiles/radial_profile.h"
#include "tests/time_limit.h"

namespace ks {
namespace {

/// 0.9 angstrom, 200 mm, oblong pixels, the beam inside of the image.
Geometry bench() {
    return {0.9, 200.0, 33.2, 20.9, 75.0, 80.0};
}

/// Poisson counts, or what is like them, with everything that is no count.
template <class T>
Array noisy(std::size_t height, std::size_t width, double maximum) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> value(0, maximum);
    std::vector<T> values(height * width);
    for (T& v : values) v = static_cast<T>(value(random));
    if constexpr (std::is_floating_point_v<T>) {
        values[5] = std::numeric_limits<T>::quiet_NaN();
        values[77] = std::numeric_limits<T>::infinity();
        values[99] = T(-3.5);  // a float may be negative
    } else if constexpr (std::is_signed_v<T>) {
        values[5] = -1;
        values[77] = std::numeric_limits<T>::min();
    }
    return Array::of<T>({height, width}, values);
}

std::vector<std::uint8_t> mask_of(std::size_t n) {
    std::vector<std::uint8_t> ignore(n, 0);
    for (std::size_t i = 0; i < n; i += 7) ignore[i] = static_cast<std::uint8_t>(1 + i % 255);
    return ignore;
}

/// Rings with long double sums, pixel by pixel, positions from Geometry itself.
template <class T>
void expect_brute_force(const Array& frame, const std::vector<std::uint8_t>* ignore, const Geometry& geometry,
                        std::size_t bins) {
    const std::size_t height = frame.shape()[0], width = frame.shape()[1];
    std::vector<double> position(frame.size());
    for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < width; ++j) {
            const double x = static_cast<double>(j) + 0.5, y = static_cast<double>(i) + 0.5;
            position[i * width + j] = geometry.complete() ? geometry.q(x, y) : geometry.radius(x, y);
        }
    const auto [minimum, largest] = std::minmax_element(position.begin(), position.end());
    const double step = (*largest - *minimum) / static_cast<double>(bins);
    std::vector<std::vector<T>> rings(bins);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const double place = (position[i] - *minimum) / step;
        // No pixel may lie so near to an edge that rounding decides its ring.
        if (place > 0.5 && place < static_cast<double>(bins) - 0.5) {
            ASSERT_GT(std::abs(place - std::round(place)), 1e-9) << i;
        }
        const T v = frame.as<T>()[i];
        if (ignore != nullptr && (*ignore)[i] != 0) continue;
        if constexpr (std::is_floating_point_v<T>) {
            if (!std::isfinite(v)) continue;
        } else if (v < T(0)) {
            continue;
        }
        rings[std::min(static_cast<std::size_t>(place), bins - 1)].push_back(v);
    }
    const RadialProfile profile = RadialBinning(height, width, geometry, bins).profile(frame, ignore);
    ASSERT_EQ(profile.mean.size(), bins);
    ASSERT_EQ(profile.sigma.size(), bins);
    EXPECT_EQ(profile.in_q, geometry.complete());
    for (std::size_t bin = 0; bin < bins; ++bin) {
        EXPECT_NEAR(profile.position[bin], *minimum + (static_cast<double>(bin) + 0.5) * step,
                    1e-12 * *largest);
        ASSERT_EQ(profile.pixels[bin], rings[bin].size()) << bin;
        long double sum = 0, squares = 0;
        const auto n = static_cast<long double>(rings[bin].size());
        for (const T v : rings[bin]) sum += static_cast<long double>(v);
        for (const T v : rings[bin]) squares += std::pow(static_cast<long double>(v) - sum / n, 2);
        if (n < 1)
            EXPECT_TRUE(std::isnan(profile.mean[bin]));
        else
            EXPECT_NEAR(profile.mean[bin], static_cast<double>(sum / n),
                        1e-14 * static_cast<double>(sum / n));
        if (n < 2)
            EXPECT_TRUE(std::isnan(profile.sigma[bin]));
        else {
            const auto sigma = static_cast<double>(std::sqrt(squares / n / (n - 1)));
            EXPECT_NEAR(profile.sigma[bin], sigma, 1e-12 * sigma) << bin;
        }
    }
}

TEST(RadialProfile, EqualsALoopOverAllPixelsForEveryType) {
    const std::vector<std::uint8_t> ignore = mask_of(61 * 83);
    for (const std::size_t bins : {1u, 17u, 90u}) {
        for (const std::vector<std::uint8_t>* mask :
             {static_cast<const std::vector<std::uint8_t>*>(nullptr), &ignore}) {
            expect_brute_force<std::uint8_t>(noisy<std::uint8_t>(61, 83, 255), mask, bench(), bins);
            expect_brute_force<std::uint16_t>(noisy<std::uint16_t>(61, 83, 65535), mask, bench(), bins);
            expect_brute_force<std::uint32_t>(noisy<std::uint32_t>(61, 83, 4294967294.0), mask, bench(),
                                              bins);
            expect_brute_force<std::int16_t>(noisy<std::int16_t>(61, 83, 32767), mask, bench(), bins);
            expect_brute_force<std::int32_t>(noisy<std::int32_t>(61, 83, 2147483647.0), mask, bench(), bins);
            expect_brute_force<std::int64_t>(noisy<std::int64_t>(61, 83, 1e12), mask, bench(), bins);
            expect_brute_force<float>(noisy<float>(61, 83, 100), mask, bench(), bins);
        }
    }
}

TEST(RadialProfile, RadiusInPixelsWhereTheGeometryIsNotComplete) {
    Geometry geometry = bench();
    geometry.distance = 0;
    expect_brute_force<std::uint16_t>(noisy<std::uint16_t>(61, 83, 1000), nullptr, geometry, 23);
    geometry.beam_x = -312.7;  // far outside: the least radius is not 0
    expect_brute_force<std::uint16_t>(noisy<std::uint16_t>(61, 83, 1000), nullptr, geometry, 23);
}

TEST(RadialProfile, CountsOfOneValueHaveNoSpread) {
    // 2^32 - 2 squared passes 2^64 with the second pixel.
    const std::vector<std::uint32_t> full(40 * 40, 0xFFFFFFFEu);
    const RadialProfile profile = RadialBinning(40, 40, bench(), 5).profile(Array::of({40, 40}, full));
    for (std::size_t bin = 0; bin < 5; ++bin) {
        EXPECT_EQ(profile.mean[bin], 4294967294.0);
        EXPECT_EQ(profile.sigma[bin], 0.0);
    }
}

TEST(RadialProfile, IsTheSameBytesForAnyNumberOfThreads) {
    const Geometry geometry{0.9, 200.0, 470.2, 512.9, 75.0, 75.0};
    const RadialBinning binning(1030, 1065, geometry, 500);
    const auto bytes_equal = [](const std::vector<double>& a, const std::vector<double>& b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
    };
    for (const Array& frame : {noisy<float>(1030, 1065, 1), noisy<std::uint16_t>(1030, 1065, 65535)}) {
        const RadialProfile one = binning.profile(frame, nullptr, 1);
        for (const unsigned threads : {0u, 2u, 3u, 16u}) {
            const RadialProfile many = binning.profile(frame, nullptr, threads);
            EXPECT_TRUE(bytes_equal(one.mean, many.mean)) << threads;
            EXPECT_TRUE(bytes_equal(one.sigma, many.sigma)) << threads;
            EXPECT_EQ(one.pixels, many.pixels);
        }
    }
}

TEST(RadialProfile, OnePixelIsOneRing) {
    const RadialProfile profile = RadialBinning(1, 1, bench(), 3)
                                      .profile(Array::of<std::uint8_t>({1, 1}, std::vector<std::uint8_t>{9}));
    EXPECT_EQ(profile.pixels, (std::vector<std::size_t>{1, 0, 0}));
    EXPECT_EQ(profile.mean[0], 9);
    EXPECT_TRUE(std::isnan(profile.mean[1]));
}

TEST(RadialProfile, RefusesWhatDoesNotFit) {
    const auto kind = [](const auto& call) {
        try {
            call();
        } catch (const Error& error) {
            return error.kind();
        }
        return ErrorKind::cancelled;
    };
    EXPECT_EQ(kind([] { RadialBinning(5, 5, bench(), 0); }), ErrorKind::input);
    EXPECT_EQ(kind([] { RadialBinning(5, 5, bench(), 65536); }), ErrorKind::input);
    EXPECT_EQ(RadialBinning(5, 5, bench(), 65535).bins(), 65535u);
    const RadialBinning binning(5, 6, bench(), 4);
    EXPECT_EQ(kind([&] { binning.profile(Array(ElementType::u8, {6, 5})); }), ErrorKind::run);
    EXPECT_EQ(kind([&] { binning.profile(Array(ElementType::u8, {1, 5, 6})); }), ErrorKind::run);
    const std::vector<std::uint8_t> short_mask(29);
    EXPECT_EQ(kind([&] { binning.profile(Array(ElementType::u8, {5, 6}), &short_mask); }), ErrorKind::run);
}

/// Least milliseconds of some calls: what the machine can do when nobody else works on it.
template <class Call>
double min_ms(int calls, const Call& call) {
    double minimum = std::numeric_limits<double>::infinity();
    for (int i = 0; i < calls; ++i) {
        const auto start = std::chrono::steady_clock::now();
        call();
        minimum = std::min(
            minimum,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return minimum;
}

TEST(RadialProfile, IsFastEnoughToFollowTheFrames) {
    // Wide bounds against busy machines: without vector code, threads or integer sums it takes longer.
    const Geometry geometry{0.98, 214, 2216.5, 2308.2, 75, 75};
    const double build = min_ms(5, [&] { RadialBinning(4362, 4148, geometry, 1000); });
    const RadialBinning binning(4362, 4148, geometry, 1000);
    const Array frame = noisy<std::uint16_t>(4362, 4148, 50);
    const double large = min_ms(10, [&] { binning.profile(frame); });
    const RadialBinning small_binning(195, 487, geometry, 500);
    const Array small = noisy<std::int32_t>(195, 487, 1e6);
    const double little = min_ms(20, [&] { small_binning.profile(small); });
    RecordProperty("binning_ms", std::to_string(build));
    RecordProperty("profile_ms", std::to_string(large));
    RecordProperty("small_profile_ms", std::to_string(little));
    std::printf("binning %.1f ms, profile %.1f ms, small profile %.3f ms\n", build, large, little);
    EXPECT_LT(build, tests::time_limit(3000));
    EXPECT_LT(large, tests::time_limit(400));
    EXPECT_LT(little, tests::time_limit(10));
}

}  // namespace
}  // namespace ks
