#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "core/xpcs/pixel_selection.h"

namespace ks::tests::selection {
namespace {

constexpr std::size_t height = 61, width = 70, frames = 5;

/// Of each pixel that has a label, in their order, each frame's value.
template <class T>
std::vector<T> picked(const std::vector<T>& stack, const std::vector<std::int32_t>& labels) {
    std::vector<T> out;
    for (std::size_t i = 0; i < stack.size(); ++i)
        if (labels[i % labels.size()] != 0) out.push_back(stack[i]);
    return out;
}

template <class T>
void expect_picked(std::size_t high, std::size_t wide, const std::vector<std::int32_t>& labels) {
    std::mt19937 random(3);
    std::vector<T> stack(frames * high * wide);
    for (T& value : stack) value = static_cast<T>(random());
    const QPartition partition(high, wide, labels);
    const xpcs::PixelSelection selection(partition);
    std::vector<T> packed(frames * partition.selected());
    for (const unsigned threads : {1U, 4U}) {
        std::ranges::fill(packed, T{0});
        selection.pack(std::as_bytes(std::span(stack)), sizeof(T), std::as_writable_bytes(std::span(packed)),
                       threads);
        EXPECT_EQ(packed, picked(stack, labels));
    }
    const std::vector<std::uint32_t> places = selection.places(partition);
    ASSERT_EQ(places.size(), partition.selected());
    for (std::size_t i = 0; i < places.size(); ++i)
        ASSERT_EQ(packed[places[i]], stack[partition.pixels()[i]]) << i;
}

TEST(PixelSelection, scattered_pixels_lie_side_by_side_in_their_order) {
    std::mt19937 random(9);
    std::vector<std::int32_t> labels(height * width);
    for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random() % 5);
    expect_picked<std::uint8_t>(height, width, labels);
    expect_picked<std::uint32_t>(height, width, labels);
}

TEST(PixelSelection, a_bin_of_one_pixel_at_either_end_is_found) {
    std::vector<std::int32_t> labels(height * width, 0);
    labels.front() = 2;
    labels.back() = 1;
    expect_picked<std::uint16_t>(height, width, labels);
}

TEST(PixelSelection, neighbours_for_several_threads_are_all_there) {
    // More than one block of work, of runs that are longer than one piece.
    constexpr std::size_t high = 512, wide = 700;
    std::vector<std::int32_t> labels(high * wide, 1);
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = i < 1000 ? 0 : i > 200'000 && i % 3 == 0 ? 0 : i > 300'000 ? 2 : 1;
    expect_picked<std::uint8_t>(high, wide, labels);
}

}  // namespace
}  // namespace ks::tests::selection
