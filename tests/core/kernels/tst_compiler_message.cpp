#include <gtest/gtest.h>

#include "core/kernels/compiler_message.h"

namespace {

using ks::CompilerMessage;
using MessageKind = CompilerMessage::Kind;

struct LogCase {
    const char* log;
    const char* file;
    MessageKind kind;
    std::size_t line;
    std::optional<std::size_t> column;
    const char* text;
};

TEST(CompilerMessages, have_the_place_that_each_compiler_gives) {
    const std::vector<LogCase> cases{
        {"error: /root/.cache/pocl/kcache/tempfile_CWDfFH.cl:5:30: use of undeclared identifier 'd'",
         "/root/.cache/pocl/kcache/tempfile_CWDfFH.cl", MessageKind::error, 5, 30,
         "use of undeclared identifier 'd'"},
        {"warning: /tmp/x.cl:6:9: expression result unused", "/tmp/x.cl", MessageKind::warning, 6, 9,
         "expression result unused"},
        {"<kernel>:12:3: error: expected ';' after expression", "<kernel>", MessageKind::error, 12, 3,
         "expected ';' after expression"},
        {"1:7:2: note: did you mean: this", "1", MessageKind::note, 7, 2, "did you mean: this"},
        {"<kernel>(2): Warning: Function add is a kernel, so overriding noinline attribute.", "<kernel>",
         MessageKind::warning, 2, std::nullopt,
         "Function add is a kernel, so overriding noinline attribute."},
        {"x.cl:3:1: fatal error: 'y.h' file not found", "x.cl", MessageKind::error, 3, 1,
         "'y.h' file not found"}};
    for (const LogCase& one : cases) {
        const std::vector<CompilerMessage> found = ks::compiler_messages(one.log);
        ASSERT_EQ(found.size(), 1U) << one.log;
        EXPECT_EQ(found[0].kind, one.kind) << one.log;
        EXPECT_EQ(found[0].file, one.file) << one.log;
        EXPECT_EQ(found[0].line, one.line) << one.log;
        EXPECT_EQ(found[0].column, one.column) << one.log;
        EXPECT_EQ(found[0].text, one.text) << one.log;
        EXPECT_EQ(found[0].whole, one.log);
    }
}

TEST(CompilerMessages, other_lines_stay_without_a_place) {
    const std::vector<CompilerMessage> found = ks::compiler_messages(
        "1 warning and 5 errors generated.\n\n(): Warning: Function add is a kernel\nptxas info    : 0 bytes "
        "gmem\n");
    ASSERT_EQ(found.size(), 3U);
    for (const CompilerMessage& one : found) {
        EXPECT_FALSE(one.line);
        EXPECT_EQ(one.kind, MessageKind::other);
    }
}

TEST(CompilerMessages, a_very_long_line_is_taken_as_it_is) {
    const std::string line = "a:1:2: error: " + std::string(1 << 20, 'x');
    EXPECT_EQ(ks::compiler_messages(line).at(0).whole, line);
}

}  // namespace
