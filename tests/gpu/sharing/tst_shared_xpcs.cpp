#include <gtest/gtest.h>

#include <random>

#include "core/xpcs/problem.h"
#include "tests/gpu/sharing/shared_results.h"

namespace ks::tests {
namespace {

/// Bins of very unequal size, some of them empty, one of a pixel.
std::vector<std::int32_t> unequal_labels(std::size_t pixels) {
    std::vector<std::int32_t> labels(pixels, 0);
    for (std::size_t i = 0; i < pixels; ++i) {
        if (i < 3 * pixels / 4)
            labels[i] = 2;
        else if (i % 5 != 0)
            labels[i] = static_cast<std::int32_t>(5 + i % 4);
    }
    labels[pixels - 1] = 11;
    return labels;
}

template <class T>
std::shared_ptr<const Problem> xpcs(double mean, std::size_t two_time_bin = 0, std::size_t frames = 70,
                                    std::uint64_t keep_bytes = std::uint64_t{1} << 30,
                                    const std::vector<std::size_t>& left_out = {}) {
    // Many frames have fewer pixels, because the products grow with the square of the frames.
    constexpr std::size_t width = 33;
    const std::size_t height = frames >= 200 ? 8 : 30;
    std::mt19937 random(7);
    std::poisson_distribution<int> counts(mean);
    std::vector<T> values(frames * height * width);
    for (T& value : values) value = static_cast<T>(counts(random));
    if constexpr (std::is_same_v<T, float>)
        for (T& value : values) value *= 0.37f;
    Progress progress;
    auto scan = std::make_shared<xpcs::FrameScan>(
        std::make_shared<MemoryFrames>("bins", Array::of<T>({frames, height, width}, values)),
        io::FrameRange{0, frames, left_out}, keep_bytes, progress);
    return std::make_shared<xpcs::CorrelationProblem>(
        scan, QPartition(height, width, unequal_labels(height * width), 13), two_time_bin, std::nullopt,
        progress);
}

}  // namespace

TEST(SharedXpcs, bins_of_unequal_size_are_the_same_bytes) {
    EXPECT_GT(expect_shared("xpcs", "u8", xpcs<std::uint8_t>(3)), 2U);
    expect_shared("xpcs", "u16", xpcs<std::uint16_t>(900));
    expect_shared("xpcs", "f32", xpcs<float>(3));
}

TEST(SharedXpcs, frames_that_are_left_out_of_a_part_are_left_out_of_all) {
    const std::vector<std::size_t> left_out{1, 30, 31, 69};
    expect_shared("xpcs", "u8 without some", xpcs<std::uint8_t>(3, 6, 70, std::uint64_t{1} << 30, left_out));
}

TEST(SharedXpcs, the_two_time_map_comes_from_the_part_that_has_its_bin) {
    expect_shared("xpcs", "two times of 6", xpcs<std::uint8_t>(3, 6));
    expect_shared("xpcs", "two times of an empty one", xpcs<std::uint8_t>(3, 4));
}

TEST(SharedXpcs, a_bin_that_is_most_of_the_work_is_cut_by_delays_and_is_the_same_bytes) {
    constexpr std::size_t frames = 200;
    const std::vector<std::string> slow{"seed.naive", "seed.ordered", "host.reference"};
    const auto counts = xpcs<std::uint8_t>(3, 0, frames);
    // More than the bins that have pixels.
    EXPECT_GT(engine().registry().analysis("xpcs").units(*counts).count, 6U);
    EXPECT_GT(expect_shared("xpcs", "u8, a large bin", counts), 2U);
    expect_shared("xpcs", "f32, a large bin", xpcs<float>(3, 0, frames), slow);
    expect_shared("xpcs", "u8, two times of another bin", xpcs<std::uint8_t>(3, 6, frames), slow);
}

TEST(SharedXpcs, few_delays_of_a_large_bin_are_the_same_bytes) {
    auto few = std::make_shared<xpcs::CorrelationProblem>(
        dynamic_cast<const xpcs::CorrelationProblem&>(*xpcs<std::uint16_t>(900, 0, 200)));
    few->limit_delays(150);
    expect_shared("xpcs", "u16, 150 delays", few, {"host.reference"});
}

TEST(SharedXpcs, a_large_bin_elsewhere_does_not_change_a_bin) {
    // 743 pixels of counts that make sums of the largest bin pass 32 bits, and of the others not.
    expect_shared("xpcs", "u16, wide", xpcs<std::uint16_t>(3500, 0, 150));
}

}  // namespace ks::tests
