// What is kept of what kernels print.

#include "core/run/printed.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace printed_test {

using ks::Printed;

TEST(Printed, is_kept_as_it_came_up_to_64_KiB) {
    Printed printed;
    EXPECT_TRUE(printed.empty());
    EXPECT_EQ(printed.text(), "");
    printed.add("one\nt");
    printed.add("wo");
    EXPECT_EQ(printed.text(), "one\ntwo\n");
    printed.add("\n");
    EXPECT_EQ(printed.text(), "one\ntwo\n");
    EXPECT_FALSE(printed.is_flood());
    printed.require_no_flood("user.mine");
}

TEST(Printed, of_a_flood_whole_lines_are_kept_and_the_others_are_counted) {
    // 10000 lines of 10 bytes, in pieces of any length.
    std::string flood;
    for (int i = 0; i < 10000; ++i) flood += std::to_string(100000000 + i) + "\n";
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, flood.size()}) {
        Printed printed;
        for (std::size_t at = 0; at < flood.size(); at += piece) printed.add(flood.substr(at, piece));
        const std::string text = printed.text();
        // 6553 lines are 65530 bytes.
        EXPECT_EQ(text, flood.substr(0, 65530) + "... and 3447 more lines (34470 bytes)\n") << piece;
        EXPECT_TRUE(printed.is_flood());
        try {
            printed.require_no_flood("user.mine");
            ADD_FAILURE() << "no error";
        } catch (const ks::Error& error) {
            EXPECT_NE(std::string(error.what()).find("100000 bytes"), std::string::npos) << error.what();
        }
    }
}

TEST(Printed, a_line_without_an_end_is_cut) {
    Printed printed;
    for (int i = 0; i < 100; ++i) printed.add(std::string(1000, 'x'));
    EXPECT_EQ(printed.text(), std::string(65536, 'x') + "\n... and 1 more line (34464 bytes)\n");
}

}  // namespace printed_test
