#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/io/open_frames.h"
#include "core/spots/problem.h"
#include "core/spots/signal/reference.h"
#include "tests/core/spots/spots_fixture.h"

using namespace ks;
using namespace ks::spots;

namespace {

struct Rotation {
    std::shared_ptr<FrameSource> frames;
    std::vector<std::uint8_t> ignore;
};

Rotation rotation(const std::string& file) {
    Rotation all{io::open_frames(file), {}};
    for (const double value :
         io::read_array(file + "::/entry/instrument/detector/pixel_mask", 2).to_doubles())
        all.ignore.push_back(value != 0 ? 1 : 0);
    return all;
}

void expect_dials(const char* dataset, Algorithm algorithm) {
    const std::string file = ks::tests::reference_data("spots_rotation.h5");
    const Rotation data = rotation(file);
    const std::size_t pixels = data.frames->pixels();
    const Array expected = io::read_array(file + dataset, 3);
    Thresholds thresholds;
    thresholds.algorithm = algorithm;
    std::vector<std::byte> frame(data.frames->frame_bytes());
    Progress progress;
    std::size_t signal = 0;
    for (std::size_t k = 0; k < data.frames->frames(); ++k) {
        data.frames->read(k, 1, frame);
        const ImageView view{frame, data.frames->type(), data.frames->height(), data.frames->width(),
                             data.ignore};
        const auto found = reference_signal(view, thresholds, progress);
        const auto wanted = expected.as<std::uint8_t>().subspan(k * pixels, pixels);
        EXPECT_TRUE(std::ranges::equal(found, wanted)) << "frame " << k;
        signal += static_cast<std::size_t>(std::ranges::count(found, 1));

        std::vector<std::uint32_t> some;
        for (std::uint32_t at = static_cast<std::uint32_t>(k); at < pixels; at += 997) some.push_back(at);
        const auto sampled = reference_signal_at(view, thresholds, some);
        for (std::size_t i = 0; i < some.size(); ++i) ASSERT_EQ(sampled[i], wanted[some[i]]) << some[i];
    }
    EXPECT_GT(signal, 1000u);
}

}  // namespace

TEST(SpotsReference, dispersion_is_that_of_dials_bit_for_bit) {
    expect_dials("::/reference/signal_dispersion", Algorithm::dispersion);
}

TEST(SpotsReference, extended_dispersion_is_that_of_dials_bit_for_bit) {
    expect_dials("::/reference/signal_dispersion_extended", Algorithm::dispersion_extended);
}

TEST(SpotsReference, counts_up_to_the_largest_of_i32_do_not_overflow) {
    // 49 pixels of nearly 2^24: m y is about 2^59. In a flat image nothing is signal, and one pixel above
    // zeros is, unless it is so large that no sum takes it.
    const std::size_t side = 15;
    std::vector<std::int32_t> flat(side * side, 16777214), lonely(side * side, 0);
    flat[7 * side + 7] = 16777215;
    lonely[7 * side + 7] = 16777215;
    lonely[0] = -1;
    const std::vector<std::uint8_t> ignore(side * side, 0);
    Progress progress;
    const auto signal = [&](const std::vector<std::int32_t>& values) {
        return reference_signal({std::as_bytes(std::span(values)), ElementType::i32, side, side, ignore}, {},
                                progress);
    };
    EXPECT_EQ(std::ranges::count(signal(flat), 1), 0);
    const auto found = signal(lonely);
    EXPECT_EQ(std::ranges::count(found, 1), 1);
    EXPECT_EQ(found[7 * side + 7], 1);
    for (const std::int32_t large : {16777216, 2147483647}) {
        flat[7 * side + 7] = lonely[7 * side + 7] = large;
        EXPECT_EQ(std::ranges::count(signal(flat), 1), 0);
        EXPECT_EQ(std::ranges::count(signal(lonely), 1), 0);
    }
    // Beside a spot that makes its window dispersed it is.
    lonely[7 * side + 8] = 100;
    EXPECT_EQ(signal(lonely)[7 * side + 7], 1);
}

TEST(SpotsReference, not_a_number_is_invalid_and_leaves_the_windows_around_it) {
    const std::size_t side = 11;
    std::vector<float> values(side * side, 1);
    values[5 * side + 5] = 100;
    values[5 * side + 6] = std::nanf("");
    values[4 * side + 5] = INFINITY;
    const std::vector<std::uint8_t> ignore(side * side, 0);
    Progress progress;
    const auto found = reference_signal(
        {std::as_bytes(std::span(values)), ElementType::f32, side, side, ignore}, {}, progress);
    EXPECT_EQ(std::ranges::count(found, 1), 1);
    EXPECT_EQ(found[5 * side + 5], 1);
}

TEST(SpotsReference, a_window_of_counts_that_can_never_be_signal_never_is) {
    std::mt19937 random(1);
    for (const double gain : {1.0, 0.5, 2.5}) {
        Thresholds thresholds;
        thresholds.gain = gain;
        thresholds.sigma_b = 3;
        const DispersionTest test(thresholds);
        const std::uint32_t q = test.never_dispersed();
        for (int round = 0; round < 20000; ++round) {
            const auto m = static_cast<std::uint32_t>(2 + random() % 48);
            std::uint64_t x = 0, y = 0;
            const std::uint32_t lit = 1 + static_cast<std::uint32_t>(random() % m);
            for (std::uint32_t i = 0; i < lit; ++i) {
                const auto p = static_cast<std::uint32_t>(random() % (q + 1));
                x += p;
                y += std::uint64_t{p} * p;
            }
            ASSERT_FALSE(test.dispersed(m, x, DispersionTest::Wide{y})) << m << ' ' << x << ' ' << y;
        }
    }
    EXPECT_EQ(DispersionTest(Thresholds{}).never_dispersed(), 2u);
}

TEST(SpotProblem, a_window_larger_than_the_image_is_refused_with_a_sentence) {
    const auto source = std::make_shared<MemoryFrames>("six", Array(ElementType::u16, {1, 6, 40}));
    const auto shared = std::make_shared<SharedFrames>(source, 0, 1, 0);
    try {
        SpotProblem(shared, PixelMask{}, INFINITY, Thresholds{}, ModuleLayout::whole(6, 40), {});
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find("7 x 7"), std::string::npos) << error.what();
    }
}

TEST(ModuleLayout, a_frame_is_cut_into_modules_and_back) {
    const ModuleLayout layout = ModuleLayout::parse("2,3,1,1", 5, 7);
    ASSERT_EQ(layout.modules(), 4u);
    std::vector<std::uint16_t> frame(35), stack(layout.pixels());
    for (std::size_t i = 0; i < frame.size(); ++i) frame[i] = static_cast<std::uint16_t>(i);
    layout.cut(std::as_bytes(std::span(frame)), 2, std::as_writable_bytes(std::span(stack)));
    EXPECT_EQ(stack[0], 0);
    EXPECT_EQ(stack[3], 7);
    EXPECT_EQ(stack[6], 4);       // second module
    EXPECT_EQ(stack.back(), 34);  // last row and column
    for (std::size_t i = 0; i < stack.size(); ++i) EXPECT_EQ(layout.in_frame(i), stack[i]);
    std::vector<std::uint32_t> pixels, sorted;  // of every third pixel, the stack being the second of a batch
    for (std::uint32_t i = 0; i < stack.size(); i += 3) {
        pixels.push_back(static_cast<std::uint32_t>(stack.size()) + i);
        sorted.push_back(static_cast<std::uint32_t>(stack[i]));
    }
    std::ranges::sort(sorted);
    EXPECT_EQ(layout.in_frame(pixels, stack.size()), sorted);
    for (const char* bad : {"2,3", "a", "2,3,1,1,1", "9,1,0,0", "0,1,1,1"})
        EXPECT_THROW(ModuleLayout::parse(bad, 5, 7), Error) << bad;
}
