// The signal by integral images against the definition: types, masks, window sizes, limits, and images of
// the largest counts, whose squares fill the 64-bit sums.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "core/base/error.h"
#include "core/spots/signal/reference.h"
#include "tests/core/spots/host_run.h"
#include "tests/core/spots/spots_fixture.h"

using namespace ks;
using namespace ks::spots;
using namespace ks::tests;

namespace {

template <class T>
class IntegralImagesOf : public ::testing::Test {};
using Counts = ::testing::Types<std::uint8_t, std::uint16_t, std::int16_t>;
TYPED_TEST_SUITE(IntegralImagesOf, Counts);

template <class T>
std::size_t expect_definition(const RandomScene& scene, const Thresholds& thresholds, double limit) {
    const Array stack = stack_of<T>(scene);
    PixelMask mask = mask_of(scene);
    if (mask.ignore.empty()) mask.ignore.assign(scene.height * scene.width, 0);
    const std::size_t bytes = scene.height * scene.width * sizeof(T);
    std::size_t signal = 0;
    for (std::size_t frame = 0; frame < scene.frames; ++frame) {
        const ImageView image{stack.bytes().subspan(frame * bytes, bytes),
                              element_type_of<T>(),
                              scene.height,
                              scene.width,
                              mask.ignore,
                              limit};
        Progress progress;
        const auto found = signal_by_integral_images(image, thresholds, progress);
        EXPECT_EQ(found, reference_signal(image, thresholds, progress));
        for (const std::uint8_t pixel : found) signal += pixel;
    }
    return signal;
}

TYPED_TEST(IntegralImagesOf, random_images_and_windows_give_the_definition) {
    std::mt19937 random(9);
    std::size_t signal = 0;
    for (int round = 0; round < 40; ++round) {
        RandomScene scene;
        scene.seed = static_cast<unsigned>(random());
        scene.height = 1 + random() % 90;
        scene.width = 1 + random() % 120;
        scene.spots = 8;
        scene.hot_value = sizeof(TypeParam) == 1 ? 254 : 30000;
        scene.mask = round % 2 == 0;
        Thresholds t;
        t.kernel_x = 1 + static_cast<int>(random() % 15);
        t.kernel_y = 1 + static_cast<int>(random() % 15);
        t.gain = round % 3 == 0 ? 1.5 : 1;
        t.global_threshold = round % 4 == 0 ? 3 : 0;
        signal += expect_definition<TypeParam>(
            scene, t, round % 5 == 0 ? 200 : std::numeric_limits<double>::infinity());
    }
    EXPECT_GT(signal, 100U);
}

TEST(IntegralImages, of_the_largest_counts_do_not_overflow) {
    RandomScene scene;
    scene.frames = 1;
    scene.height = 700;
    scene.width = 900;
    scene.background = 64000;
    scene.spots = 0;
    scene.hot = 40;
    Thresholds t;
    t.sigma_b = 0;
    t.sigma_s = 0;
    EXPECT_GT(expect_definition<std::uint16_t>(scene, t, std::numeric_limits<double>::infinity()), 0U);
}

TEST(IntegralImages, a_run_has_the_tables_of_the_reference) {
    RandomScene scene;
    scene.frames = 3;
    scene.height = 130;
    scene.width = 190;
    scene.spots = 50;
    for (const char* modules : {"whole", "30,50,3,7", "41,60,0,1"}) {
        const auto problem = problem_of(stack_of<std::uint16_t>(scene), mask_of(scene), {}, modules, 65530);
        const ks::Run found = host_run(*problem, "host.integral"), expected = host_run(*problem);
        ASSERT_EQ(found.result.datasets.size(), expected.result.datasets.size());
        for (std::size_t i = 0; i < expected.result.datasets.size(); ++i)
            EXPECT_EQ(found.result.datasets[i].values, expected.result.datasets[i].values) << modules;
    }
}

TEST(IntegralImages, of_other_pixels_or_the_other_algorithm_are_not_made) {
    const std::vector<float> values(100, 1);
    const std::vector<std::uint8_t> ignore(100, 0);
    const ImageView floats{std::as_bytes(std::span(values)), ElementType::f32, 10, 10, ignore};
    Progress progress;
    EXPECT_THROW(signal_by_integral_images(floats, {}, progress), Error);
    const std::vector<std::uint8_t> counts(100, 1);
    Thresholds extended;
    extended.algorithm = Algorithm::dispersion_extended;
    EXPECT_THROW(signal_by_integral_images(
                     {std::as_bytes(std::span(counts)), ElementType::u8, 10, 10, ignore}, extended, progress),
                 Error);
}

}  // namespace
