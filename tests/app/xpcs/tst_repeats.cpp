// Repeats on the command line: several files become one average, or one result each.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"

namespace repeats_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

struct Row {
    std::size_t bin, delay;
    double g2, error;
};

std::vector<Row> rows_of(const std::string& file) {
    std::istringstream lines(read_file(file));
    std::vector<Row> rows;
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) {
        Row row{};
        EXPECT_EQ(std::sscanf(line.c_str(), "%zu,%zu,%lf,%lf", &row.bin, &row.delay, &row.g2, &row.error), 4)
            << line;
        rows.push_back(row);
    }
    return rows;
}

class Repeats : public testing::Test {
  protected:
    Repeats() {
        std::filesystem::create_directory(folder_ / "data");
        for (int i = 8; i < 12; ++i) generate(data("scan_" + std::to_string(i) + ".h5"), i, "0.02", "100");
    }
    void generate(const std::string& file, int seed, const std::string& rate,
                  const std::string& frames) const {
        const Outcome made =
            run_cli({"generate",    "xpcs", "--kind",       "speckle", "--frames",    frames,
                     "--height",    "61",   "--width",      "61",      "--gamma-min", rate,
                     "--gamma-max", rate,   "--ring-width", "8",       "--seed",      std::to_string(seed),
                     "--out",       file});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    std::string data(const std::string& name) const { return folder_ / "data/" + name; }
    Outcome xpcs(const Arguments& inputs, const Arguments& more) const {
        Arguments all{"xpcs"};
        all.insert(all.end(), inputs.begin(), inputs.end());
        for (const std::string& one : {std::string("--rings"), std::string("30,30,4,8,3"),
                                       std::string("--device"), std::string("host")})
            all.push_back(one);
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }

    TemporaryFolder folder_;
    const std::string csv_ = folder_ / "g2.csv", run_ = folder_ / "run.h5", fit_ = folder_ / "fit.csv";
};

TEST_F(Repeats, the_average_is_the_weighted_mean_of_the_separate_results) {
    const Outcome separate = xpcs({folder_ / "data"}, {"--repeats", "separate", "--csv", csv_});
    ASSERT_EQ(separate.code, 0) << separate.err;
    std::vector<std::vector<Row>> each;
    for (int i = 8; i < 12; ++i) each.push_back(rows_of(folder_ / ("g2_scan_" + std::to_string(i) + ".csv")));
    // In the order of the numbers, not of the letters.
    EXPECT_LT(separate.out.find("scan_9.h5"), separate.out.find("scan_10.h5"));
    const Outcome done = xpcs({folder_ / "data"}, {"--repeats", "average", "--csv", csv_, "--out", run_});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("average of 4 of 4 repeats"), std::string::npos) << done.out;
    const std::vector<Row> average = rows_of(csv_);
    ASSERT_EQ(average.size(), each[0].size());
    for (std::size_t i = 0; i < average.size(); ++i) {
        double weights = 0, sum = 0, plain = 0;
        bool weighted = 100 - average[i].delay >= 10;
        for (const auto& one : each) weighted = weighted && one[i].error > 0;
        for (const auto& one : each) {
            const double w = weighted ? 1 / (one[i].error * one[i].error) : 1;
            weights += w;
            sum += w * one[i].g2;
            plain += one[i].g2 / 4;
        }
        EXPECT_NEAR(average[i].g2, sum / weights, 1e-12) << i;
        if (weighted) {
            EXPECT_NEAR(average[i].error, 1 / std::sqrt(weights), 1e-14);
            continue;
        }
        double squares = 0;
        for (const auto& one : each) squares += (one[i].g2 - plain) * (one[i].g2 - plain);
        EXPECT_NEAR(average[i].error, std::sqrt(squares / 12), 1e-12);
    }
    const Outcome info = run_cli({"info", run_});
    EXPECT_EQ(info.code, 0);
    EXPECT_NE(info.out.find("average of 4 of 4 repeats"), std::string::npos) << info.out;
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_EQ(repeated.code, 2);
    EXPECT_NE(repeated.err.find("average of several"), std::string::npos) << repeated.err;
}

TEST_F(Repeats, damaged_different_and_outlying_files_are_named_and_left_out) {
    std::ofstream(data("scan_12.h5")) << "not frames";
    generate(data("scan_13.h5"), 5, "0.02", "90");
    generate(data("scan_14.h5"), 6, "0.5", "100");
    const Outcome done = xpcs({data("scan_*.h5")}, {"--repeats", "average", "--json"});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto record = nlohmann::json::parse(done.out);
    std::string left_out;
    for (const auto& row : record.at("facts").at("repeats"))
        if (row.contains("left_out"))
            left_out += std::filesystem::path(row.at("name").get<std::string>()).filename().string() + ": " +
                        row.at("left_out").get<std::string>() + "\n";
    EXPECT_NE(left_out.find("scan_13.h5: it has 90 delays, but the first repeat has 100"), std::string::npos)
        << left_out;
    EXPECT_NE(left_out.find("scan_14.h5: its g2 is an outlier"), std::string::npos) << left_out;
    EXPECT_NE(done.err.find("scan_12.h5 was left out"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("not an HDF5 file"), std::string::npos) << done.err;
}

TEST_F(Repeats, the_average_is_fitted_with_smaller_errors_than_a_single_repeat) {
    ASSERT_EQ(xpcs({data("scan_8.h5")}, {"--fit", "single", "--fit-csv", fit_}).code, 0);
    const auto fit = [this] {
        std::istringstream lines(read_file(fit_));
        std::string line, cell;
        std::getline(lines, line);
        std::getline(lines, line);
        std::istringstream cells(line);
        std::vector<std::string> all;
        while (std::getline(cells, cell, ',')) all.push_back(cell);
        EXPECT_EQ(all.size(), 12U);
        EXPECT_EQ(all.back(), "converged");
        return std::pair(std::stod(all.at(2)), std::stod(all.at(3)));
    };
    const auto [gamma_of_one, error_of_one] = fit();
    const Outcome done = xpcs({folder_ / "data"},
                              {"--repeats", "average", "--fit", "single", "--fit-csv", fit_, "--overwrite"});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto [gamma, error] = fit();
    EXPECT_NEAR(gamma, 0.02, 0.005);
    EXPECT_GT(error, 0.2 * error_of_one);
    EXPECT_LT(error, 0.8 * error_of_one);
}

TEST_F(Repeats, frames_left_out_are_those_of_the_file) {
    struct Case {
        Arguments options;
        std::string left_out;  ///< those of the file that would be in the series
    };
    // With a stride of 3 from frame 10 on, 50 is none of 10, 13, ..., and 52 is one. Sums of 4 take all.
    for (const Case& one : {Case{{}, "50-52,81"}, Case{{"--first-frame", "10"}, "50-52,81"},
                            Case{{"--first-frame", "10", "--stride", "3"}, "52"},
                            Case{{"--first-frame", "9", "--stride", "3"}, "51,81"},
                            Case{{"--first-frame", "10", "--average", "4"}, "50-52,81"},
                            Case{{"--first-frame", "10", "--average", "4", "--last-frame", "83"}, "50-52,81"},
                            Case{{"--first-frame", "11", "--average", "4", "--last-frame", "83"}, "50-52,81"},
                            Case{{"--first-frame", "12", "--average", "4", "--last-frame", "82"}, "50-52"}}) {
        Arguments options{"--repeats", "average", "--json", "--leave-out", "50-52,81"};
        options.insert(options.end(), one.options.begin(), one.options.end());
        const Outcome done = xpcs({folder_ / "data"}, options);
        ASSERT_EQ(done.code, 0) << done.err;
        const auto facts = nlohmann::json::parse(done.out).at("facts");
        for (const auto& row : facts.at("repeats"))
            EXPECT_EQ(row.at("left_out_frames"), one.left_out) << testing::PrintToString(one.options);
        EXPECT_EQ(facts.at("left_out_of_file"), one.left_out);
        options[2] = "--overwrite";
        const Outcome told = xpcs({folder_ / "data"}, options);
        EXPECT_NE(told.out.find(", without frames " + one.left_out + "\n"), std::string::npos) << told.out;
    }
}

TEST_F(Repeats, what_cannot_be_a_set_of_repeats_is_refused) {
    const auto refused = [&](const Arguments& inputs, const Arguments& more, const std::string& text) {
        const Outcome outcome = xpcs(inputs, more);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    };
    refused({data("scan_8.h5")}, {"--repeats", "average"}, "expected at least two repeats, found 1");
    refused({data("scan_8.h5"), data("scan_8.h5")}, {"--repeats", "average"}, "a repeat is given twice");
    refused({data("none_*.h5")}, {"--repeats", "average"}, "no file has a name like this");
    refused({folder_ / "data"}, {"--repeats", "mean"}, "expected average or separate, found 'mean'");
    refused({folder_ / "data"}, {"--repeats", "average", "--csv-form", "broad"}, "expected long or wide");
    EXPECT_FALSE(std::filesystem::exists(csv_));
}

}  // namespace repeats_test
