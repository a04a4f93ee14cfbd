#include "core/run/user/line_map.h"

#include <gtest/gtest.h>

namespace {

using ks::FileLine;
using ks::LineMap;

/// mine.cl 1 to 3, lib.cl 1 to 2, mine.cl from 5 on.
LineMap three_pieces() {
    LineMap map;
    map.add(1, {"mine.cl", 1});
    map.add(4, {"lib.cl", 1});
    map.add(6, {"mine.cl", 5});
    return map;
}

TEST(LineMap, a_line_is_found_in_the_piece_that_it_lies_in) {
    const LineMap map = three_pieces();
    EXPECT_EQ(map.place_of(1), (FileLine{"mine.cl", 1}));
    EXPECT_EQ(map.place_of(3), (FileLine{"mine.cl", 3}));
    EXPECT_EQ(map.place_of(4), (FileLine{"lib.cl", 1}));
    EXPECT_EQ(map.place_of(5), (FileLine{"lib.cl", 2}));
    EXPECT_EQ(map.place_of(9), (FileLine{"mine.cl", 8}));
    EXPECT_FALSE(LineMap().place_of(1));
}

TEST(LineMap, messages_of_nvidia_and_of_pocl_name_file_and_line) {
    const LineMap map = three_pieces();
    EXPECT_EQ(map.in_files("<kernel>:5:13: error: use of undeclared identifier 'x'\n    y = x;\n        ^\n"),
              "lib.cl:2:13: error: use of undeclared identifier 'x'\n    y = x;\n        ^\n");
    EXPECT_EQ(map.in_files("error: /tmp/cache/tempfile_ab-12.cl:7:1: expected '}'"),
              "error: mine.cl:6:1: expected '}'");
    EXPECT_EQ(map.in_files("1:2:3: warning: w"), "mine.cl:2:3: warning: w");
}

TEST(LineMap, the_place_of_a_macro_s_text_is_one_of_a_file_too) {
    const LineMap map = three_pieces();
    const std::string plain = map.in_files("error: /tmp/tempfile_x.cl:12:5: no"),
                      spelled = map.in_files(
                          "error: /tmp/tempfile_x.cl:12:5 <Spelling=/tmp/tempfile_x.cl:2:7>: no");
    const auto at = map.place_of(2);
    ASSERT_TRUE(at);
    EXPECT_EQ(spelled, plain + " (macro of " + at->file + ":" + std::to_string(at->line) + ":7)");
    EXPECT_EQ(spelled.find("tempfile"), std::string::npos) << spelled;
}

TEST(LineMap, what_is_no_message_about_the_text_stays) {
    const LineMap map = three_pieces();
    for (const char* text : {"/usr/share/pocl/include/_kernel.h:5:2: note: declared here\n",
                             "2 errors generated.\n", "ptxas info: 0 bytes gmem", "", "a:b:c\n\n", "x:3: y"})
        EXPECT_EQ(map.in_files(text), text);
}

TEST(LineMap, a_directive_is_read_as_it_was_written_whatever_the_name) {
    for (const std::string file : {"mine.cl", "/a b/\"c\"\\d.cl", ""})
        EXPECT_EQ(ks::line_directive_of(ks::line_directive({file, 12})), (FileLine{file, 12}));
    EXPECT_EQ(ks::line_directive_of("  #  line 3"), (FileLine{"", 3}));
    EXPECT_FALSE(ks::line_directive_of("#line"));
    EXPECT_FALSE(ks::line_directive_of("#define line 3"));
}

}  // namespace
