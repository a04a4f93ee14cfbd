// Normalisation: frames whose intensity was changed by a known factor, and g2 by its definition.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/open_frames.h"
#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"
#include "tests/app/xpcs/g2_csv.h"

namespace normalise_test {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 12, height = 8, width = 9, pixels = height * width;

std::uint16_t count_at(std::size_t t, std::size_t pixel) {
    return static_cast<std::uint16_t>(1 + (t * t * 7 + pixel * pixel * 5 + t * pixel * 3) % 11);
}
std::uint16_t factor_at(std::size_t t) {
    return static_cast<std::uint16_t>(1 + t * 5 % 4);
}
std::uint16_t label_at(std::size_t pixel) {
    return static_cast<std::uint16_t>(pixel % 3);
}

class Normalise : public testing::Test {
  protected:
    Normalise() {
        write(data_, [](std::size_t t) { return factor_at(t); });
        write(even_, [](std::size_t) { return 1; });
    }
    static void write(const std::string& file, const std::function<int(std::size_t)>& factor) {
        ks::tests::Hdf5Fixture made(file);
        made.counts("/frames", {frames, height, width}, [&](std::size_t i) {
            return static_cast<std::uint16_t>(count_at(i / pixels, i % pixels) * factor(i / pixels));
        });
        made.counts("/labels", {height, width}, label_at);
        made.counts("/monitor", {frames}, factor_at);
        made.counts("/dark", {frames},
                    [](std::size_t t) { return static_cast<std::uint16_t>(t == 3 || t == 7 ? 0 : 1); });
        made.counts("/short", {frames - 1}, factor_at);
        made.counts("/off", {frames}, [](std::size_t) { return std::uint16_t{0}; });
    }
    /// g2 as [bin][delay].
    std::vector<double> g2_of(const std::string& file, const Arguments& more) const {
        Arguments all{"xpcs",  file + "::/frames", "--qmask",    file + "::/labels", "--device", "host",
                      "--csv", folder_ / "g2.csv", "--overwrite"};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome done = run_cli(all);
        EXPECT_EQ(done.code, 0) << done.err;
        return ks::tests::g2_of_csv(folder_ / "g2.csv");
    }
    void refused(const Arguments& more, const std::string& text) const {
        Arguments all{"xpcs", data_ + "::/frames", "--qmask", data_ + "::/labels", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = run_cli(all);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    }

    TemporaryFolder folder_;
    const std::string data_ = folder_ / "uneven.h5", even_ = folder_ / "even.h5";
};

TEST_F(Normalise, a_monitor_takes_its_factors_out_of_the_frames) {
    const std::vector<double> expected = g2_of(even_, {}),
                              found = g2_of(data_, {"--normalise", "monitor=/monitor"}),
                              uneven = g2_of(data_, {});
    ASSERT_EQ(found.size(), expected.size());
    double changed = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 2e-6) << i;
        changed = std::max(changed, std::abs(uneven[i] - expected[i]));
    }
    EXPECT_GT(changed, 0.01) << "the factors would be seen";
}

TEST_F(Normalise, frame_sums_are_those_of_the_bins) {
    std::vector<double> sums(frames), values(frames * pixels);
    double mean = 0;
    for (std::size_t t = 0; t < frames; ++t) {
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            if (label_at(pixel) > 0) sums[t] += count_at(t, pixel) * factor_at(t);
        mean += sums[t] / frames;
    }
    for (std::size_t t = 0; t < frames; ++t)
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            values[t * pixels + pixel] = count_at(t, pixel) * factor_at(t) / sums[t] * mean;
    const std::vector<double> found = g2_of(data_, {"--normalise", "frame-sum"});
    ASSERT_EQ(found.size(), 2 * frames);
    for (std::size_t bin = 1; bin <= 2; ++bin)
        for (std::size_t delay = 0; delay < frames; ++delay) {
            double products = 0, norm = 0, n = 0;
            for (std::size_t pixel = 0; pixel < pixels; ++pixel) n += label_at(pixel) == bin ? 1 : 0;
            for (std::size_t t = 0; t + delay < frames; ++t) {
                double first = 0, second = 0;
                for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
                    if (label_at(pixel) != bin) continue;
                    products += values[t * pixels + pixel] * values[(t + delay) * pixels + pixel];
                    first += values[t * pixels + pixel];
                    second += values[(t + delay) * pixels + pixel];
                }
                norm += first * second / n;
            }
            EXPECT_NEAR(found[(bin - 1) * frames + delay], products / norm, 2e-6) << bin << " " << delay;
        }
}

TEST_F(Normalise, sums_of_frames_are_sums_of_normalised_frames) {
    const std::vector<double> expected = g2_of(even_, {"--average", "3"}),
                              found = g2_of(data_, {"--average", "3", "--normalise", "monitor=/monitor"});
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 2e-6) << i;
}

TEST_F(Normalise, marks_of_pixels_without_a_count_are_no_counts) {
    constexpr std::size_t bad = 5;
    const std::string file = folder_ / "marked.h5";
    const auto write_marked = [&](std::uint16_t label_of_bad) {
        ks::tests::Hdf5Fixture marked(file);
        marked.counts("/frames", {frames, height, width}, [](std::size_t i) {
            return i == 3 * pixels + bad ? std::uint16_t{65535} : count_at(i / pixels, i % pixels);
        });
        marked.counts("/labels", {height, width}, [label_of_bad](std::size_t pixel) {
            return pixel == bad ? label_of_bad : label_at(pixel);
        });
        marked.counts("/monitor", {frames}, factor_at);
    };
    for (const Arguments& more : {Arguments{"--normalise", "monitor=/monitor"}, Arguments{"--average", "2"},
                                  Arguments{"--average", "2", "--stride", "3"}}) {
        write_marked(0);
        const std::vector<double> expected = g2_of(file, more);
        write_marked(label_at(bad));
        const std::vector<double> found = g2_of(file, more);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
    }
}

TEST_F(Normalise, the_summary_and_the_check_know_it) {
    const Outcome done = run_cli({"xpcs", data_ + "::/frames", "--qmask", data_ + "::/labels", "--device",
                                  "host", "--normalise", "frame-sum", "--check", "full"});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("normalised by frame-sum"), std::string::npos) << done.out;
}

TEST_F(Normalise, the_saved_run_has_the_monitor_relative_to_its_mean) {
    const auto monitor_of = [this](const Arguments& more) {
        const std::string run = folder_ / "run.h5";
        Arguments all{"--normalise", "monitor=/monitor", "--out", run};
        all.insert(all.end(), more.begin(), more.end());
        g2_of(data_, all);
        return ks::io::read_array(run + "::/entry/instrument/monitor/relative", 1).to_doubles();
    };
    // The mean of the frames from 2 on without frame 4.
    double mean = 0;
    for (std::size_t t = 2; t < frames; ++t) mean += t == 4 ? 0 : factor_at(t);
    mean /= frames - 3;
    const std::vector<double> all = monitor_of({"--first-frame", "2", "--leave-out", "4"});
    ASSERT_EQ(all.size(), frames - 2);
    for (std::size_t t = 0; t < all.size(); ++t) EXPECT_DOUBLE_EQ(all[t], factor_at(t + 2) / mean) << t;
    const std::vector<double> sums = monitor_of({"--first-frame", "2", "--leave-out", "4", "--average", "3"});
    ASSERT_EQ(sums.size(), 3U);
    for (std::size_t t = 0; t < sums.size(); ++t)
        EXPECT_DOUBLE_EQ(sums[t], (all[3 * t] + all[3 * t + 1] + all[3 * t + 2]) / 3) << t;
    const std::string plain = folder_ / "plain.h5";
    g2_of(data_, {"--normalise", "frame-sum", "--out", plain});
    EXPECT_THROW(ks::io::read_array(plain + "::/entry/instrument/monitor/relative", 1), ks::Error);
}

TEST_F(Normalise, a_single_frame_warns_that_it_has_no_delay) {
    const auto err_of = [this](const Arguments& more) {
        Arguments all{"xpcs", data_ + "::/frames", "--qmask", data_ + "::/labels", "--device", "host"};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome done = run_cli(all);
        EXPECT_EQ(done.code, 0) << done.err;
        return done.err + done.out;
    };
    const std::string warning = "a single frame has g2 at delay 0 only";
    EXPECT_NE(err_of({"--first-frame", "3", "--last-frame", "3"}).find(warning), std::string::npos);
    EXPECT_NE(err_of({"--stride", "12"}).find(warning), std::string::npos);
    EXPECT_EQ(err_of({"--stride", "6"}).find(warning), std::string::npos);
}

TEST_F(Normalise, a_monitor_that_does_not_fit_is_refused) {
    refused({"--normalise", "monitor=/dark"}, "frames 3,7 have a monitor value that is not above 0");
    refused({"--normalise", "monitor=/dark"}, "--leave-out 3,7");
    // Leaving out every frame would not help.
    refused({"--normalise", "monitor=/off"}, "frames 0-11 have a monitor value that is not above 0");
    const Outcome off = run_cli({"xpcs", data_ + "::/frames", "--qmask", data_ + "::/labels", "--device",
                                 "host", "--normalise", "monitor=/off"});
    EXPECT_EQ(off.err.find("--leave-out"), std::string::npos) << off.err;
    refused({"--normalise", "monitor=/short"},
            "expected a monitor value for each of the 12 frames, found 11");
    refused({"--normalise", "monitor=/labels"}, "/labels");
    refused({"--normalise", "monitor=/none"}, "/none");
    refused({"--normalise", "monitors"}, "expected none, frame-sum or monitor=/path, found 'monitors'");
    EXPECT_FALSE(g2_of(data_, {"--normalise", "monitor=/dark", "--leave-out", "3,7"}).empty());
}

}  // namespace normalise_test
