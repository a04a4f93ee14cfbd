#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/io/open_frames.h"
#include "core/spots/analysis.h"
#include "core/spots/sliding/sliding.h"
#include "tests/core/spots/patches_fixture.h"
#include "tests/core/spots/spots_fixture.h"
#include "tests/time_limit.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

std::vector<std::uint32_t> definition(const ImageView& image, const Thresholds& thresholds) {
    Progress progress;
    const std::vector<std::uint8_t> all = reference_signal(image, thresholds, progress);
    std::vector<std::uint32_t> signal;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (all[i] != 0) signal.push_back(i);
    return signal;
}

std::vector<std::uint32_t> sliding(const ImageView& image, const Thresholds& thresholds, unsigned threads) {
    Progress progress;
    std::vector<std::uint32_t> signal{7};
    find_signal_sliding(image, thresholds, threads, progress, signal);
    return signal;
}

/// Compares both algorithms; returns how many pixels are signal.
std::size_t expect_definition(const ImageView& image, Thresholds thresholds, const std::string& what,
                              unsigned threads = 2) {
    std::size_t signal = 0;
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        thresholds.algorithm = algorithm;
        const auto wanted = definition(image, thresholds);
        EXPECT_EQ(sliding(image, thresholds, threads), wanted)
            << what << (algorithm == Algorithm::dispersion ? " dispersion" : " extended");
        signal += wanted.size();
    }
    return signal;
}

/// Both frames of a scene.
template <class T>
std::size_t expect_scene(const RandomScene& scene, const Thresholds& thresholds, const std::string& what,
                         double limit = std::numeric_limits<double>::infinity(), unsigned threads = 2) {
    const Array stack = stack_of<T>(scene);
    PixelMask mask = mask_of(scene);
    if (mask.ignore.empty()) mask.ignore.assign(scene.height * scene.width, 0);
    const std::size_t bytes = scene.height * scene.width * sizeof(T);
    std::size_t signal = 0;
    for (std::size_t frame = 0; frame < scene.frames; ++frame)
        signal += expect_definition({stack.bytes().subspan(frame * bytes, bytes), element_type_of<T>(),
                                     scene.height, scene.width, mask.ignore, limit},
                                    thresholds, what, threads);
    return signal;
}

template <class T>
class SpotsSlidingOf : public ::testing::Test {};
using Types = ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::int16_t, std::int32_t,
                               std::int64_t, float>;
TYPED_TEST_SUITE(SpotsSlidingOf, Types);

template <class T>
double largest_of() {
    if constexpr (std::is_floating_point_v<T>)
        return 3e7;
    else
        return static_cast<double>(std::min<std::int64_t>(std::numeric_limits<T>::max(), 2147483647));
}

template <class T>
ImageView view_of(const std::vector<T>& values, const std::vector<std::uint8_t>& ignore, std::size_t width) {
    return {std::as_bytes(std::span(values)), element_type_of<T>(), values.size() / width, width, ignore};
}

}  // namespace

TYPED_TEST(SpotsSlidingOf, backgrounds_hot_pixels_and_masks_give_the_definition) {
    using T = TypeParam;
    std::size_t signal = 0;
    for (const double background : {0.0, 0.1, 1.0, 5.0, 40.0, 100.0, 1000.0, 5000.0})
        for (const bool mask : {false, true}) {
            if (background * 12 + 20 > largest_of<T>()) continue;
            RandomScene scene;
            scene.width = 301;
            scene.height = 97;
            scene.spots = 40;
            scene.background = background;
            scene.mask = mask;
            scene.hot_value = std::min(largest_of<T>() - 700, 65534.0);
            if (sizeof(T) == 1) scene.hot_value = 254;
            signal += expect_scene<T>(scene, {}, std::to_string(background));
        }
    EXPECT_GT(signal, 500u);
}

TYPED_TEST(SpotsSlidingOf, hot_pixels_of_the_largest_count_give_the_definition) {
    using T = TypeParam;
    RandomScene scene;
    scene.hot = 20;
    scene.hot_value = std::is_same_v<T, float> ? 3e7 : largest_of<T>();
    std::size_t signal = 0;
    for (const double background : {0.1, 10.0}) {
        scene.background = background;
        // A spot on a hot pixel would overflow.
        scene.spots = 0;
        signal += expect_scene<T>(scene, {}, "hot");
        expect_scene<T>(scene, {}, "hot, limited", scene.hot_value);
        // From 2^24 on no sum takes them.
        RandomScene below = scene;
        below.hot_value = std::min(scene.hot_value, 16777215.0);
        EXPECT_GT(expect_scene<T>(below, {}, "hot, in sums"), 0u);
    }
    EXPECT_GT(signal, 0u);
}

TYPED_TEST(SpotsSlidingOf, random_parameters_and_shapes_give_the_definition) {
    using T = TypeParam;
    std::mt19937 random(4);
    const auto one_of = [&](std::initializer_list<double> values) {
        return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
    };
    std::size_t signal = 0;
    for (int round = 0; round < 40; ++round) {
        Thresholds t;
        t.kernel_x = 1 + static_cast<int>(random() % 15);
        t.kernel_y = 1 + static_cast<int>(random() % 15);
        t.sigma_b = one_of({0, 1, 3, 6, 6.5});
        t.sigma_s = one_of({0, 1, 2.5, 3});
        t.gain = one_of({1, 1, 0.5, 2.5});
        t.min_local = static_cast<int>(std::min(one_of({2, 2, 9, 40}), static_cast<double>(t.window())));
        t.global_threshold = one_of({0, 0, -1, 3, 7.5, 70000});
        RandomScene scene;
        scene.seed = static_cast<unsigned>(random());
        scene.frames = 1;
        // At least the window.
        scene.width = static_cast<std::size_t>(2 * t.kernel_x + 1) + random() % 160;
        scene.height = static_cast<std::size_t>(2 * t.kernel_y + 1) + random() % 50;
        scene.background = one_of({0, 0.1, 2, 5});
        scene.mask = random() % 2 == 0;
        scene.hot_value = sizeof(T) == 1 ? 200 : 30000;
        const double limit = one_of({INFINITY, INFINITY, 100, 30000.5, 12});
        signal += expect_scene<T>(scene, t,
                                  "round " + std::to_string(round) + " kernel " + std::to_string(t.kernel_x) +
                                      " x " + std::to_string(t.kernel_y),
                                  limit, 1 + static_cast<unsigned>(random() % 5));
    }
    EXPECT_GT(signal, 100u);
}

TYPED_TEST(SpotsSlidingOf, an_image_as_small_as_its_window_gives_the_definition) {
    using T = TypeParam;
    std::mt19937 random(8);
    for (int k = 1; k <= 15; ++k) {
        Thresholds t;
        t.kernel_x = t.kernel_y = k;
        const auto side = static_cast<std::size_t>(2 * k + 1);
        std::vector<T> values(side * side);
        for (T& value : values) value = static_cast<T>(random() % 3);
        values[side * side / 2] = values[0] = static_cast<T>(90);
        expect_definition(view_of(values, std::vector<std::uint8_t>(side * side), side), t,
                          std::to_string(k));
    }
}

TEST(SpotsSliding, any_number_of_threads_gives_the_same) {
    RandomScene scene;
    scene.height = 400;
    scene.width = 260;
    scene.spots = 60;
    for (const unsigned threads : {1u, 2u, 5u}) {
        EXPECT_GT(expect_scene<std::uint16_t>(scene, {}, "u16", INFINITY, threads), 100u);
        EXPECT_GT(expect_scene<float>(scene, {}, "f32", INFINITY, threads), 100u);
    }
}

TEST(SpotsSliding, adversarial_images_give_the_definition) {
    const std::size_t width = 150, height = 70, pixels = width * height;
    std::vector<std::uint8_t> none(pixels, 0), all(pixels, 1);
    std::vector<std::uint16_t> saturated(pixels, 65535), checkers(pixels), bright(pixels), stripes(pixels),
        zero(pixels);
    std::vector<std::uint32_t> huge(pixels);
    std::mt19937 random(2);
    for (std::size_t i = 0; i < pixels; ++i) {
        checkers[i] = (i % width + i / width) % 2 == 0 ? 65535 : 0;
        bright[i] = static_cast<std::uint16_t>(60000 + random() % 3000);
        stripes[i] = i / width % 9 == 0 ? 65535 : static_cast<std::uint16_t>(random() % 3);
        huge[i] =
            static_cast<std::uint32_t>(16000000 + random() % 20000 + (random() % 500 == 0 ? 4000000000u : 0));
    }
    std::size_t signal = 0;
    for (const int k : {1, 3, 15}) {
        Thresholds t;
        t.kernel_x = t.kernel_y = k;
        expect_definition(view_of(saturated, none, width), t, "saturated");
        expect_definition(view_of(zero, none, width), t, "zero");
        expect_definition(view_of(checkers, all, width), t, "all masked");
        signal += expect_definition(view_of(checkers, none, width), t, "checkers");
        signal += expect_definition(view_of(stripes, none, width), t, "stripes");
        signal += expect_definition(view_of(huge, none, width), t, "huge");
        expect_definition(view_of(bright, none, width), t, "bright");
        t.sigma_b = 0;
        t.sigma_s = 0;
        signal += expect_definition(view_of(bright, none, width), t, "bright, no sigmas");
    }
    EXPECT_GT(signal, 100u);
}

TEST(SpotsSliding, what_erosion_keeps_anywhere_is_found) {
    std::size_t signal = 0;
    for (const auto& [kx, ky] : {std::pair{1, 1}, {2, 1}, {2, 2}, {3, 3}, {5, 3}, {4, 6}, {11, 9}})
        for (const double sigma_b : {3.0, 12.0}) {
            const Patches patches(static_cast<unsigned>(kx * 16 + ky));
            Thresholds t;
            t.kernel_x = kx;
            t.kernel_y = ky;
            t.sigma_b = sigma_b;
            t.sigma_s = 1;
            for (const unsigned threads : {1U, 3U})
                signal += expect_definition(view_of(patches.values, patches.ignore, Patches::width), t,
                                            std::to_string(kx) + " x " + std::to_string(ky), threads);
        }
    EXPECT_GT(signal, 20000u);
}

TEST(SpotsSliding, ties_of_the_tests_are_decided_as_the_definition_does) {
    // Few distinct counts and round sigmas put windows exactly on both borders.
    std::mt19937 random(6);
    const std::size_t width = 200, height = 120;
    for (const double sigma : {0.0, 1.0, 2.0, 3.0}) {
        Thresholds t;
        t.kernel_x = t.kernel_y = 1;
        t.sigma_b = t.sigma_s = sigma;
        std::vector<std::uint16_t> counts(width * height);
        for (std::uint16_t& count : counts)
            count = static_cast<std::uint16_t>(random() % 2 == 0 ? random() % 5 : 4);
        std::vector<float> reals(counts.begin(), counts.end());
        const std::vector<std::uint8_t> none(counts.size(), 0);
        expect_definition(view_of(counts, none, width), t, "counts");
        expect_definition(view_of(reals, none, width), t, "reals");
    }
}

TEST(SpotsSliding, floats_of_any_sign_and_size_give_the_definition) {
    std::mt19937 random(11);
    const std::size_t width = 170, height = 60;
    std::vector<float> values(width * height);
    std::normal_distribution<float> normal(0, 1);
    std::vector<std::uint8_t> none(values.size(), 0);
    std::size_t signal = 0;
    for (const float offset : {-3.0F, 0.0F, 0.3F, 4.0F, 1e20F})
        for (const float scale : {1e-40F, 0.1F, 1.0F, 1e30F}) {
            for (float& value : values) {
                value = offset + scale * normal(random);
                if (random() % 97 == 0) value *= 300;
                if (random() % 211 == 0) value = std::nanf("");
                if (random() % 307 == 0) value = random() % 2 == 0 ? INFINITY : -INFINITY;
                if (random() % 31 == 0) value = -0.0F;
            }
            signal += expect_definition(view_of(values, none, width), {},
                                        std::to_string(offset) + " " + std::to_string(scale));
        }
    EXPECT_GT(signal, 100u);
}

TEST(SpotsSliding, negative_integers_are_invalid) {
    std::mt19937 random(12);
    const std::size_t width = 140, height = 50;
    const std::vector<std::uint8_t> none(width * height, 0);
    const auto expect = [&](auto value) {
        std::vector<decltype(value)> values(width * height);
        for (auto& v : values)
            v = static_cast<decltype(value)>(random() % 20 == 0   ? -1 - static_cast<int>(random() % 3)
                                             : random() % 50 == 0 ? 60
                                                                  : static_cast<int>(random() % 4));
        EXPECT_GT(expect_definition(view_of(values, none, width), {}, "negative"), 10u);
    };
    expect(std::int16_t{});
    expect(std::int32_t{});
    expect(std::int64_t{});
}

TEST(SpotsSliding, limits_at_the_edges_of_what_a_type_holds_give_the_definition) {
    RandomScene scene;
    scene.hot_value = 65535;
    scene.spots = 0;
    for (const double limit : {-1.0, 0.0, 0.5, 1.0, 65534.5, 65535.0, 65536.0, 1e300, std::nan("")})
        expect_scene<std::uint16_t>(scene, {}, "limit " + std::to_string(limit), limit);
}

TEST(SpotsSliding, a_run_delivers_all_frames_of_all_modules_in_order) {
    RandomScene scene;
    scene.frames = 4;
    scene.height = 130;
    scene.width = 190;
    scene.spots = 50;
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended})
        for (const char* modules : {"whole", "30,50,3,7", "41,60,0,1"}) {
            Thresholds t;
            t.algorithm = algorithm;
            const auto problem =
                problem_of(stack_of<std::uint16_t>(scene), mask_of(scene), t, modules, 65530);
            Progress progress;
            const Request request;
            std::vector<Timing> timings;
            HostContext context{request, progress, timings, 2, std::uint64_t{1} << 30};
            KeptSignal kept;
            run_sliding(*problem, kept, context);
            ASSERT_EQ(kept.frames, (std::vector<std::size_t>{0, 1, 2, 3}));
            for (std::size_t frame = 0; frame < 4; ++frame) {
                EXPECT_EQ(kept.signals[frame], expected_signal(*problem, frame)) << modules;
                EXPECT_TRUE(std::ranges::equal(kept.first_pixels[frame],
                                               problem->shared()->in_memory().subspan(
                                                   frame * problem->frame_bytes(), problem->frame_bytes())));
            }
            ASSERT_EQ(timings.size(), 1u);
            EXPECT_EQ(timings[0].stage, "find signal");
            EXPECT_EQ(timings[0].launches, 4u);
        }
}

TEST(SpotsSliding, the_rotation_data_give_the_signal_of_dials) {
    const std::string file = reference_data("spots_rotation.h5");
    std::shared_ptr<FrameSource> source = io::open_frames(file);
    PixelMask mask{source->height(), source->width(), {}};
    for (const double value :
         io::read_array(file + "::/entry/instrument/detector/pixel_mask", 2).to_doubles())
        mask.ignore.push_back(value != 0 ? 1 : 0);
    const std::size_t frames = source->frames(), pixels = source->pixels();
    for (const bool extended : {false, true}) {
        const Array wanted =
            io::read_array(file + "::/reference/signal_dispersion" + (extended ? "_extended" : ""), 3);
        Thresholds t;
        t.algorithm = extended ? Algorithm::dispersion_extended : Algorithm::dispersion;
        const SpotProblem problem(std::make_shared<SharedFrames>(source, 0, frames, 0), mask, INFINITY, t,
                                  ModuleLayout::whole(mask.height, mask.width), {});
        Progress progress;
        const Request request;
        std::vector<Timing> timings;
        HostContext context{request, progress, timings, 2, std::uint64_t{1} << 30};
        KeptSignal kept;
        run_sliding(problem, kept, context);
        ASSERT_EQ(kept.signals.size(), frames);
        for (std::size_t frame = 0; frame < frames; ++frame) {
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < pixels; ++i)
                if (wanted.as<std::uint8_t>()[frame * pixels + i] != 0) expected.push_back(i);
            EXPECT_EQ(kept.signals[frame], expected) << "frame " << frame;
        }
        EXPECT_EQ(timings[0].kind, StageKind::read);
        EXPECT_EQ(timings[0].launches, frames);
    }
}

TEST(SpotsSliding, cancel_is_heard_soon_in_the_worst_image) {
    // Every pixel passes the fast test: each window of 961 pixels is summed.
    const std::size_t width = 4148, height = 1200;
    std::vector<std::uint16_t> checkers(width * height);
    for (std::size_t i = 0; i < checkers.size(); ++i)
        checkers[i] = (i % width + i / width) % 2 == 0 ? 65535 : 0;
    const std::vector<std::uint8_t> none(checkers.size(), 0);
    for (const Algorithm algorithm : {Algorithm::dispersion, Algorithm::dispersion_extended}) {
        Thresholds t;
        t.kernel_x = t.kernel_y = 15;
        t.algorithm = algorithm;
        // Other processes may take the core: the best of some counts.
        constexpr auto limit = time_limit(std::chrono::milliseconds(50));
        std::chrono::nanoseconds took = 2 * limit;
        for (int i = 0; i < 10 && took >= limit; ++i) {
            Progress progress;
            std::chrono::steady_clock::time_point asked;
            std::jthread other([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(60));
                asked = std::chrono::steady_clock::now();
                progress.cancel();
            });
            std::vector<std::uint32_t> signal;
            try {
                find_signal_sliding(view_of(checkers, none, width), t, 2, progress, signal);
                FAIL() << "the image was finished before it was cancelled";
            } catch (const Error& error) {
                took = std::chrono::steady_clock::now() - asked;
                EXPECT_EQ(error.kind(), ErrorKind::cancelled);
            }
        }
        EXPECT_LT(took, limit);
    }
}
