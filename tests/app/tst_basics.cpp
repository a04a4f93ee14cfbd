// Exercises on the command line: analyses without an input, without a generator, saved in the general layout.

#include <algorithm>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"

namespace {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Basics, a_product_is_made_checked_saved_described_and_repeated) {
    const TemporaryFolder folder;
    const Outcome made = run_cli({"matmul", "--size", "65", "--variant", "blocks.16", "--check", "full",
                                  "--out", folder / "run.h5", "--csv", folder / "c.csv"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(contains(made.out, " GFLOP/s")) << made.out;
    EXPECT_TRUE(contains(made.out, "check: pass")) << made.out;
    const Outcome described = run_cli({"info", folder / "run.h5"});
    ASSERT_EQ(described.code, 0) << described.err;
    EXPECT_TRUE(contains(described.out, "size 65")) << described.out;
    EXPECT_TRUE(contains(described.out, "blocks.16")) << described.out;
    const Outcome again = run_cli({"repeat", folder / "run.h5"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_TRUE(contains(again.out, "the same bytes")) << again.out;
    const std::string csv = read_file(folder / "c.csv");
    EXPECT_TRUE(csv.starts_with("i,j,c\n0,0,")) << csv.substr(0, 40);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 65 * 65 + 1);
}

TEST(Basics, the_table_of_a_wrong_result_says_so_in_each_row) {
    const TemporaryFolder folder;
    const auto csv = [&](const char* reduction) {
        run_cli({"expression", "--x", "range:10", "--y", "range:10", "--map-expression", "x[i]",
                 "--reduce-expression", reduction, "--check", "full", "--csv", folder / "c.csv",
                 "--overwrite"});
        return read_file(folder / "c.csv");
    };
    EXPECT_FALSE(contains(csv("a+b"), "note"));
    const std::string wrong = csv("a-b");
    EXPECT_TRUE(contains(wrong.substr(0, wrong.find('\n')), ",note")) << wrong;
    std::size_t marked = 0;
    for (std::size_t at = wrong.find(",the result is wrong\n"); at != std::string::npos;
         at = wrong.find(",the result is wrong\n", at + 1))
        ++marked;
    EXPECT_EQ(marked, 10U) << wrong;
}

TEST(Basics, the_record_of_a_run_has_parameters_and_no_inputs) {
    const Outcome made = run_cli({"vector_add", "--size", "1001", "--local-size", "7", "--variant",
                                  "seed.add", "--check", "full", "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    const auto record = nlohmann::json::parse(made.out);
    EXPECT_EQ(record.at("analysis"), "vector_add");
    EXPECT_TRUE(record.at("inputs").empty());
    EXPECT_EQ(record.at("parameters").at("local_size"), 7);
    EXPECT_EQ(record.at("verdict").at("state"), "pass");
    EXPECT_GT(record.at("facts").at("gigabytes_per_second").get<double>(), 0);
    const Outcome by_driver = run_cli({"vector_add", "--size", "3", "--local-size", "left-to-the-driver"});
    EXPECT_EQ(by_driver.code, 0) << by_driver.err;
}

TEST(Basics, a_check_that_cannot_be_made_is_said_and_is_no_success_where_it_was_to_be_full) {
    const auto run = [](const std::string& check) {
        return run_cli({"expression", "--x", "range:4", "--y", "range:4", "--map-expression",
                        "convert_float(as_int(x[i]))", "--check", check});
    };
    for (const char* check : {"full", "sample"}) {
        const Outcome made = run(check);
        EXPECT_EQ(made.code, check == std::string("full") ? 1 : 0) << made.err;
        EXPECT_TRUE(contains(made.out, "check: not made: the host can only evaluate")) << made.out;
        EXPECT_FALSE(contains(made.out, "check: pass")) << made.out;
    }
    EXPECT_FALSE(contains(run("none").out, "check:"));
}

TEST(Basics, an_error_names_the_option_of_a_text) {
    for (const auto& [option, text, said] :
         {std::tuple("--map-expression", "x[i]*", "--map-expression: line 1 does not compile: "),
          std::tuple("--reduce-expression", " ",
                     "--reduce-expression: expected an expression, found nothing"),
          std::tuple("--x", "1,,2", "--x: expected 1 to ")}) {
        const Outcome refused = run_cli({"expression", option, text});
        EXPECT_EQ(refused.code, 2) << refused.err;
        EXPECT_TRUE(contains(refused.err, std::string("kernelscope-cli: ") + said)) << refused.err;
    }
}

TEST(Basics, sizes_that_cannot_be_are_refused) {
    for (const char* size : {"0", "-1", "65536", "many"}) {
        const Outcome refused = run_cli({"matmul", "--size", size});
        EXPECT_EQ(refused.code, 2) << size;
        EXPECT_TRUE(contains(refused.err, "size")) << refused.err;
    }
    EXPECT_EQ(run_cli({"matmul", "file.h5"}).code, 2) << "there is no input to name";
}

TEST(Basics, what_an_analysis_lacks_is_not_offered) {
    const Outcome list = run_cli({"generate", "--help"});
    EXPECT_TRUE(contains(list.out, "xpcs"));
    EXPECT_FALSE(contains(list.out, "matmul")) << list.out;
    EXPECT_EQ(run_cli({"generate", "matmul", "--out", "x"}).code, 2);
    EXPECT_FALSE(contains(run_cli({"matmul", "--help"}).out, "Input")) << "there are no inputs";
}

}  // namespace
