// The command "fit": g2 of saved runs and of other programs' results.

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"

namespace ks::tests::fit_saved {
namespace {

class FitSaved : public testing::Test {
  protected:
    void SetUp() override {
        for (const std::string name : {"a", "b"}) {
            must({"generate", "xpcs", "--kind", "diffusion", "--frames", "400", "--height", "64", "--width",
                  "64", "--seed", name == "a" ? "1" : "2", "--out", data(name)});
            must({"xpcs", data(name), "--qmask", data(name) + "::/entry/qmask", "--device", "host", "--fit",
                  "single", "--out", saved(name), "--aps-out", folder_ / (name + ".hdf"), "--fit-csv",
                  folder_ / (name + ".csv")});
        }
    }
    Outcome must(const std::vector<std::string>& words) const {
        Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    }
    std::string data(const std::string& name) const { return folder_ / (name + "_data.h5"); }
    std::string saved(const std::string& name) const { return folder_ / (name + "_run.h5"); }

    TemporaryFolder folder_;
};

TEST_F(FitSaved, of_a_run_is_the_fit_that_the_run_itself_makes) {
    must({"fit", saved("a"), "--fit", "single", "--fit-csv", folder_ / "later.csv"});
    EXPECT_EQ(read_file(folder_ / "later.csv"), read_file(folder_ / "a.csv"));
}

TEST_F(FitSaved, of_another_programs_result_has_its_q_and_its_rates) {
    must({"fit", folder_ / "a.hdf", "--fit", "single", "--fit-csv", folder_ / "aps.csv"});
    // The curves are the same, also at delays of few pairs of frames, which neither uses; errors of
    // parameters come from groups of pixels in ours alone.
    const auto rows = [](const std::string& csv) {
        std::istringstream lines(csv);
        std::vector<std::vector<double>> all;
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);) {
            all.emplace_back(3);
            EXPECT_EQ(
                std::sscanf(line.c_str(), "%lf,%lf,%lf", &all.back()[0], &all.back()[1], &all.back()[2]), 3)
                << line;
        }
        return all;
    };
    const auto ours = rows(read_file(folder_ / "a.csv")), aps = rows(read_file(folder_ / "aps.csv"));
    ASSERT_EQ(ours.size(), aps.size());
    int fitted = 0;
    for (std::size_t row = 0; row < ours.size(); ++row) {
        EXPECT_EQ(aps[row][0], ours[row][0]);
        EXPECT_NEAR(aps[row][1], ours[row][1], 1e-12);
        // errors of parameters also decide whether a fit is determined
        if (!std::isfinite(ours[row][2]) || !std::isfinite(aps[row][2])) continue;
        EXPECT_NEAR(aps[row][2], ours[row][2], 1e-6 * ours[row][2]);
        ++fitted;
    }
    EXPECT_GE(fitted, 2) << read_file(folder_ / "aps.csv");
}

TEST_F(FitSaved, averages_runs_as_repeats) {
    must({"fit", saved("a"), saved("b"), "--average", "--csv", folder_ / "later.csv"});
    must({"xpcs", data("a"), data("b"), "--qmask", data("a") + "::/entry/qmask", "--device", "host",
          "--repeats", "average", "--fit", "single", "--csv", folder_ / "once.csv"});
    EXPECT_EQ(read_file(folder_ / "later.csv"), read_file(folder_ / "once.csv"));
}

TEST_F(FitSaved, prints_several_runs_one_after_the_other) {
    const std::string out = must({"fit", saved("a"), folder_ / "b.hdf", "--fit", "single"}).out;
    const std::size_t first = out.find(saved("a") + "\n"), second = out.find((folder_ / "b.hdf") + "\n");
    ASSERT_NE(first, std::string::npos) << out;
    ASSERT_NE(second, std::string::npos) << out;
    EXPECT_LT(first, second);
}

TEST_F(FitSaved, refuses_what_cannot_be_fitted_or_written) {
    const auto refused = [](const std::vector<std::string>& words, const std::string& why) {
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    };
    const std::string before = read_file(saved("a"));
    refused({"fit", saved("a"), "--fit", "single", "--fit-csv", saved("a"), "--overwrite"}, "run 1");
    EXPECT_EQ(read_file(saved("a")), before);
    refused({"fit", saved("a"), saved("b"), "--fit", "single", "--fit-csv", folder_ / "x.csv"},
            "--fit-csv needs one run, or --average, but there are 2 runs");
    refused({"fit", saved("a"), "--fit-csv", folder_ / "x.csv"}, "--fit-csv needs --fit");
    refused(
        {"fit", saved("a"), "--fit", "single", "--csv", folder_ / "x.csv", "--fit-csv", folder_ / "x.csv"},
        "--csv and --fit-csv name the same file");
    refused({"fit", saved("a"), "--csv", folder_ / "x.csv", "--csv-form", "tall"},
            "expected long or wide, found 'tall'");
    refused({"fit", data("a"), "--fit", "single"}, "expected a saved run");
    refused({"fit", saved("a"), folder_ / "./a_run.h5", "--average"}, "it is the same file as " + saved("a"));
    refused({"repeat", folder_ / "a.hdf"},
            "a result in the layout of APS 8-ID does not say what it was computed from, so that it cannot be "
            "repeated");
}

}  // namespace
}  // namespace ks::tests::fit_saved
