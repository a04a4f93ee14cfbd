#include <gtest/gtest.h>

#include "core/kernels/resolved_source.h"

namespace {

using ks::SourcePlace;
using FileTexts = std::map<std::string, std::string>;

const FileTexts known_files{{"lib/a.cl", "float a;\n#include \"lib/b.cl\"\nfloat after;\n"},
                            {"lib/b.cl", "float b;\n"}};

TEST(ResolvedSource, holds_included_files_in_place) {
    const ks::ResolvedSource source =
        ks::resolve_source("own.cl", "// first\n#include \"lib/a.cl\"\nkernel\n", known_files);
    EXPECT_EQ(source.text(), "// first\nfloat a;\nfloat b;\nfloat after;\nkernel\n");
    EXPECT_TRUE(source.unread.empty());
}

TEST(ResolvedSource, tells_the_file_and_line_of_each_line_that_the_compiler_counts) {
    const ks::ResolvedSource source =
        ks::resolve_source("own.cl", "// first\n#include \"lib/a.cl\"\nkernel\n", known_files);
    EXPECT_EQ(source.place_of(1), (SourcePlace{"own.cl", 1}));
    EXPECT_EQ(source.place_of(2), (SourcePlace{"lib/a.cl", 1}));
    EXPECT_EQ(source.place_of(3), (SourcePlace{"lib/b.cl", 1}));
    EXPECT_EQ(source.place_of(4), (SourcePlace{"lib/a.cl", 3}));
    EXPECT_EQ(source.place_of(5), (SourcePlace{"own.cl", 3}));
    EXPECT_FALSE(source.place_of(6));
    EXPECT_FALSE(source.place_of(0));
}

TEST(ResolvedSource, keeps_directives_with_the_depth_of_what_follows) {
    const ks::ResolvedSource source = ks::resolve_source("own.cl", "#include \"lib/a.cl\"\nend", known_files);
    ASSERT_EQ(source.lines.size(), 6U);
    EXPECT_TRUE(source.lines[0].include);
    EXPECT_FALSE(source.lines[0].compiled);
    EXPECT_EQ(source.lines[1].depth, 1U);
    EXPECT_TRUE(source.lines[2].include);
    EXPECT_EQ(source.lines[3].depth, 2U);
    EXPECT_EQ(source.lines[5].depth, 0U);
    EXPECT_EQ(source.find({"lib/b.cl", 1}), 3U);
    EXPECT_FALSE(source.find({"lib/b.cl", 9}));
}

TEST(ResolvedSource, a_message_is_of_the_file_that_it_names_or_of_the_whole_text) {
    const ks::ResolvedSource source =
        ks::resolve_source("own.cl", "// first\n#include \"lib/a.cl\"\nkernel\n", known_files);
    const auto place = [&](const char* log) { return source.place_of(ks::compiler_messages(log).at(0)); };
    EXPECT_EQ(place("error: /tmp/tempfile_x.cl:3:1: no"), (SourcePlace{"lib/b.cl", 1}));
    EXPECT_EQ(place("error: lib/a.cl:3:1: no"), (SourcePlace{"lib/a.cl", 3}));
    EXPECT_EQ(place("own.cl:3:1: error: no"), (SourcePlace{"own.cl", 3}));
    EXPECT_EQ(place("/home/k/part.cl:2:1: error: no"), (SourcePlace{"/home/k/part.cl", 2}));
    EXPECT_EQ(place("/home/k/helper.h:2:1: error: no"), (SourcePlace{"/home/k/helper.h", 2}));
    EXPECT_EQ(place("/home/k/table.inc(2): Warning: no"), (SourcePlace{"/home/k/table.inc", 2}));
    EXPECT_EQ(place("<kernel>:2:1: error: no"), (SourcePlace{"lib/a.cl", 1}));
    EXPECT_EQ(place("1:2:1: error: no"), (SourcePlace{"lib/a.cl", 1}));
    EXPECT_FALSE(place("1 error generated."));
}

TEST(ResolvedSource, no_directive_that_reads_a_file_reaches_the_compiler) {
    for (const std::string directive :
         {"#include \"none.cl\"", "#include <lib/a.cl>", "#include NAME", "%:include \"/etc/passwd\"",
          "#import \"lib/a.cl\"", "/* one */ # /* two */ include_next <a>", "#pragma GCC dependency \"a\""}) {
        const ks::ResolvedSource source = ks::resolve_source("own.cl", directive + "\nend\n", known_files);
        ASSERT_EQ(source.unread.size(), 1U) << directive;
        EXPECT_EQ(source.unread[0].place, (SourcePlace{"own.cl", 1}));
        EXPECT_FALSE(source.unread[0].conditional);
        EXPECT_TRUE(source.text().starts_with("#error \"")) << source.text();
        EXPECT_TRUE(source.text().ends_with("\"\nend\n")) << source.text();
        EXPECT_EQ(source.place_of(1), (SourcePlace{"own.cl", 1}));
    }
    const ks::ResolvedSource spliced =
        ks::resolve_source("own.cl", "#if A\n#inc\\\nlude \"none.cl\"\n#endif\nend\n", known_files);
    EXPECT_EQ(spliced.text(),
              "#if A\n#error \"there is no kernel file 'none.cl' in this program\"\n#endif\nend\n");
    EXPECT_TRUE(spliced.unread.at(0).conditional);
    EXPECT_EQ(spliced.place_of(4), (SourcePlace{"own.cl", 5}));
}

TEST(ResolvedSource, a_comment_that_looks_like_a_directive_stays) {
    const ks::ResolvedSource source =
        ks::resolve_source("own.cl", "/*\n#include \"lib/a.cl\"\n*/\n", known_files);
    EXPECT_EQ(source.text(), "/*\n#include \"lib/a.cl\"\n*/\n");
}

TEST(ResolvedSource, what_compilers_read_differently_is_told) {
    EXPECT_FALSE(ks::resolve_source("own.cl", "end\n", {}).unclear);
    EXPECT_EQ(ks::resolve_source("own.cl",
                                 "a\n?"
                                 "?=include \"b\"\n",
                                 {})
                  .unclear->place,
              (SourcePlace{"own.cl", 2}));
}

TEST(ResolvedSource, files_that_include_each_other_come_to_an_end) {
    const ks::ResolvedSource source =
        ks::resolve_source("own.cl", "#include \"x.cl\"\n", {{"x.cl", "x\n#include \"x.cl\"\n"}});
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].why, "kernel files include each other in an endless loop");
    EXPECT_LT(source.lines.size(), 30U);
}

TEST(ResolvedSource, a_line_directive_tells_the_place_of_what_follows) {
    const ks::ResolvedSource source =
        ks::resolve_source("own.cl", "a\n#line 7 \"part.cl\"\nb\n#line 3 \"own.cl\"\nc\n", {});
    EXPECT_EQ(source.text(), "a\nb\nc\n");
    EXPECT_EQ(source.place_of(2), (SourcePlace{"part.cl", 7}));
    EXPECT_EQ(source.place_of(3), (SourcePlace{"own.cl", 3}));
}

TEST(ResolvedSource, a_line_directive_without_a_file_leaves_the_lines_as_they_are) {
    const ks::ResolvedSource source = ks::resolve_source("own.cl", "a\n#line 500\nb\n# line 2\nc\n", {});
    EXPECT_EQ(source.text(), "a\nb\nc\n");
    EXPECT_EQ(source.place_of(2), (SourcePlace{"own.cl", 3}));
    EXPECT_EQ(source.place_of(3), (SourcePlace{"own.cl", 5}));
}

TEST(ResolvedSource, a_last_line_without_an_end_is_one) {
    EXPECT_EQ(ks::lines_of("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_EQ(ks::lines_of("a\n"), std::vector<std::string>{"a"});
    EXPECT_TRUE(ks::lines_of("").empty());
}

}  // namespace
