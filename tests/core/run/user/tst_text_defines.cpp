#include <gtest/gtest.h>

#include "core/run/user/text_defines.h"

namespace text_defines_test {

using namespace ks;

const std::string guarded = "#ifndef TILE\n#define TILE 64\n#endif\n";

TEST(TextDefines, a_value_is_read_without_comments_parentheses_and_suffix) {
    const auto defines = text_defines(
        "#define A 32 // rows\n  #  define B\t(16u)\n#define C (A * B) /* group\n#define D 1 */\n#define E\n"
        "#define F(x) x\n// #define G 1\n#define H 1 \\\n + 2\n");
    EXPECT_EQ(defines.at("A").value, "32");
    EXPECT_EQ(defines.at("B").value, "16");
    EXPECT_EQ(defines.at("C").value, "A * B");
    EXPECT_EQ(defines.at("E").value, "");
    for (const char* none : {"D", "F", "G", "H"}) EXPECT_FALSE(defines.contains(none)) << none;
    EXPECT_EQ(defines.at("B").place.line, 2U);
    EXPECT_FALSE(defines.at("A").guarded);
}

TEST(TextDefines, a_guard_is_known_in_each_way_of_writing_it) {
    for (const char* guard : {"#ifndef TILE", "#if !defined(TILE)", "# if ! defined TILE"})
        EXPECT_TRUE(text_defines(std::string(guard) + "\n#define TILE 8\n#endif\n").at("TILE").guarded)
            << guard;
    EXPECT_TRUE(text_defines("#ifdef FAST\n#define TILE 8\n#else\n#define TILE 4\n#endif\n").empty());
    EXPECT_TRUE(text_defines("#ifndef WG\n#define TILE 8\n#endif\n").empty());
    EXPECT_EQ(text_defines("#define TILE 8\n" + guarded).at("TILE").value, "8");
}

TEST(TextDefines, a_place_follows_line_directives) {
    const auto defines =
        text_defines("a\n#line 7 \"/k/part.cl\"\n#define A 1\n#line 3 \"/k/own.cl\"\n\n#define B 2\n");
    EXPECT_EQ(defines.at("A").place, (FileLine{"/k/part.cl", 7}));
    EXPECT_EQ(defines.at("B").place, (FileLine{"/k/own.cl", 4}));
}

TEST(TextDefines, its_author_chose_what_differs_from_the_shipped_text_or_has_no_guard) {
    EXPECT_TRUE(chosen_defines(guarded, guarded).empty());
    EXPECT_TRUE(chosen_defines("\n\n" + guarded, guarded).empty());
    EXPECT_EQ(chosen_defines("#ifndef TILE\n#define TILE 32\n#endif\n", guarded).at("TILE").value, "32");
    EXPECT_EQ(chosen_defines("#define TILE 64\n", guarded).at("TILE").value, "64");
    EXPECT_EQ(chosen_defines("#ifndef DEPTH\n#define DEPTH 4\n#endif\n", guarded).at("DEPTH").value, "4");
}

TEST(TextDefines, given_values_take_the_place_of_those_that_nothing_guards) {
    const std::string text = "// a\n#define TILE 64\n#ifndef WG\n#define WG 16\n#endif\nkernel";
    EXPECT_EQ(with_given_defines(text, {{"TILE", "32"}, {"WG", "8"}}),
              "// a\n#define TILE 32\n#ifndef WG\n#define WG 16\n#endif\nkernel");
    EXPECT_EQ(with_given_defines(text, {{"TILE", "64"}}), text);
    EXPECT_EQ(with_given_defines(text, {}), text);
}

TEST(TextDefines, a_guard_around_an_included_file_hides_nothing) {
    const auto defines = text_defines(
        "#ifndef LIB_H\n#define LIB_H\n#define TILE 8\n#ifndef WG\n#define WG 64\n#endif\n#ifdef "
        "FAST\n#define DEPTH "
        "2\n#endif\n#endif\n");
    EXPECT_EQ(defines.at("TILE").value, "8");
    EXPECT_FALSE(defines.at("TILE").guarded);
    EXPECT_EQ(defines.at("WG").value, "64");
    EXPECT_TRUE(defines.at("WG").guarded);
    EXPECT_FALSE(defines.contains("DEPTH"));
    EXPECT_EQ(ks::with_given_defines("#ifndef A_H\n#define A_H\n#define TILE 8\n#endif\n", {{"TILE", "4"}}),
              "#ifndef A_H\n#define A_H\n#define TILE 4\n#endif\n");
}

}  // namespace text_defines_test
