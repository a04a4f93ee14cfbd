// --stability on the command line: the table, the file, what is kept with the run, and what is refused.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"

namespace stability_cli_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

class StabilityCli : public testing::Test {
  protected:
    StabilityCli() {
        run_cli({"generate", "xpcs", "--kind", "speckle", "--frames", "120", "--height", "81", "--width",
                 "81", "--ring-width", "20", "--gamma-min", "0.05", "--change-frame", "60", "--out", scan_});
    }
    Outcome xpcs(const Arguments& more, const std::string& frames) {
        Arguments all{"xpcs", frames, "--qmask", scan_ + "::/entry/qmask", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    Outcome xpcs(const Arguments& more) { return xpcs(more, scan_); }
    static void expect_refused(const Outcome& outcome, const std::string& words) {
        EXPECT_NE(outcome.code, 0);
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    }

    TemporaryFolder folder_;
    const std::string scan_ = folder_ / "scan.h5", run_ = folder_ / "run.h5", csv_ = folder_ / "segments.csv";
};

TEST_F(StabilityCli, a_change_is_in_the_table_the_file_and_the_saved_run) {
    const Outcome done = xpcs({"--stability", "6", "--stability-csv", csv_, "--out", run_});
    ASSERT_EQ(done.code, 0) << done.err;
    const std::string table = "stability in 6 segments of 20 frames: g2 changes in 2 of 2 bins\n";
    EXPECT_NE(done.out.find(table), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("    2  from frame 60 on: another sample, p = "), std::string::npos) << done.out;
    const std::string csv = read_file(csv_);
    EXPECT_TRUE(
        csv.starts_with("bin,segment,first_frame,last_frame,delay,g2,g2_err,p,change_frame\n1,1,0,19,0,"))
        << csv.substr(0, 200);
    EXPECT_NE(csv.find("\n2,6,100,119,19,"), std::string::npos);
    EXPECT_TRUE(csv.ends_with(",60\n"));
    const Outcome info = run_cli({"info", run_});
    EXPECT_NE(info.out.find(table), std::string::npos) << info.out;
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_TRUE(repeated.out.ends_with("the same bytes\n")) << repeated.out << repeated.err;
}

TEST_F(StabilityCli, every_family_and_the_same_frames_give_the_same_segments) {
    ASSERT_EQ(xpcs({"--stability", "4", "--last-frame", "58", "--stability-csv", csv_}).code, 0);
    const std::string usual = read_file(csv_);
    EXPECT_NE(usual.find("\n1,4,42,55,13,"), std::string::npos);
    EXPECT_FALSE(usual.ends_with(",60\n"));
    for (const std::string family : {"fft", "multitau", "sparse"}) {
        ASSERT_EQ(xpcs({"--stability", "4", "--last-frame", "58", "--stability-csv", csv_, "--overwrite",
                        "--correlator", family})
                      .code,
                  0);
        EXPECT_EQ(read_file(csv_), usual) << family;
    }
}

TEST_F(StabilityCli, frames_of_strides_are_those_of_the_file) {
    ASSERT_EQ(xpcs({"--stability", "4", "--last-frame", "35", "--stride", "5", "--stability-csv", csv_,
                    "--out", run_})
                  .code,
              0);
    EXPECT_NE(read_file(csv_).find("\n2,4,30,35,1,"), std::string::npos) << read_file(csv_);
    EXPECT_EQ(run_cli({"info", run_}).code, 0);
}

TEST_F(StabilityCli, what_it_cannot_do_is_refused) {
    expect_refused(
        xpcs({"--stability", "10", "--last-frame", "18"}),
        "stability: 10 segments of at least 2 frames need 20 frames, found 19; use fewer segments");
    expect_refused(xpcs({"--stability", "3"}), "expected a whole number from 4 to 100 segments");
    expect_refused(xpcs({"--stability-csv", csv_}), "--stability-csv needs segments");
}

TEST_F(StabilityCli, an_average_of_repeats_says_that_it_is_not_tested) {
    const std::string other = folder_ / "other.h5";
    ASSERT_EQ(run_cli({"generate", "xpcs", "--kind", "speckle", "--frames", "120", "--height", "81",
                       "--width", "81", "--ring-width", "20", "--seed", "3", "--out", other})
                  .code,
              0);
    const Outcome done = run_cli({"xpcs", scan_, other, "--qmask", scan_ + "::/entry/qmask", "--repeats",
                                  "average", "--stability", "5", "--device", "host", "--out", run_});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE((done.out + done.err).find("an average of repeats is not tested for a change of the sample"),
              std::string::npos)
        << done.out << done.err;
    EXPECT_EQ(done.out.find("stability in"), std::string::npos) << done.out;
    const Outcome refused =
        run_cli({"xpcs", scan_, other, "--qmask", scan_ + "::/entry/qmask", "--repeats", "average",
                 "--stability", "5", "--stability-csv", csv_, "--device", "host", "--progress"});
    EXPECT_EQ(refused.code, 2);
    expect_refused(refused, "--stability-csv is not written for an average of repeats");
    EXPECT_EQ(refused.err.find("correlate"), std::string::npos) << "before the first repeat: " << refused.err;
}

}  // namespace stability_cli_test
