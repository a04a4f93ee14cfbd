// Fits on the command line: the CSV, what is refused, what is printed and repeated.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/csv_cells.h"

namespace fit_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

ks::tests::CsvCells rows_of(const std::string& file) {
    return ks::tests::csv_cells(read_file(file));
}

class Fit : public testing::Test {
  protected:
    Fit() { generate({}); }
    void generate(const Arguments& more) {
        Arguments all{"generate",     "xpcs", "--kind",  "speckle", "--frames",    "200",
                      "--height",     "61",   "--width", "61",      "--gamma-min", "0.02",
                      "--ring-width", "8",    "--out",   frames_,   "--overwrite"};
        all.insert(all.end(), more.begin(), more.end());
        ASSERT_EQ(run_cli(all).code, 0);
    }
    Outcome xpcs(const Arguments& more) const {
        Arguments all{"xpcs", frames_, "--qmask", frames_ + "::/entry/qmask", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    void expect_refused(const Arguments& more, const std::string& text) const {
        const Outcome outcome = xpcs(more);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(csv_));
    }

    TemporaryFolder folder_;
    const std::string frames_ = folder_ / "frames.h5", csv_ = folder_ / "fit.csv", run_ = folder_ / "run.h5";
};

TEST_F(Fit, the_csv_has_exactly_these_columns_and_one_row_per_bin) {
    const Outcome done = xpcs({"--fit", "single", "--fit-csv", csv_});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto rows = rows_of(csv_);
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_EQ(read_file(csv_).substr(0, read_file(csv_).find('\n')),
              "bin,q,gamma,gamma_err,tau,tau_err,beta,beta_err,baseline,baseline_err,chi2_red,status");
    for (std::size_t bin = 1; bin < rows.size(); ++bin) {
        ASSERT_EQ(rows[bin].size(), 12U);
        EXPECT_EQ(rows[bin][0], std::to_string(bin));
        EXPECT_EQ(rows[bin][1], "") << "q is not known";
        EXPECT_EQ(rows[bin][11], "converged");
        EXPECT_NEAR(std::stod(rows[bin][2]) * std::stod(rows[bin][4]), 1, 1e-9);
        EXPECT_NEAR(std::stod(rows[bin][3]) / std::stod(rows[bin][2]),
                    std::stod(rows[bin][5]) / std::stod(rows[bin][4]), 1e-9);
    }
    EXPECT_NEAR(std::stod(rows[1][2]), 0.02, 0.006);
}

TEST_F(Fit, q_is_that_of_the_geometry_and_rates_are_per_second) {
    generate({"--geometry", "--frame-time", "0.01"});
    ASSERT_EQ(xpcs({"--fit", "stretched", "--fit-csv", csv_}).code, 0);
    const auto rows = rows_of(csv_);
    EXPECT_GT(std::stod(rows[1][1]), 0);
    EXPECT_NEAR(std::stod(rows[1][2]), 2, 1);
    EXPECT_NE(xpcs({"--fit", "stretched"}).out.find("gamma (1/s)"), std::string::npos);
}

TEST_F(Fit, a_table_without_a_fit_and_parameters_that_do_not_exist_are_refused) {
    expect_refused({"--fit-csv", csv_}, "--fit-csv needs a model; name one by --fit");
    expect_refused(
        {"--fit", "singel", "--fit-csv", csv_},
        "expected single, stretched, double, cumulant, or a formula of t with parameters, found 'singel'");
    expect_refused({"--fit", "single", "--fit-start", "zeta=1", "--fit-csv", csv_}, "has no parameter zeta");
    expect_refused({"--fit", "single", "--fit-fixed", "zeta=1", "--fit-csv", csv_}, "has no parameter zeta");
    expect_refused({"--fit", "a+b*exp(-t", "--fit-csv", csv_}, "expected ')'");
    expect_refused({"--fit", "single", "--fit-csv", run_, "--out", run_},
                   "--out and --fit-csv name the same file");
}

TEST_F(Fit, bins_without_a_decay_and_short_series_have_a_status_and_no_number) {
    generate({"--contrast", "0"});
    ASSERT_EQ(xpcs({"--fit", "single", "--fit-csv", csv_}).code, 0);
    std::size_t undetermined = 0;
    for (const auto& row : rows_of(csv_))
        if (row[11].starts_with("not determined") || row[11] == "did not converge") {
            ++undetermined;
            EXPECT_EQ(row[2], "nan");
            EXPECT_EQ(row[4], "nan");
        }
    EXPECT_GE(undetermined, 4U);
    ASSERT_EQ(xpcs({"--fit", "single", "--last-frame", "10", "--fit-csv", csv_, "--overwrite"}).code, 0);
    for (const auto& row : rows_of(csv_)) {
        if (row[0] == "bin") continue;
        EXPECT_EQ(row[11], "too few points: 1 for 3 parameters");
    }
}

TEST_F(Fit, a_formula_with_start_values_is_fitted) {
    const Outcome done = xpcs(
        {"--fit", "baseline+beta*exp(-2*gamma*t)", "--fit-start", "gamma=0.05,beta=0.2", "--fit-csv", csv_});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto own = rows_of(csv_);
    ASSERT_EQ(xpcs({"--fit", "single", "--fit-csv", csv_, "--overwrite"}).code, 0);
    const auto built_in = rows_of(csv_);
    for (std::size_t bin = 1; bin < own.size(); ++bin)
        EXPECT_NEAR(std::stod(own[bin][2]), std::stod(built_in[bin][2]), 1e-5);
}

TEST_F(Fit, the_run_has_the_fit_and_repeats_it) {
    const Outcome done = xpcs({"--fit", "single", "--fit-fixed", "baseline=1", "--out", run_});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("fit of g2 by baseline + beta exp(-2 gamma t), t in frames"), std::string::npos);
    const Outcome info = run_cli({"info", run_});
    EXPECT_NE(info.out.find("fit single"), std::string::npos) << info.out;
    EXPECT_NE(info.out.find("gamma (1/frame)"), std::string::npos) << info.out;
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_EQ(repeated.code, 0) << repeated.out << repeated.err;
    const auto record = nlohmann::json::parse(xpcs({"--fit", "single", "--json"}).out);
    EXPECT_EQ(record["facts"]["fit"]["model"], "single");
    ASSERT_EQ(record["facts"]["fit"]["bins"].size(), 5U);
    EXPECT_TRUE(record["facts"]["fit"]["bins"][0]["values"]["gamma"].is_number());
}

TEST_F(Fit, start_values_without_a_fit_cause_a_warning) {
    const Outcome done = xpcs({"--fit-start", "gamma=1"});
    EXPECT_EQ(done.code, 0);
    EXPECT_NE(done.err.find("fit-start"), std::string::npos) << done.err;
}

}  // namespace fit_test
