// What bench/rank_stability counts in reports of benchmarks.

#include <sys/wait.h>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"

namespace rank_stability {
namespace {

using ks::tests::read_file;
using ks::tests::TemporaryFolder;

struct Counted {
    int code;
    std::string out, err;
};

/// Runs the script with arguments that need no quotes.
Counted count(const std::string& arguments) {
    const TemporaryFolder folder;
    const std::string command = "python3 '" KERNELSCOPE_SOURCE_DIR "/bench/rank_stability' " + arguments +
                                " > " + (folder / "out") + " 2> " + (folder / "err");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "out"),
            read_file(folder / "err")};
}

/// A variant with its first and last place, and the median of its times.
struct Row {
    const char* id;
    int first, last;
    double median;
};

/// A report of each analysis; of particles and spots always the same one.
void write(const TemporaryFolder& folder, int number, const std::vector<Row>& xpcs) {
    const auto put = [&](const std::string& analysis, const std::vector<Row>& rows) {
        nlohmann::json variants = nlohmann::json::array();
        for (const Row& row : rows) {
            nlohmann::json samples = nlohmann::json::array();
            for (const double factor : {0.9, 1.0, 1.2})
                samples.push_back({{"kernel_ns", row.median * factor}, {"total_ns", 1000}});
            variants.push_back({{"id", row.id},
                                {"rank_kernel", {row.first, row.last}},
                                {"rank_total", {1, rows.size()}},
                                {"samples", samples}});
        }
        variants.push_back({{"id", "lacking"}, {"not_run", "no fp64"}, {"samples", nlohmann::json::array()}});
        std::ofstream(folder / (analysis + '_' + std::to_string(number) + ".json"))
            << nlohmann::json{{"variants", variants}};
    };
    put("xpcs", xpcs);
    for (const char* analysis : {"spots", "particles"}) put(analysis, {{"one", 1, 1, 10}, {"two", 2, 2, 20}});
}

TEST(RankStability, ties_contradict_nothing_and_medians_in_the_other_order_are_told) {
    const TemporaryFolder folder;
    write(folder, 1, {{"a", 1, 1, 10}, {"b", 2, 3, 20}, {"c", 2, 3, 30}});
    write(folder, 2, {{"a", 1, 2, 22}, {"b", 1, 2, 21}, {"c", 3, 3, 30}});
    const Counted counted = count("--from " + folder.path().string());
    EXPECT_EQ(counted.code, 0) << counted.err;
    // The first is sure of a before b and c, the second of a and b before c: 4 of 6 pairs. Of these 4 orders
    // the other report has medians the other way round of a and b alone.
    EXPECT_NE(counted.out.find("| xpcs | kernel | 2 | 67 % | 0 | 1 of 4 |"), std::string::npos)
        << counted.out;
    EXPECT_NE(counted.out.find("| xpcs | end to end | 2 | 0 % | 0 | 0 of 0 |"), std::string::npos)
        << counted.out;
    EXPECT_NE(counted.out.find("| spots | kernel | 2 | 100 % | 0 | 0 of 2 |"), std::string::npos)
        << counted.out;
}

TEST(RankStability, a_pair_that_two_reports_order_differently_is_a_contradiction) {
    const TemporaryFolder folder;
    write(folder, 1, {{"a", 1, 1, 10}, {"b", 2, 3, 20}, {"c", 2, 3, 30}});
    write(folder, 2, {{"a", 2, 2, 20}, {"b", 1, 1, 10}, {"c", 3, 3, 30}});
    write(folder, 3, {{"a", 1, 3, 20}, {"b", 1, 3, 10}, {"c", 1, 3, 30}});
    const Counted counted = count("--from " + folder.path().string());
    EXPECT_EQ(counted.code, 1) << counted.err;
    EXPECT_NE(counted.out.find("| xpcs | kernel | 3 | 56 % | 1 |"), std::string::npos) << counted.out;
    EXPECT_NE(counted.err.find("xpcs, kernel: a and b contradict in 1 pairs of reports"), std::string::npos)
        << counted.err;
}

TEST(RankStability, what_is_no_report_and_too_few_of_them_are_errors) {
    const TemporaryFolder folder;
    write(folder, 1, {{"a", 1, 1, 10}, {"b", 2, 2, 20}});
    Counted counted = count("--from " + folder.path().string());
    EXPECT_EQ(counted.code, 2);
    EXPECT_NE(counted.err.find("has 1 reports of xpcs"), std::string::npos) << counted.err;
    std::ofstream(folder / "xpcs_2.json") << "{}";
    counted = count("--from " + folder.path().string());
    EXPECT_EQ(counted.code, 2);
    EXPECT_NE(counted.err.find("is not a report of a benchmark"), std::string::npos) << counted.err;
    EXPECT_EQ(count("--cli /nowhere/at/all").code, 2);
    EXPECT_EQ(count("--from " + (folder / "xpcs_2.json")).code, 2);
}

TEST(RankStability, it_runs_benchmarks_and_keeps_their_reports) {
    const TemporaryFolder folder, kept;
    const Counted counted = count("--repeats 2 --runs 2 --device host --cli " KERNELSCOPE_CLI " --keep " +
                                  folder.path().string() + " --json " + (kept / "all.json"));
    // So few runs decide little, but what they say is no subject here.
    EXPECT_TRUE(counted.code == 0 || counted.code == 1) << counted.err;
    EXPECT_EQ(folder.names().size(), 6U);
    for (const char* analysis : {"xpcs", "spots", "particles"})
        EXPECT_NE(counted.out.find(std::string("| ") + analysis + " | end to end | 2 |"), std::string::npos)
            << counted.out;
    // What was kept gives the same figures.
    const Counted again = count("--from " + (kept / "all.json"));
    EXPECT_EQ(again.code, counted.code) << again.err;
    EXPECT_EQ(again.out, counted.out);
}

}  // namespace
}  // namespace rank_stability
