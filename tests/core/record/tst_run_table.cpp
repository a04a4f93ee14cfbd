// CSV tables of runs.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/record/run_table.h"

namespace ks::tests::run_table {
namespace {

std::string written(const ks::Run& run, const std::string& csv) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "run_table.csv";
    ks::Progress progress;
    ks::io::write_run_table(run, file, csv, true, progress);
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(RunTable, of_a_wrong_or_outdated_run_says_so_in_a_column) {
    const std::string csv = "index,text\n0,a\n1,\"two\nlines, \"\"quoted\"\"\"\n";
    ks::Run run;
    run.verdict.state = ks::Verdict::State::pass;
    EXPECT_EQ(written(run, csv), csv);
    run.verdict.state = ks::Verdict::State::fail;
    EXPECT_EQ(written(run, csv),
              "index,text,note\n0,a,the result is wrong\n"
              "1,\"two\nlines, \"\"quoted\"\"\",the result is wrong\n");
    run.notes = {"outdated (Size, Seed)"};
    EXPECT_EQ(written(run, "i\n0\n"), "i,note\n0,\"the result is wrong; outdated (Size, Seed)\"\n");
    run.verdict.state = ks::Verdict::State::unchecked;
    EXPECT_EQ(written(run, "i\n0\n"), "i,note\n0,\"outdated (Size, Seed)\"\n");
}

}  // namespace
}  // namespace ks::tests::run_table
