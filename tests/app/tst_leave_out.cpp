// Frames that a user leaves out: how they are named, what is refused, what the run says and keeps.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace leave_out_test {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 20, pixels = 30 * 40;

class LeaveOut : public testing::Test {
  protected:
    LeaveOut() {
        Hdf5Fixture made(scan_);
        made.group("/entry");
        // A spot of 3 x 3 pixels in every frame, and 65535 all over frames 7 and 8.
        made.counts("/entry/frames", {frames, 30, 40}, [](std::size_t i) {
            const std::size_t frame = i / pixels, x = i % 40, y = i / 40 % 30;
            if (frame == 7 || frame == 8) return std::uint16_t{65535};
            const bool lit = x >= 18 && x <= 20 && y >= 9 && y <= 11;
            return static_cast<std::uint16_t>(lit ? 90 : i * 2654435761U % 5);
        });
    }
    Outcome xpcs(const Arguments& more) {
        Arguments all{"xpcs", scan_, "--rings", "20,15,0,4,3", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    Outcome spots(const Arguments& more) {
        Arguments all{"spots", scan_, "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    static void expect_refused(const Outcome& outcome, const std::vector<std::string>& words) {
        EXPECT_EQ(outcome.code, 2);
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    }

    TemporaryFolder folder_;
    const std::string scan_ = folder_ / "scan.h5", run_ = folder_ / "run.h5";
};

TEST_F(LeaveOut, a_correlation_names_frames_to_leave_out_and_does_without_them) {
    expect_refused(xpcs({"--saturation", "65535"}),
                   {"frames 7 to 8 have no valid pixel in bins", "--leave-out 7-8"});
    const Outcome done =
        xpcs({"--saturation", "65535", "--leave-out", "7-8", "--check", "full", "--out", run_});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("20 frames, 2 left out, 3 bins"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("check: pass"), std::string::npos) << done.out;
    EXPECT_EQ(done.err, "");
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_EQ(repeated.code, 0) << repeated.err;
    EXPECT_TRUE(repeated.out.ends_with("the same bytes\n")) << repeated.out;
}

TEST_F(LeaveOut, delays_are_mentioned_where_there_are_some) {
    const auto help_of = [](const char* analysis) {
        const std::string all = run_cli({analysis, "--help"}).out;
        const std::size_t at = all.find("--leave-out"), end = all.find("\n  --", at);
        return at == std::string::npos ? std::string() : all.substr(at, end - at);
    };
    EXPECT_NE(help_of("xpcs").find("delays"), std::string::npos) << help_of("xpcs");
    EXPECT_NE(help_of("spots").find("keep their"), std::string::npos) << help_of("spots");
    EXPECT_EQ(help_of("spots").find("delays"), std::string::npos) << help_of("spots");
}

TEST_F(LeaveOut, spots_count_left_out_frames_beside_missing_ones) {
    const Outcome done = spots({"--leave-out", "7-8,12", "--check", "full", "--out", run_});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("20 frames of 30 x 40, 0 missing, 3 left out,"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find(" signal pixels, 3 spots, "), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("check: pass"), std::string::npos) << done.out;
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_TRUE(repeated.out.ends_with("the same bytes\n")) << repeated.out << repeated.err;
}

TEST_F(LeaveOut, spots_name_frames_without_valid_pixels) {
    const Outcome found = spots({"--saturation", "65535", "--check", "full"});
    ASSERT_EQ(found.code, 0) << found.err;
    EXPECT_NE(found.err.find("warning: frames 7 to 8 have no valid pixel: all are saturated, and no spot "
                             "continues across them; use --leave-out 7-8 to leave them out\n"),
              std::string::npos)
        << found.err;
    EXPECT_NE(found.out.find("      7 no valid pixel\n"), std::string::npos) << found.out;
    EXPECT_NE(found.out.find(" signal pixels, 2 spots, "), std::string::npos) << found.out;
    EXPECT_NE(found.out.find("check: pass"), std::string::npos) << found.out;
    const Outcome without = spots({"--saturation", "65535", "--leave-out", "7-8"});
    EXPECT_EQ(without.err, "");
    EXPECT_NE(without.out.find(" signal pixels, 2 spots, "), std::string::npos) << without.out;
}

TEST_F(LeaveOut, frames_that_cannot_be_meant_are_refused_in_one_sentence) {
    for (const bool of_spots : {false, true}) {
        const auto run = [&](const Arguments& more) { return of_spots ? spots(more) : xpcs(more); };
        expect_refused(run({"--leave-out", "3-"}), {"--leave-out", "such as \"10-19,55\"", "\"3-\""});
        expect_refused(run({"--leave-out", "9-3"}), {"--leave-out", "write 3-9"});
        expect_refused(run({"--leave-out", "5,20"}), {"--leave-out", "frame 20", "frames 0 to 19"});
        expect_refused(run({"--leave-out", "0-19"}), {"--leave-out", "all 20 frames"});
        const Outcome elsewhere = run({"--leave-out", "2,7-8", "--first-frame", "5"});
        EXPECT_EQ(elsewhere.code, 0);
        EXPECT_NE(elsewhere.err.find("warning: leave_out lists frame 2, but only frames 5 to 19 are used"),
                  std::string::npos)
            << elsewhere.err;
    }
}

}  // namespace leave_out_test
