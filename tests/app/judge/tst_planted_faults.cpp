// `judge` and mistakes as authors of kernels make them. Each file of tests/data/judge has one, and is right
// with MENDED 1: the mistake has to be named with its line, and nothing may be said against the right one.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/reference_data.h"

namespace planted_faults_test {

using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

struct Planted {
    std::string name;  ///< of the file; it begins with the kind of mistake
    std::string analysis, variant;
    std::vector<std::string> more;  ///< the smallest problem that shows it
};

std::vector<Planted> planted() {
    const std::vector<std::string> blocks{"--size", "19"}, elements{"--size", "9"},
        trees{"--size", "19", "--define", "WG=16"}, groups{"--size", "99", "--define", "WG=64"},
        sums{"--size", "19", "--define", "WG=16", "--type", "u32"};
    return {
        {"values_tail_dropped", "vector_add", "wide.add", {"--size", "19", "--define", "WIDTH=4"}},
        {"values_second_group_of_rows", "matmul", "blocks.16", blocks},
        {"values_last_element_left_out", "dot", "tree", trees},
        {"values_one_element_alone", "scan", "sequential", {"--size", "1"}},
        {"values_reads_its_output", "vector_add", "seed.add", {"--size", "19"}},
        {"values_nan_in_one_element", "matmul", "private.sum", elements},
        {"memory_read_beyond_constant", "multiply", "seed.scalar", groups},
        {"memory_read_beyond_global", "matmul", "blocks.16", blocks},
        {"memory_write_beyond_local", "reduce", "tree", trees},
        {"memory_private_array_too_short", "matmul", "private.sum", elements},
        {"memory_uninitialised_private", "matmul", "private.sum", elements},
        {"memory_uninitialised_local", "reduce", "tree", trees},
        {"memory_misaligned_vectors", "matmul", "private.sum", elements},
        {"races_no_barrier_before_the_next_block", "matmul", "blocks.16", blocks},
        {"races_neighbour_of_the_next_group", "multiply", "seed.scalar", groups},
        {"races_accumulated_without_atomics", "reduce", "atomics", sums},
        {"races_atomics_beside_plain_write", "reduce", "atomics", sums},
        {"races_fence_of_the_other_memory", "vector_add", "seed.add", {"--size", "19", "--local-size", "7"}},
        {"races_no_barrier_in_a_group_of_the_driver", "vector_add", "seed.add", {"--size", "19"}},
        {"barriers_early_return", "reduce", "tree", trees},
        {"barriers_of_the_items_that_add", "reduce", "tree", trees},
        {"barriers_one_for_each_branch", "matmul", "blocks.16", blocks},
        {"barriers_trips_of_a_stride", "multiply", "seed.scalar", groups},
        {"barriers_copy_of_one_item", "reduce", "tree", trees},
        {"barriers_in_turns", "reduce", "atomics", sums},
    };
}

/// Lines by question: those that end with "// named: races".
using Lines = std::map<std::string, std::set<std::size_t>>;

Lines lines_to_name(const std::string& text) {
    Lines lines;
    std::istringstream in(text);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        const std::string mark = "// named: ";
        if (const std::size_t at = line.find(mark); at != std::string::npos)
            lines[line.substr(at + mark.size())].insert(number);
    }
    return lines;
}

class PlantedFault : public ::testing::TestWithParam<Planted> {
  protected:
    void SetUp() override {
        if (std::system("command -v oclgrind > /dev/null") != 0) GTEST_SKIP() << "oclgrind is not installed";
        ASSERT_EQ(text_.rfind("#define MENDED 0\n", 0), 0U);
    }
    /// Sets `code_`, `said_` and `findings_`.
    void judge(const std::string& text) {
        std::ofstream(kernel_) << text;
        std::vector<std::string> arguments{
            "judge",      GetParam().analysis, "--variant", GetParam().variant, "--kernel-source",
            kernel_,      "--time-limit",      "2",         "--json",           folder_ / "found.json",
            "--overwrite"};
        arguments.insert(arguments.end(), GetParam().more.begin(), GetParam().more.end());
        const auto outcome = run_cli(arguments);
        code_ = outcome.code;
        said_ = outcome.out + outcome.err;
        const std::string found = read_file(folder_ / "found.json");
        findings_ = found.empty() ? nlohmann::json() : nlohmann::json::parse(found).at("findings");
    }
    std::string mended() const {
        std::string text = text_;
        return text.replace(text.find('0'), 1, "1");
    }
    std::set<std::string> questions_with(const std::string& state) const {
        std::set<std::string> all;
        for (const auto& finding : findings_)
            if (finding.at("state") == state) all.insert(finding.at("id").get<std::string>());
        return all;
    }
    Lines lines_named() const {
        Lines lines;
        for (const auto& finding : findings_)
            for (const auto& place : finding.at("places"))
                if (place.at("file") == kernel_)
                    lines[finding.at("id").get<std::string>()].insert(place.at("line").get<std::size_t>());
        return lines;
    }

    TemporaryFolder folder_;
    const std::string kernel_ = folder_ / "mine.cl";
    const std::string text_ = read_file(ks::tests::reference_data("judge/" + GetParam().name + ".cl"));
    int code_ = 0;
    std::string said_;
    nlohmann::json findings_;
};

TEST_P(PlantedFault, is_named_with_its_line_and_nothing_else_is) {
    judge(text_);
    EXPECT_EQ(code_, 1) << said_;
    const std::set<std::string> wrong = questions_with("no");
    const Lines expected = lines_to_name(text_), named = lines_named();
    if (expected.empty()) {
        EXPECT_TRUE(wrong.contains("values")) << said_;
    }
    for (const std::string question : {"races", "accesses", "barriers"}) {
        const auto lines = expected.find(question);
        EXPECT_EQ(wrong.contains(question), lines != expected.end()) << question << "\n" << said_;
        const auto found = named.find(question);
        if (lines == expected.end() || found == named.end()) continue;
        EXPECT_TRUE(std::ranges::includes(lines->second, found->second)) << question << "\n" << said_;
    }
    for (const auto& [question, lines] : expected)
        EXPECT_TRUE(named.contains(question)) << question << " has no line\n" << said_;
}

TEST_P(PlantedFault, is_not_seen_in_the_mended_kernel) {
    judge(mended());
    EXPECT_EQ(code_, 0) << said_;
    EXPECT_TRUE(questions_with("no").empty()) << said_;
    EXPECT_TRUE(questions_with("unknown").empty()) << said_;
}

INSTANTIATE_TEST_SUITE_P(Kernels, PlantedFault, ::testing::ValuesIn(planted()),
                         [](const auto& of) { return of.param.name; });

}  // namespace planted_faults_test
