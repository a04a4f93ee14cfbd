// Estimators, errors, strides, sums and outliers on the command line: what runs, what is refused, what is
// kept.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace estimates_cli_test {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 24, pixels = 30 * 40;

class Estimates : public testing::Test {
  protected:
    Estimates() {
        Hdf5Fixture made(scan_);
        made.group("/entry");
        // Frame 11 is dark.
        made.counts("/entry/frames", {frames, 30, 40}, [](std::size_t i) {
            const std::size_t frame = i / pixels;
            return static_cast<std::uint16_t>(frame == 11 ? 0 : 20 + (i * 2654435761U >> 7) % 9);
        });
    }
    Outcome xpcs(const Arguments& more) {
        Arguments all{"xpcs", scan_, "--rings", "20,15,0,4,3"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    static void expect_refused(const Outcome& outcome, const std::vector<std::string>& words) {
        EXPECT_EQ(outcome.code, 2);
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    }

    TemporaryFolder folder_;
    const std::string scan_ = folder_ / "scan.h5", run_ = folder_ / "run.h5";
};

TEST_F(Estimates, every_estimate_runs_is_checked_kept_and_repeated) {
    for (const std::string estimator : {"mean-of-ratios", "symmetric"})
        for (const std::string errors : {"published", "pixels", "bootstrap", "jackknife"}) {
            const Outcome done = xpcs({"--estimator", estimator, "--errors", errors, "--check", "full",
                                       "--out", run_, "--overwrite"});
            ASSERT_EQ(done.code, 0) << done.err;
            EXPECT_NE(done.out.find("estimator of g2: " + estimator + ", errors: " + errors),
                      std::string::npos)
                << done.out;
            EXPECT_NE(done.out.find("host.pairs on "), std::string::npos) << done.out;
            EXPECT_NE(done.out.find("check: pass"), std::string::npos) << done.out;
            const Outcome repeated = run_cli({"repeat", run_});
            EXPECT_TRUE(repeated.out.ends_with("the same bytes\n")) << repeated.out << repeated.err;
            const Outcome info = run_cli({"info", run_});
            EXPECT_NE(info.out.find("estimator of g2: " + estimator + ", errors: " + errors),
                      std::string::npos)
                << info.out;
        }
}

TEST_F(Estimates, a_variant_that_cannot_is_refused_in_one_sentence) {
    expect_refused(
        xpcs({"--estimator", "symmetric", "--variant", "host.gram"}),
        {"host.gram requires the estimator ratio, found symmetric; the usable variants are host.pairs"});
    expect_refused(xpcs({"--correlator", "fft", "--estimator", "symmetric"}), {"estimator"});
    expect_refused(xpcs({"--correlator", "fft", "--variant", "host.pairs"}),
                   {"host.pairs requires the correlator any or gram, found fft"});
    expect_refused(xpcs({"--errors", "jackknife", "--variant", "host.reference"}),
                   {"host.reference requires the errors to be published, found jackknife"});
    expect_refused(xpcs({"--estimator", "two-level"}),
                   {"the estimator two-level needs static bins inside the bins, but these bins have none"});
    EXPECT_NE(xpcs({"--estimator", "median"}).code, 0);
}

TEST_F(Estimates, strides_sums_and_outliers_are_told) {
    const Outcome done = xpcs({"--first-frame", "1", "--stride", "2", "--average", "3", "--leave-out", "auto",
                               "--device", "host", "--check", "full", "--out", run_, "--frame-time", "0.5"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("4 frames, each the sum of 3, one of 2 in the file, 1 left out, 3 bins"),
              std::string::npos)
        << done.out;
    EXPECT_NE(done.out.find("check: pass"), std::string::npos) << done.out;
    EXPECT_NE((done.out + done.err)
                  .find("frame 11 was left out automatically (1 of 12), because its sum is below "
                        "a tenth of the median of all frames"),
              std::string::npos)
        << done.out << done.err;
    // Frame 11 is not used.
    const Outcome even = xpcs({"--stride", "2", "--average", "3", "--leave-out", "auto", "--device", "host"});
    ASSERT_EQ(even.code, 0) << even.err;
    EXPECT_NE(even.out.find("4 frames, each the sum of 3, one of 2 in the file, 3 bins"), std::string::npos)
        << even.out;
    EXPECT_EQ((even.out + even.err).find("left out"), std::string::npos) << even.out << even.err;
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_TRUE(repeated.out.ends_with("the same bytes\n")) << repeated.out << repeated.err;
    expect_refused(xpcs({"--average", "25"}),
                   {"24 frames are too few for a stride of 1 and sums of 25 frames"});
    expect_refused(xpcs({"--stride", "0"}), {"stride"});
}

TEST_F(Estimates, pairs_are_kept_checked_and_repeated) {
    const Outcome done = xpcs({"--keep-pairs", "--check", "full", "--out", run_, "--leave-out", "auto"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("check: pass"), std::string::npos) << done.out;
    const Outcome info = run_cli({"info", run_});
    EXPECT_NE(info.out.find("products"), std::string::npos) << info.out;
    EXPECT_NE(info.out.find("keep_pairs"), std::string::npos) << info.out;
    const Outcome repeated = run_cli({"repeat", run_});
    EXPECT_TRUE(repeated.out.ends_with("the same bytes\n")) << repeated.out << repeated.err;
    expect_refused(xpcs({"--keep-pairs", "--variant", "host.gram"}),
                   {"host.gram requires the parameter keep_pairs to be false, found true"});
}

}  // namespace estimates_cli_test
