// A correlation needs every frame: those that cannot be decoded are named, all of them.

#include <gtest/gtest.h>

#include "core/io/open_frames.h"
#include "core/xpcs/frame_scan.h"
#include "tests/core/io/damaged_stack.h"

namespace ks::tests::xpcs_damaged {

using XpcsDamaged = IoTest;

TEST_F(XpcsDamaged, frames_are_refused_by_their_numbers) {
    constexpr std::size_t frames = 60, height = 40, width = 50;
    {
        TestFile made(at("f.h5"));
        std::vector<std::uint16_t> values(frames * height * width);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(i * 31 % 97);
        write_stack(made, "/data", frames, height, width, values, stack_filters().front());
    }
    for (const std::size_t frame : {3U, 4U, 59U}) damage(at("f.h5"), "/data", frame, Damage::overwritten);
    const auto scan = [&](std::size_t first, std::size_t count, std::uint64_t keep,
                          const std::vector<std::size_t>& left_out = {}) {
        xpcs::FrameScan(io::open_frames(at("f.h5")), {first, count, left_out}, keep, quiet);
    };
    for (const std::uint64_t keep : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
        EXPECT_TRUE(contains(input_error([&] { scan(0, frames, keep); }),
                             {"f.h5", "3 of 60 frames are damaged", "(3, 4, 59)"}));
        EXPECT_TRUE(contains(input_error([&] { scan(4, 50, keep); }), {"1 of 50 frames", "(4)"}));
        EXPECT_NO_THROW(scan(5, 54, keep));
        EXPECT_TRUE(contains(input_error([&] {
                                 scan(0, frames, keep, {4, 20});
                             }),
                             {"(3, 59)", "--leave-out 3-4,20,59"}));
        EXPECT_NO_THROW(scan(0, frames, keep, {3, 4, 20, 59}));
    }
}

}  // namespace ks::tests::xpcs_damaged
