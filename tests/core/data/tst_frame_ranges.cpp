#include "core/data/frame_ranges.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace ks::tests::frame_ranges_test {
namespace {

using Frames = std::vector<std::size_t>;

std::string refusal(const std::string& text) {
    try {
        frames_named(text, 60, "here");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_EQ(error.where(), "here");
        return error.message();
    }
    return "(not refused)";
}

TEST(FrameRanges, are_numbers_and_ranges_with_both_ends) {
    EXPECT_EQ(frames_named("10-12,55", 60, ""), (Frames{10, 11, 12, 55}));
    EXPECT_EQ(frames_named("0", 60, ""), Frames{0});
    EXPECT_EQ(frames_named(" 59 , 3 - 3,3 ", 60, ""), (Frames{3, 59}));
    EXPECT_EQ(frames_named("5-7,6-9", 60, ""), (Frames{5, 6, 7, 8, 9}));
    EXPECT_EQ(frames_named("none", 60, ""), Frames{});
    EXPECT_EQ(frames_named(" ", 60, ""), Frames{});
}

TEST(FrameRanges, that_are_none_are_refused_in_one_sentence) {
    for (const char* text : {"10-", "-4", "ten", "3;4", "1--2", "4.5", "+3"})
        EXPECT_EQ(refusal(text),
                  "expected frames counted from 0, such as \"10-19,55\", or \"none\", found \"" +
                      std::string(text) + "\"");
    EXPECT_EQ(refusal("3,,4"),
              "expected frames counted from 0, such as \"10-19,55\", or \"none\", found \"\"");
    EXPECT_NE(refusal("3,").find("found \"\""), std::string::npos);
    EXPECT_NE(refusal("99999999999999999999").find("found \"99999999999999999999\""), std::string::npos);
    EXPECT_EQ(refusal("2,19-10"), "the range 19-10 ends before it starts: write 10-19");
    EXPECT_EQ(refusal("2,60"), "frame 60 does not exist: the series has frames 0 to 59");
    EXPECT_EQ(refusal("0-18446744073709551615"),
              "frame 18446744073709551615 does not exist: the series has frames 0 to 59");
}

TEST(FrameRanges, are_written_as_they_are_read) {
    EXPECT_EQ(frame_ranges({10, 11, 12, 55}), "10-12,55");
    EXPECT_EQ(frame_ranges({3, 5}), "3,5");
    EXPECT_EQ(frame_ranges({}), "none");
    for (const Frames& frames : {Frames{}, Frames{0, 1, 2}, Frames{0, 7, 8, 59}})
        EXPECT_EQ(frames_named(frame_ranges(frames), 60, ""), frames);
}

TEST(FrameRanges, have_words_that_are_cut_where_they_are_many) {
    EXPECT_EQ(ranges_in_words({36}), "frame 36");
    EXPECT_EQ(ranges_in_words({3, 5}), "frames 3 and 5");
    EXPECT_EQ(ranges_in_words({3, 10, 11, 55}), "frames 3, 10 to 11 and 55");
    EXPECT_EQ(ranges_in_words({35, 36, 37}, "delay"), "delays 35 to 37");
    Frames odd;
    for (std::size_t i = 0; i < 30; ++i) odd.push_back(2 * i + 1);
    EXPECT_EQ(ranges_in_words(odd), "frames 1, 3, 5, 7, 9, 11, 13, 15 and 22 more frames");
}

}  // namespace
}  // namespace ks::tests::frame_ranges_test
