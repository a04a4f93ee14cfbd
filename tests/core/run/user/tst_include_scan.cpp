#include "core/run/user/include_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace include_scan_test {

using ks::includes_in;

/// "LINE WORD PATH or <REST>[?]" of each.
std::vector<std::string> found_in(const std::string& text) {
    std::vector<std::string> all;
    for (const ks::IncludeDirective& one : includes_in(text))
        all.push_back(std::to_string(one.line) + " " + one.word + " " +
                      (one.path.empty() ? "<" + one.rest + ">" : one.path) + (one.conditional ? "?" : ""));
    return all;
}
using All = std::vector<std::string>;

TEST(IncludeScan, every_spelling_of_an_include_is_seen) {
    EXPECT_EQ(found_in("#include \"a\"\n # \tinclude\"b\" // why\n"), (All{"1 include a", "2 include b"}));
    EXPECT_EQ(found_in("%:include \"a\"\n?"
                       "?=include \"b\"\n"),
              (All{"1 include a", "2 include b"}));
    EXPECT_EQ(found_in("#import \"a\"\n#include_next <b>\n#embed \"c\"\n"),
              (All{"1 import a", "2 include_next <<b>>", "3 embed <\"c\">"}));
    EXPECT_EQ(found_in("#include NAME\n#include </etc/passwd>\n"),
              (All{"1 include <NAME>", "2 include <</etc/passwd>>"}));
    EXPECT_EQ(found_in("int a;\n#inc\\\nlude \\\n\"a\"\n#include \"b\"\n"),
              (All{"2 include a", "5 include b"}));
    EXPECT_EQ(found_in("/* one\n two */ # /* three */ include /**/ \"a\"\n"), (All{"1 include a"}));
    EXPECT_EQ(found_in("#include \"a\" \"b\"\n"), (All{"1 include <\"a\" \"b\">"}));
}

TEST(IncludeScan, comments_and_strings_hold_none) {
    EXPECT_EQ(found_in("/*\n#include \"a\"\n*/\n// \\\n#include \"b\"\n"), All{});
    EXPECT_EQ(found_in("constant char text[] = \"/*\";\n#include \"a\"\n"), (All{"2 include a"}));
    EXPECT_EQ(found_in("char c = '\"'; char d = '\\'';\n#include \"a\"\n"), (All{"2 include a"}));
    EXPECT_EQ(found_in("int x = 1; # include \"a\"\n"), All{});
}

TEST(IncludeScan, conditions_are_told) {
    EXPECT_EQ(found_in("#ifdef A\n#include \"a\"\n#if B\n#endif\n#include \"b\"\n#endif\n#include \"c\"\n"),
              (All{"2 include a?", "5 include b?", "7 include c"}));
}

TEST(IncludeScan, files_that_guard_themselves_are_known) {
    EXPECT_TRUE(ks::guards_itself("// lib\n#ifndef LIB\n#define LIB\nint a;\n#endif\n"));
    EXPECT_TRUE(ks::guards_itself("#pragma once\nint a;\n"));
    EXPECT_FALSE(ks::guards_itself("#ifndef LIB\n#define OTHER\nint a;\n#endif\n"));
    EXPECT_FALSE(ks::guards_itself("int a;\n"));
}

}  // namespace include_scan_test
