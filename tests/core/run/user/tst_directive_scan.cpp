#include "core/run/user/directive_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace directive_scan_test {

using ks::directives_in;
using All = std::vector<std::string>;

/// "LINE WORD REST" of each that reads a file.
All reading(const std::string& text) {
    All all;
    for (const ks::Directive& one : directives_in(text).directives)
        if (ks::reads_a_file(one)) all.push_back(std::to_string(one.line) + " " + one.word + " " + one.rest);
    return all;
}

std::string why_unclear(const std::string& text) {
    const auto unclear = ks::unclear_in(text, directives_in(text));
    return unclear ? std::to_string(unclear->line) + " " + unclear->why : "";
}

TEST(DirectiveScan, every_spelling_of_an_include_is_seen) {
    EXPECT_EQ(reading("#include \"a\"\n # \tinclude\"b\" // why\n\f#include <c>\n"),
              (All{"1 include \"a\"", "2 include \"b\"", "3 include <c>"}));
    EXPECT_EQ(reading("%:include \"a\"\n\xEF\xBB\xBF#include \"b\"\n"), All{"1 include \"a\""});
    EXPECT_EQ(reading("\xEF\xBB\xBF#include \"a\"\n"), All{"1 include \"a\""});
    EXPECT_EQ(
        reading("#import \"a\"\n#include_next <b>\n#embed \"c\"\n#pragma GCC dependency \"d\"\n"),
        (All{"1 import \"a\"", "2 include_next <b>", "3 embed \"c\"", "4 pragma GCC dependency \"d\""}));
    EXPECT_EQ(reading("#include NAME\n#include </etc/passwd>\n"),
              (All{"1 include NAME", "2 include </etc/passwd>"}));
    EXPECT_EQ(reading("int a;\n#inc\\\nlude \\ \n\"a\"\n#include \"b\"\n"),
              (All{"2 include \"a\"", "5 include \"b\""}));
    EXPECT_EQ(reading("/* one\n two */ # /* three */ include /**/ \"a\"\n"), All{"1 include \"a\""});
    EXPECT_EQ(reading(ks::unified_line_ends("int a;\r#include \"b\"\r\n#include \"c\"\r")),
              (All{"2 include \"b\"", "3 include \"c\""}));
    EXPECT_EQ(reading(std::string("\0#include \"a\"\n", 14)), All{"1 include \"a\""});
}

TEST(DirectiveScan, comments_and_strings_hold_none) {
    EXPECT_EQ(reading("/*\n#include \"a\"\n*/\n// \\\n#include \"b\"\n"), All{});
    EXPECT_EQ(reading("constant char text[] = \"/*\";\n#include \"a\"\n"), All{"2 include \"a\""});
    EXPECT_EQ(reading("char c = '\"'; char d = '\\'';\n#include \"a\"\n"), All{"2 include \"a\""});
    EXPECT_EQ(reading("int x = 1; # include \"a\"\n#define X a \\\n#include \"b\"\n"), All{});
}

TEST(DirectiveScan, nothing_is_a_comment_in_the_name_of_a_file) {
    EXPECT_EQ(reading("#include <a/*b>\n#include <c//d>\n#if __has_include(<x/*y>)\n#include \"e\"\n"),
              (All{"1 include <a/*b>", "2 include <c//d>", "4 include \"e\""}));
    EXPECT_EQ(ks::named_file("<a/*b> tail"), "a/*b");
    EXPECT_EQ(ks::named_file("\"a b.h\";"), "a b.h");
    for (const char* none : {"", "a", "\"a", "<a", "\"\"", "\"a\\\"b\""}) EXPECT_FALSE(ks::named_file(none));
}

TEST(DirectiveScan, what_compilers_read_differently_is_told) {
    EXPECT_EQ(why_unclear("int a;\n?"
                          "?=include \"b\"\n"),
              "2 it has a trigraph, which compilers interpret differently");
    EXPECT_EQ(why_unclear("// what?"
                          "?/\n#include \"b\"\n"),
              "1 it has a trigraph, which compilers interpret differently");
    EXPECT_EQ(why_unclear("// what?"
                          "?/ and why?"
                          "?=\n"),
              "")
        << "it changes nothing";
    EXPECT_EQ(why_unclear("#warning a /* b\n#include \"c\"\n*/\n").substr(0, 2), "1 ");
    EXPECT_EQ(why_unclear("#warning a /* b */\n#error don't\n"), "");
    EXPECT_NE(why_unclear("void f() { __asm__(\".inc\" \"bin \\\"x\\\"\"); }\n"), "");
    EXPECT_NE(why_unclear("#define S(x) #x\nvoid f() { asm(S(.INCBIN) \"x\"); }\n"), "");
    for (const char* text : {"_Pragma(\"GCC dependency \\\"/etc/hosts\\\"\")\nvoid f() {}\n",
                             "#define P(x) _Pragma(#x)\nP(GCC dependency \"/etc/hosts\")\nvoid f() {}\n"})
        EXPECT_NE(why_unclear(text).find("_Pragma"), std::string::npos) << text;
    EXPECT_EQ(why_unclear("_Pragma(\"unroll\")\nvoid f() {}\n"), "");
    EXPECT_EQ(why_unclear("// .incbin\nvoid f() { asm(\"nop\"); }\n#include \"asm.include\"\n"), "");
}

TEST(DirectiveScan, files_that_guard_themselves_are_known) {
    const auto guarded = [](const std::string& text) { return !ks::guard_of(directives_in(text)).empty(); };
    EXPECT_TRUE(
        guarded("// lib\n#ifndef LIB\n#define LIB\nint a;\n#ifdef B\n#else\n#endif\n#endif // LIB\n"));
    EXPECT_TRUE(guarded("#if !defined(LIB)\n#define LIB 1\nint a;\n#endif\n"));
    EXPECT_EQ(ks::guard_of(directives_in("#ifndef LIB\n#define LIB\n#endif")), "LIB");
    EXPECT_FALSE(guarded("#ifndef LIB\n#define OTHER\nint a;\n#endif\n"));
    EXPECT_FALSE(guarded("int a;\n"));
    EXPECT_FALSE(guarded("int a;\n#ifndef LIB\n#define LIB\n#endif\n"));
    EXPECT_FALSE(guarded("#ifndef LIB\n#define LIB\n#endif\nint a;\n"));
    EXPECT_FALSE(guarded("#ifndef LIB\n#define LIB\n#else\nint a;\n#endif\n"));
    EXPECT_FALSE(guarded("#ifndef LIB\n#define LIB\n#endif\n#ifdef A\n#endif\n"));
}

TEST(DirectiveScan, files_that_are_read_once_are_known) {
    EXPECT_TRUE(ks::is_read_once(directives_in("#pragma once\nint a;\n")));
    EXPECT_FALSE(ks::is_read_once(directives_in("#ifdef A\n#pragma once\n#endif\nint a;\n")));
}

TEST(DirectiveScan, what_goes_on_behind_the_end_of_a_file_is_told) {
    EXPECT_TRUE(directives_in("int a; /* b").open_comment);
    EXPECT_FALSE(directives_in("int a; /* b */").open_comment);
    EXPECT_TRUE(directives_in("#define A \\").open_line);
    EXPECT_TRUE(directives_in("#define A \\\n").open_line);
    EXPECT_FALSE(directives_in("#define A \\\n1\n").open_line);
    const auto closed = [](const char* text) { return ks::conditions_are_closed(directives_in(text)); };
    EXPECT_TRUE(closed("#if A\n#ifdef B\n#endif\n#endif\n"));
    EXPECT_FALSE(closed("#if A\n"));
    EXPECT_FALSE(closed("#endif\n#if A\n"));
}

}  // namespace directive_scan_test
