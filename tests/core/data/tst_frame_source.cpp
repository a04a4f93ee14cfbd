// What every source of frames refuses alike.

#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.h"
#include "core/data/frame_source.h"

namespace ks::tests {
namespace {

TEST(FrameSource, refuses_frames_outside_of_the_stack_and_a_place_of_another_size) {
    constexpr std::size_t frames = 3, bytes = 8;
    MemoryFrames source("made", Array(ElementType::u16, {frames, 2, 2}));
    std::vector<std::byte> place(frames * bytes);
    const auto error_of = [&](std::size_t first, std::size_t count, std::size_t size) -> std::string {
        try {
            source.read(first, count, std::span(place).first(size));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::run);
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of(0, frames, frames * bytes), "");
    EXPECT_EQ(error_of(2, 1, bytes), "");
    EXPECT_EQ(error_of(3, 0, 0), "");
    EXPECT_EQ(error_of(2, 2, 2 * bytes),
              "made: 2 frames starting at frame 2 were requested, but there are only 3 frames, counted "
              "from 0");
    EXPECT_NE(error_of(4, 0, 0), "");
    EXPECT_NE(error_of(0, 1, bytes - 1), "");
    EXPECT_NE(error_of(0, 1, bytes + 1), "");
    EXPECT_NE(error_of(std::numeric_limits<std::size_t>::max(), 2, 2 * bytes), "");  // the sum is 1
}

}  // namespace
}  // namespace ks::tests
