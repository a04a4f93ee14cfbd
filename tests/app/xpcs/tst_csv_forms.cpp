// The forms of the CSV on the command line: the same numbers in both.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/csv_cells.h"

namespace csv_forms_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

ks::tests::CsvCells rows_of(const std::string& file) {
    return ks::tests::csv_cells(read_file(file));
}

class CsvForms : public testing::Test {
  protected:
    CsvForms() {
        const Outcome made = run_cli({"generate", "xpcs", "--frames", "12", "--height", "31", "--width", "37",
                                      "--frame-time", "0.25", "--out", frames_});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    Outcome xpcs(const Arguments& more) const {
        Arguments all{"xpcs", frames_, "--qmask", frames_ + "::/entry/qmask", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }

    TemporaryFolder folder_;
    const std::string frames_ = folder_ / "frames.h5", long_ = folder_ / "long.csv",
                      wide_ = folder_ / "wide.csv";
};

TEST_F(CsvForms, wide_has_the_numbers_of_long) {
    ASSERT_EQ(xpcs({"--csv", long_}).code, 0);
    const Outcome done = xpcs({"--csv", wide_, "--csv-form", "wide"});
    ASSERT_EQ(done.code, 0) << done.err;
    std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>> expected;
    const auto all = rows_of(long_);
    ASSERT_EQ(all[0], (std::vector<std::string>{"bin", "delay", "g2", "g2_err", "q"}));
    for (std::size_t i = 1; i < all.size(); ++i)
        expected[{std::stoul(all[i][0]), std::stoul(all[i][1])}] = {std::stod(all[i][2]),
                                                                    std::stod(all[i][3])};
    const auto rows = rows_of(wide_);
    ASSERT_EQ(rows.size(), 13U);
    const std::size_t bins = (rows[0].size() - 1) / 2;
    ASSERT_EQ(expected.size(), bins * 12);
    EXPECT_EQ(rows[0][0], "delay (s)");
    std::size_t compared = 0;
    for (std::size_t delay = 0; delay < 12; ++delay) {
        EXPECT_EQ(std::stod(rows[delay + 1][0]), 0.25 * static_cast<double>(delay));
        for (std::size_t bin = 1; bin <= bins; ++bin) {
            const auto [value, error] = expected.at({bin, delay});
            const std::string& cell = rows[delay + 1][2 * bin - 1];
            EXPECT_EQ(rows[0][2 * bin - 1].substr(0, 7 + std::to_string(bin).size()),
                      "g2 bin " + std::to_string(bin));
            if (value != value) {
                EXPECT_EQ(cell, "");
                continue;
            }
            EXPECT_EQ(std::stod(cell), value);
            EXPECT_EQ(std::stod(rows[delay + 1][2 * bin]), error);
            ++compared;
        }
    }
    EXPECT_GT(compared, 12U);
    ASSERT_EQ(xpcs({"--csv", long_, "--csv-form", "long", "--overwrite"}).code, 0);
    EXPECT_EQ(rows_of(long_), all);
}

TEST_F(CsvForms, another_word_and_a_form_without_a_file_are_refused_before_anything_is_computed) {
    const Outcome wrong = xpcs({"--csv", wide_, "--csv-form", "broad"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("expected long or wide, found 'broad'"), std::string::npos) << wrong.err;
    EXPECT_FALSE(std::filesystem::exists(wide_));
    const Outcome alone = xpcs({"--csv-form", "wide"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_NE(alone.err.find("--csv-form needs --csv FILE"), std::string::npos) << alone.err;
}

}  // namespace csv_forms_test
