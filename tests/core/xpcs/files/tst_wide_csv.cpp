// g2 with a row per delay: read back by a plain reader and compared with the values of the run.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/xpcs/files/wide_csv.h"
#include "tests/core/io/io_fixture.h"
#include "tests/csv_cells.h"

namespace ks::tests::wide_csv {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// 2 bins and 3 delays.
ks::Run sample() {
    ks::Run run;
    run.request.analysis = "xpcs";
    run.result.datasets = {
        {"g2",
         "g2(q, tau)",
         "",
         DataKind::curves,
         Array::of<double>({2, 3}, {1.1, 1.0 / 3, 1.0625, 2.1, nothing, 0.1 + 0.2}),
         {"label", "delay"},
         "g2_err"},
        {"g2_err",
         "error",
         "",
         DataKind::curves,
         Array::of<double>({2, 3}, {0.25, 1e-17, nothing, 3e-5, nothing, 7.0}),
         {"label", "delay"}},
        {"label", "bin", "", DataKind::axis, Array::of<std::int32_t>({2}, {1, 2})},
        {"delay", "delay", "frames", DataKind::axis, Array::of<std::int32_t>({3}, {0, 4, 16})},
        {"delay_time", "delay", "s", DataKind::axis, Array::of<double>({3}, {0, 0.004, 0.016})},
        {"q", "q", "1/angstrom", DataKind::axis, Array::of<double>({2}, {0.0125, nothing}), {"label"}}};
    return run;
}

void drop(ks::Run& run, const std::string& name) {
    std::erase_if(run.result.datasets, [&name](const Dataset& one) { return one.name == name; });
}

TEST(WideCsv, one_row_per_delay_with_each_bin_s_g2_beside_its_error) {
    const ks::Run run = sample();
    const CsvCells rows = csv_cells(xpcs::wide_csv(run));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0],
              (std::vector<std::string>{"delay (s)", "g2 bin 1 (q = 0.0125 1/angstrom)",
                                        "g2_err bin 1 (q = 0.0125 1/angstrom)", "g2 bin 2", "g2_err bin 2"}));
    const double seconds[] = {0, 0.004, 0.016};
    const auto g2 = run.result.at("g2").values.as<double>(),
               error = run.result.at("g2_err").values.as<double>();
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(rows[i + 1].size(), 5U);
        EXPECT_EQ(std::strtod(rows[i + 1][0].c_str(), nullptr), seconds[i]);
        for (std::size_t bin = 0; bin < 2; ++bin) {
            const std::string &value = rows[i + 1][1 + 2 * bin], &deviation = rows[i + 1][2 + 2 * bin];
            const double expected = g2[bin * 3 + i], expected_error = error[bin * 3 + i];
            EXPECT_EQ(value.empty(), std::isnan(expected));
            EXPECT_EQ(deviation.empty(), std::isnan(expected_error));
            if (!value.empty()) {
                EXPECT_EQ(std::strtod(value.c_str(), nullptr), expected);
            }
            if (!deviation.empty()) {
                EXPECT_EQ(std::strtod(deviation.c_str(), nullptr), expected_error);
            }
        }
    }
}

TEST(WideCsv, delays_are_multiples_of_the_frame_time) {
    ks::Run run = sample();
    drop(run, "delay_time");
    // 0.018000000000000002 and 0.036000000000000004
    run.result.datasets.push_back(
        {"delay_time", "delay", "s", DataKind::axis, Array::of<double>({3}, {0, 18 * 0.001, 36 * 0.001})});
    const CsvCells rows = csv_cells(xpcs::wide_csv(run));
    EXPECT_EQ(rows[1][0], "0");
    EXPECT_EQ(rows[2][0], "0.018");
    EXPECT_EQ(rows[3][0], "0.036");
}

TEST(WideCsv, the_header_says_frames_where_the_frame_time_is_not_known) {
    ks::Run run = sample();
    drop(run, "delay_time");
    const CsvCells rows = csv_cells(xpcs::wide_csv(run));
    EXPECT_EQ(rows[0][0], "delay (frames)");
    EXPECT_EQ(rows[2][0], "4") << "the delay, not its number";
    // Of a series of every second frame, of which three each are added up.
    ks::Run shorter = run;
    shorter.request.parameters = {{"stride", std::int64_t{2}}, {"average", std::int64_t{3}}};
    EXPECT_EQ(csv_cells(xpcs::wide_csv(shorter))[2][0], "24") << "frames of the file";
    drop(run, "delay");
    EXPECT_EQ(csv_cells(xpcs::wide_csv(run))[2][0], "1");
}

TEST(WideCsv, a_bin_that_is_off_has_no_columns) {
    ks::Run run = sample();
    run.result.datasets[0].values = Array::of<double>({2, 3}, {nothing, nothing, nothing, 2.1, nothing, 0.3});
    run.result.datasets[1].values = Array::of<double>({2, 3}, {nothing, nothing, nothing, 3e-5, nothing, 7});
    const CsvCells rows = csv_cells(xpcs::wide_csv(run));
    EXPECT_EQ(rows[0], (std::vector<std::string>{"delay (s)", "g2 bin 2", "g2_err bin 2"}));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1], (std::vector<std::string>{"0", "2.1", "3e-05"}));
}

TEST(WideCsv, no_column_name_occurs_twice) {
    ks::Run run = sample();
    drop(run, "q");
    run.result.datasets.push_back(
        {"q", "q", "1/angstrom", DataKind::axis, Array::of<double>({2}, {0.5, 0.5}), {"label"}});
    std::vector<std::string> names = csv_cells(xpcs::wide_csv(run))[0];
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

class WideCsvFile : public IoTest {};

TEST_F(WideCsvFile, is_written_as_a_whole_or_not_at_all) {
    xpcs::write_wide_csv(sample(), at("g2.csv"), false, quiet);
    EXPECT_EQ(read_bytes(at("g2.csv")), xpcs::wide_csv(sample()));
    EXPECT_NE(input_error([&] {
                  xpcs::write_wide_csv(sample(), at("g2.csv"), false, quiet);
              }).find("already exists"),
              std::string::npos);
    ks::Run run = sample();
    run.notes = {"outdated (Mask)"};
    xpcs::write_wide_csv(run, at("noted.csv"), false, quiet);
    const CsvCells noted = csv_cells(read_bytes(at("noted.csv")));
    EXPECT_EQ(noted[0].back(), "note");
    EXPECT_EQ(noted[3].back(), "outdated (Mask)");
    run.result.datasets[0].values = Array::of<double>({6}, {1, 2, 3, 4, 5, 6});
    EXPECT_THROW(xpcs::write_wide_csv(run, at("other.csv"), false, quiet), Error);
    EXPECT_FALSE(fs::exists(at("other.csv")));
}

}  // namespace
}  // namespace ks::tests::wide_csv
