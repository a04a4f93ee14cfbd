#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "core/spots/signal/intermediate.h"
#include "tests/core/spots/spots_fixture.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

struct Image {
    Array stack;
    std::vector<std::uint8_t> ignore;
    double limit = std::numeric_limits<double>::infinity();
    ImageView view() const {
        return {stack.bytes(), stack.type(), stack.shape()[1], stack.shape()[2], ignore, limit};
    }
};

template <class T>
Image image_of(double background, double hot) {
    RandomScene scene;
    scene.frames = 1;
    scene.height = 150;  // more than one band of rows
    scene.background = background;
    scene.hot_value = hot;
    scene.hot = 9;
    Image image{stack_of<T>(scene), mask_of(scene).ignore};
    if constexpr (std::is_signed_v<T>) image.stack.as<T>()[5000] = static_cast<T>(-7);
    if constexpr (std::is_floating_point_v<T>) {
        for (T& value : image.stack.as<T>()) value *= T(0.1);  // sums that do depend on their order
        image.stack.as<T>()[3000] = std::nanf("");
        image.stack.as<T>()[3001] = INFINITY;
    }
    return image;
}

Array made(const Image& image, const Thresholds& thresholds, Intermediate kind) {
    Progress progress;
    return intermediate_image(image.view(), thresholds, kind, progress);
}

/// Everything of one pixel, straight from the window.
template <class T>
class Direct {
  public:
    Direct(const Image& image, const Thresholds& t) : view_(image.view()), t_(t), test_(t) {
        if (t.algorithm == Algorithm::dispersion_extended) view_.limit = std::min(view_.limit, 16777216.0);
        values_ = reinterpret_cast<const T*>(view_.pixels.data());
    }
    bool valid(std::size_t at) const {
        const auto p = static_cast<double>(values_[at]);
        return view_.ignore[at] == 0 && std::isfinite(p) && (std::is_floating_point_v<T> || p >= 0) &&
               p < view_.limit;
    }
    double value(Intermediate kind, std::size_t y, std::size_t x) {
        const std::size_t at = y * view_.width + x;
        const bool test = kind == Intermediate::sigma_b || kind == Intermediate::sigma_s;
        const double none = test || kind == Intermediate::global ? 0 : std::nan("");
        if (!valid(at)) return none;
        if (kind == Intermediate::image) return static_cast<double>(values_[at]);
        if (kind == Intermediate::global) return static_cast<double>(values_[at]) > t_.global_threshold;
        sum(y, x);
        if (m_ < static_cast<std::uint32_t>(t_.min_local)) return none;
        if (kind == Intermediate::sigma_b) return test_.dispersed(m_, x_, y_);
        if (kind == Intermediate::sigma_s) {
            if constexpr (std::is_floating_point_v<T>)
                return test_.strong(m_, x_, static_cast<double>(values_[at]));
            else
                return test_.strong(m_, x_, static_cast<std::uint32_t>(values_[at]));
        }
        const double mean = static_cast<double>(x_) / m_;
        if (kind == Intermediate::mean) return mean;
        const double variance = spread(y, x, mean) / (m_ - 1);
        if (kind == Intermediate::variance) return variance;
        return mean == 0 ? std::nan("") : variance / mean;
    }

  private:
    template <class Use>
    void each(std::size_t y, std::size_t x, const Use& use) const {
        for (int dy = -t_.kernel_y; dy <= t_.kernel_y; ++dy) {
            for (int dx = -t_.kernel_x; dx <= t_.kernel_x; ++dx) {
                const auto i = static_cast<long>(y) + dy, j = static_cast<long>(x) + dx;
                if (i < 0 || j < 0 || i >= static_cast<long>(view_.height) ||
                    j >= static_cast<long>(view_.width))
                    continue;
                const auto at = static_cast<std::size_t>(i) * view_.width + static_cast<std::size_t>(j);
                if (valid(at) && static_cast<double>(values_[at]) < 16777216.0) use(dy, values_[at]);
            }
        }
    }
    void sum(std::size_t y, std::size_t x) {
        m_ = 0, x_ = 0, y_ = 0;
        std::vector<Sum> row_x(31, 0);
        std::vector<Squares> row_y(31, 0);
        each(y, x, [&](int dy, T value) {
            ++m_;
            const auto p = static_cast<Sum>(value);
            row_x[static_cast<std::size_t>(dy + 15)] += p;
            row_y[static_cast<std::size_t>(dy + 15)] += static_cast<Squares>(p) * static_cast<Squares>(p);
        });
        for (const Sum row : row_x) x_ += row;
        for (const Squares row : row_y) y_ += row;
    }
    double spread(std::size_t y, std::size_t x, double mean) const {
        double all = 0;
        each(y, x, [&](int, T value) { all += std::pow(static_cast<double>(value) - mean, 2); });
        return all;
    }

    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;
    using Squares = std::conditional_t<std::is_floating_point_v<T>, double, DispersionTest::Wide>;
    ImageView view_;
    const Thresholds& t_;
    DispersionTest test_;
    const T* values_;
    std::uint32_t m_ = 0;
    Sum x_ = 0;
    Squares y_ = 0;
};

template <class T>
void expect_direct(const Image& image, const Thresholds& thresholds) {
    Direct<T> direct(image, thresholds);
    for (const IntermediateInfo& info : intermediates()) {
        if (info.kind == Intermediate::threshold) continue;
        const Array array = made(image, thresholds, info.kind);
        const auto found = array.to_doubles();
        const std::size_t width = image.view().width;
        std::size_t known = 0;
        for (std::size_t at = 0; at < found.size(); ++at) {
            const double wanted = direct.value(info.kind, at / width, at % width);
            if (std::isnan(wanted) || array.type() == ElementType::u8) {
                ASSERT_EQ(std::isnan(found[at]), std::isnan(wanted)) << info.id << ' ' << at;
                if (!std::isnan(wanted)) {
                    ASSERT_EQ(found[at], wanted) << info.id << ' ' << at;
                }
            } else {
                ASSERT_NEAR(found[at], wanted, 2e-6 * std::abs(wanted) + 1e-9) << info.id << ' ' << at;
            }
            known += found[at] > 0 ? 1 : 0;
        }
        EXPECT_GT(known, 0u) << info.id;
    }
}

void expect_signal(const Image& image, Thresholds thresholds, bool some) {
    Progress progress;
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        thresholds.algorithm = algorithm;
        const Array found = made(image, thresholds, Intermediate::threshold);
        const auto wanted = reference_signal(image.view(), thresholds, progress);
        EXPECT_TRUE(std::ranges::equal(found.as<std::uint8_t>(), wanted)) << static_cast<int>(algorithm);
        EXPECT_TRUE(!some || std::ranges::count(wanted, 1) > 0);
    }
}

template <class T>
void expect_all(double background, double hot) {
    const Image image = image_of<T>(background, hot);
    Thresholds odd;
    odd.kernel_x = 5;
    odd.kernel_y = 2;
    odd.gain = 1.7;
    odd.sigma_b = 3;
    odd.min_local = 20;
    odd.global_threshold = 4;
    Thresholds smallest;
    smallest.kernel_x = smallest.kernel_y = 1;
    smallest.sigma_b = 2;
    for (Thresholds thresholds : {Thresholds{}, odd, smallest}) {
        expect_direct<T>(image, thresholds);
        thresholds.algorithm = Algorithm::dispersion_extended;
        expect_direct<T>(image, thresholds);
        expect_signal(image, thresholds, true);
        Image limited = image;
        limited.limit = 40;
        expect_signal(limited, thresholds, false);
    }
}

}  // namespace

TEST(Intermediate, images_of_u8_are_those_of_direct_window_sums) {
    expect_all<std::uint8_t>(5, 255);
}
TEST(Intermediate, images_of_u16_are_those_of_direct_window_sums) {
    expect_all<std::uint16_t>(5, 65534);
}
TEST(Intermediate, images_of_u32_are_those_of_direct_window_sums) {
    expect_all<std::uint32_t>(5, 4e9);
}
TEST(Intermediate, images_of_i16_are_those_of_direct_window_sums) {
    expect_all<std::int16_t>(2, 32767);
}
TEST(Intermediate, images_of_i32_are_those_of_direct_window_sums) {
    expect_all<std::int32_t>(40, 2e9);
}
TEST(Intermediate, images_of_i64_are_those_of_direct_window_sums) {
    expect_all<std::int64_t>(40, 2e9);
}
TEST(Intermediate, images_of_f32_are_those_of_direct_window_sums) {
    expect_all<float>(50, 1e5);
}

TEST(Intermediate, an_image_of_zeros_has_no_index_and_no_signal) {
    const Image image{Array(ElementType::u16, {1, 20, 30}), std::vector<std::uint8_t>(600, 0)};
    EXPECT_EQ(made(image, {}, Intermediate::mean).as<float>()[7], 0);
    EXPECT_TRUE(std::isnan(made(image, {}, Intermediate::dispersion_index).as<float>()[7]));
    for (const auto kind : {Intermediate::sigma_b, Intermediate::sigma_s, Intermediate::threshold})
        EXPECT_EQ(std::ranges::count(made(image, {}, kind).as<std::uint8_t>(), 1), 0);
}

TEST(Intermediate, a_poisson_image_has_an_index_of_one) {
    RandomScene scene;
    scene.frames = 1;
    scene.spots = scene.hot = 0;
    scene.mask = false;
    scene.height = scene.width = 300;
    const Image image{stack_of<std::uint16_t>(scene), std::vector<std::uint8_t>(300 * 300, 0)};
    double sum = 0;
    const Array index = made(image, {}, Intermediate::dispersion_index);
    for (const float value : index.as<float>()) sum += value;
    EXPECT_NEAR(sum / static_cast<double>(index.size()), 1, 0.02);
}

TEST(Intermediate, a_detector_of_18_megapixels_does_not_keep_one_waiting) {
    RandomScene scene;
    scene.frames = 1;
    scene.height = 4362;
    scene.width = 4148;
    scene.background = 3;
    scene.spots = 1000;
    const Image image{stack_of<std::uint16_t>(scene), mask_of(scene).ignore};
    for (const auto algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended})
        for (const IntermediateInfo& info : intermediates()) {
            Thresholds thresholds;
            thresholds.algorithm = algorithm;
            const auto start = std::chrono::steady_clock::now();
            made(image, thresholds, info.kind);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            std::cout << info.id << (algorithm == Algorithm::dispersion ? "" : " (extended)") << ' '
                      << took.count() * 1e3 << " ms\n";
            EXPECT_LT(took.count(), 60) << info.id;
        }
}
