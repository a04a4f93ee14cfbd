#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/run/user/define_words.h"
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
    EXPECT_EQ(defines.at("H").value, "1  + 2");
    for (const char* none : {"D", "F", "G"}) EXPECT_FALSE(defines.contains(none)) << none;
    EXPECT_EQ(defines.at("B").place.line, 2U);
    EXPECT_FALSE(defines.at("A").guarded);
}

// V and WG are those of another program; in the text, WG stands for OWN_WG.
const std::vector<DefineSpec> of_two_programs{{"V", "8", {}, "", {}, "gpu/first.cl"},
                                              {"WG", "64", {}, "", {}, "gpu/first.cl"},
                                              {"OWN_WG", "128", {}, "", "WG"},
                                              {"TILE", "16", {}, ""}};

TEST(TextDefines, a_name_in_the_text_stands_for_a_definition_of_its_own_program) {
    EXPECT_EQ(define_in_text(of_two_programs, "WG")->name, "OWN_WG");
    EXPECT_EQ(define_in_text(of_two_programs, "TILE")->name, "TILE");
    EXPECT_EQ(define_in_text(of_two_programs, "OWN_WG"), nullptr);
    EXPECT_EQ(define_in_text(of_two_programs, "V"), nullptr);
}

TEST(TextDefines, given_values_have_the_names_of_the_text_there) {
    using Values = std::map<std::string, std::string>;
    const Values given{{"V", "4"}, {"WG", "1"}, {"OWN_WG", "32"}, {"TILE", "8"}, {"MINE", "3"}};
    EXPECT_EQ(values_in_text(of_two_programs, given), (Values{{"WG", "32"}, {"TILE", "8"}, {"MINE", "3"}}));
    const HostDefines host = host_defines(of_two_programs, {{"WG", "1"}});
    EXPECT_TRUE(host.given.empty());
    EXPECT_EQ(host.open, (std::set<std::string>{"WG", "TILE"}));
}

TEST(TextDefines, words_stand_for_numbers_in_the_order_of_the_words) {
    const DefineSpec way{"WAY", "auto", {"auto", "plain", "fast", "8"}, ""};
    const DefineSpec tile{"TILE", "16", {"auto", "16", "32"}, ""};
    EXPECT_EQ(value_in_program(way, "fast"), "1");
    EXPECT_EQ(value_in_words(way, "1"), "fast");
    for (const char* same : {"auto", "fast", "8", "2", "other", ""})
        EXPECT_EQ(value_in_words(way, same), same);
    for (const char* same : {"auto", "1", "8", "other"}) EXPECT_EQ(value_in_program(way, same), same);
    EXPECT_EQ(value_in_words(tile, "1"), "1");
    EXPECT_EQ(values_in_text({way, tile}, {{"WAY", "fast"}, {"TILE", "16"}}),
              (std::map<std::string, std::string>{{"WAY", "1"}, {"TILE", "16"}}));
    EXPECT_EQ(values_in_words({way, tile}, {{"WAY", "0"}, {"TILE", "1"}, {"MINE", "1"}}),
              (std::map<std::string, std::string>{{"WAY", "plain"}, {"TILE", "1"}, {"MINE", "1"}}));
    Variant variant;
    variant.defines = {way, tile};
    for (const char* taken : {"auto", "plain", "0", "1"})
        EXPECT_NO_THROW(require_define(variant, "WAY", taken));
    for (const char* refused : {"2", "slow", ""})
        EXPECT_THROW(require_define(variant, "WAY", refused), Error);
    EXPECT_THROW(require_define(variant, "TILE", "1"), Error);
}

TEST(TextDefines, a_guard_is_known_in_each_way_of_writing_it) {
    for (const char* guard : {"#ifndef TILE", "#if !defined(TILE)", "# if ! defined TILE"})
        EXPECT_TRUE(text_defines(std::string(guard) + "\n#define TILE 8\n#endif\n").at("TILE").guarded)
            << guard;
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

TEST(TextDefines, conditions_decide_as_in_the_compiler) {
    struct Case {
        const char* text;
        std::optional<std::string> value;  ///< of TILE; nothing: it is not defined
        std::size_t line;
        bool guarded;
    };
    for (const Case& one : {
             Case{"#ifdef FAST\n#define TILE 8\n#else\n#define TILE 4\n#endif", "4", 4, false},
             {"#define FAST\n#ifdef FAST\n#define TILE 8\n#else\n#define TILE 4\n#endif", "8", 3, false},
             {"#if 1\n#undef TILE\n#define TILE 8\n#endif", "8", 3, false},
             {"#ifndef TILE\n#if 1\n#define TILE 8\n#else\n#define TILE 4\n#endif\n#endif", "8", 3, true},
             {"#ifdef TILE\n#else\n#define TILE 8\n#endif", "8", 3, true},
             {"#undef TILE\n#ifndef TILE\n#define TILE 8\n#endif", "8", 3, false},
             {"#define WAY 2\n#if WAY == 1\n#define TILE 1\n#elif WAY == 2\n#define TILE 2\n#elif 1\n"
              "#define TILE 3\n#else\n#define TILE 4\n#endif",
              "2", 5, false},
             {"#define F(x) x\n#ifdef F\n#define TILE 8\n#else\n#define TILE 4\n#endif", "8", 3, false},
             {"#if 0\n#if 1\n#define TILE 8\n#endif\n#endif", std::nullopt, 0, false},
             {"#define TILE 8\n#if 1\n#undef TILE\n#endif", std::nullopt, 0, false},
             {"#if 0 && __DEVICE__\n#define TILE 8\n#else\n#define TILE 4\n#endif", "4", 4, false},
             {"#ifndef _LIB_H\n#define _LIB_H\n#if 1\n#define TILE 8\n#endif\n#endif", "8", 4, false},
             {"#ifndef LIB\n#define LIB\n#define TILE 8\n#endif\n#ifndef LIB\n#define LIB\n#define TILE 4\n"
              "#endif",
              "8", 3, false},
             {"#ifdef __DEVICE__\n#define TILE 8\n#endif\n#undef TILE\n#define TILE 4", "4", 5, false},
         }) {
        const auto defines = text_defines(one.text);
        const auto tile = defines.find("TILE");
        ASSERT_EQ(tile != defines.end(), one.value.has_value()) << one.text;
        if (tile == defines.end()) continue;
        EXPECT_EQ(tile->second.value, *one.value) << one.text;
        EXPECT_EQ(tile->second.place.line, one.line) << one.text;
        EXPECT_EQ(tile->second.guarded, one.guarded) << one.text;
        EXPECT_FALSE(tile->second.unclear) << one.text << *tile->second.unclear;
    }
}

TEST(TextDefines,
     a_condition_on_the_compiler_or_the_launch_is_refused_with_its_line_unless_a_value_is_given) {
    struct Case {
        const char* text;
        const char* place;
        const char* reason;
    };
    for (const Case& one : {
             Case{"#ifdef cl_khr_fp64\n#define TILE 8\n#else\n#define TILE 4\n#endif", "mine.cl:4",
                  "cl_khr_fp64"},
             {"\n#if __OPENCL_C_VERSION__ >= 200\n#define TILE 8\n#endif", "mine.cl:3",
              "__OPENCL_C_VERSION__"},
             {"#ifndef WG\n#define TILE 8\n#endif", "mine.cl:2", "depends on WG"},
             {"#ifndef WG\n#define WG 64\n#endif\n#if WG > 32\n#define TILE 8\n#endif", "mine.cl:5",
              "depends on WG"},
             {"#define F(x) x\n#if F(1)\n#define TILE 8\n#endif", "mine.cl:3", "evaluate \"F(1)\""},
             {"#define TILE 4\n#ifdef __DEVICE__\n#undef TILE\n#endif", "mine.cl:1", "__DEVICE__"},
             {"#ifndef TILE\n#ifdef __DEVICE__\n#define TILE 8\n#endif\n#endif", "mine.cl:3", "__DEVICE__"},
             {"#line 7 \"/k/part.cl\"\n#ifdef __DEVICE__\n#define TILE 8\n#endif", "/k/part.cl:8",
              "__DEVICE__"},
         }) {
        const HostDefines host{{}, {"TILE", "WG"}};
        const auto chosen = chosen_defines(one.text, guarded, host);
        ASSERT_TRUE(chosen.contains("TILE")) << one.text;
        try {
            require_clear("TILE", chosen.at("TILE"), host, "mine.cl");
            ADD_FAILURE() << "accepted: " << one.text;
        } catch (const Error& error) {
            EXPECT_NE(error.where().find(one.place), std::string::npos) << error.what();
            EXPECT_NE(error.message().find("define TILE"), std::string::npos) << error.what();
            EXPECT_NE(error.message().find(one.reason), std::string::npos) << error.what();
            EXPECT_NE(error.hint().find("outside of #if"), std::string::npos) << error.hint();
        }
        require_clear("TILE", chosen.at("TILE"), {{{"TILE", "32"}}, {"TILE", "WG"}}, "mine.cl");
    }
    // A given value is known.
    const auto known = text_defines("#if WG > 32\n#define TILE 8\n#endif", {{{"WG", "64"}}, {"TILE", "WG"}});
    EXPECT_EQ(known.at("TILE").value, "8");
    EXPECT_FALSE(known.at("TILE").unclear);
}

TEST(TextDefines, an_unchanged_condition_of_the_shipped_text_is_not_a_choice) {
    const std::string shipped = "#ifdef __DEVICE__\n#define UNROLL 4\n#else\n#define UNROLL 1\n#endif\n";
    EXPECT_TRUE(chosen_defines("// edited\n" + shipped, shipped).empty());
    EXPECT_TRUE(chosen_defines("#ifdef FAST\n#define TILE 64\n#else\n#define TILE 64\n#endif\n", guarded)
                    .contains("TILE"));
}

TEST(TextDefines, a_line_that_ends_in_a_backslash_goes_on) {
    const auto defines = text_defines(
        "// a \\\n#define NONE 1\n#define SUM \\\n(1 + \\\n2)\n#if SUM * 2 == 6 \\\n && 1\n#define TILE "
        "8\n#endif\n");
    EXPECT_FALSE(defines.contains("NONE"));
    EXPECT_EQ(defines.at("SUM").place.line, 3U);
    EXPECT_EQ(defines.at("TILE").place.line, 8U);
    EXPECT_EQ(with_given_defines("#define TILE \\\n 8\nkernel", {{"TILE", "32"}}),
              "#define TILE 32\n\nkernel");
}

TEST(TextDefines, given_values_take_the_place_of_those_in_every_branch) {
    EXPECT_EQ(with_given_defines("#ifdef __DEVICE__\n#define TILE 8\n#else\n#define TILE 4\n#endif\n",
                                 {{"TILE", "32"}}),
              "#ifdef __DEVICE__\n#define TILE 32\n#else\n#define TILE 32\n#endif\n");
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
