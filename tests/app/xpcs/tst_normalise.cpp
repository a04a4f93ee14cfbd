// Normalisation: frames whose intensity was changed by a known factor, and g2 by its definition.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
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
        made.counts("/alternating", {frames},
                    [](std::size_t t) { return static_cast<std::uint16_t>(t % 2 == 0 ? 2 : 6); });
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

    /// @param found as [bin][delay] @param used frames of data_ @param label_of a pixel, 0: not used
    template <class Label>
    static void expect_g2(const std::vector<double>& found, const std::vector<std::size_t>& used,
                          const Label& label_of) {
        const std::size_t n_used = used.size();
        std::vector<double> sums(n_used), values(n_used * pixels);
        double mean = 0;
        for (std::size_t t = 0; t < n_used; ++t) {
            for (std::size_t pixel = 0; pixel < pixels; ++pixel)
                if (label_of(pixel) > 0) sums[t] += count_at(used[t], pixel) * factor_at(used[t]);
            mean += sums[t] / static_cast<double>(n_used);
        }
        for (std::size_t t = 0; t < n_used; ++t)
            for (std::size_t pixel = 0; pixel < pixels; ++pixel)
                values[t * pixels + pixel] = count_at(used[t], pixel) * factor_at(used[t]) / sums[t] * mean;
        ASSERT_EQ(found.size(), 2 * n_used);
        for (std::size_t bin = 1; bin <= 2; ++bin)
            for (std::size_t delay = 0; delay < n_used; ++delay) {
                double products = 0, norm = 0, n = 0;
                for (std::size_t pixel = 0; pixel < pixels; ++pixel) n += label_of(pixel) == bin ? 1 : 0;
                for (std::size_t t = 0; t + delay < n_used; ++t) {
                    double first = 0, second = 0;
                    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
                        if (label_of(pixel) != bin) continue;
                        products += values[t * pixels + pixel] * values[(t + delay) * pixels + pixel];
                        first += values[t * pixels + pixel];
                        second += values[(t + delay) * pixels + pixel];
                    }
                    norm += first * second / n;
                }
                EXPECT_NEAR(found[(bin - 1) * n_used + delay], products / norm, 2e-6) << bin << " " << delay;
            }
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
    std::vector<std::size_t> all(frames);
    std::iota(all.begin(), all.end(), std::size_t{0});
    expect_g2(g2_of(data_, {"--normalise", "frame-sum"}), all,
              [](std::size_t pixel) { return label_at(pixel); });
}

TEST_F(Normalise, frame_sums_are_over_the_pixels_that_g2_is_of) {
    // Pixels without a count in frames 5 and 7, one of them in frame 6.
    const auto is_gap = [](std::size_t t, std::size_t pixel) {
        return (t == 5 || t == 7) ? pixel / width < 3 : t == 6 && pixel == 50;
    };
    const std::string file = folder_ / "gaps.h5";
    {
        ks::tests::Hdf5Fixture made(file);
        made.counts("/frames", {frames, height, width}, [&](std::size_t i) {
            const std::size_t t = i / pixels, pixel = i % pixels;
            return is_gap(t, pixel) ? std::uint16_t{65535}
                                    : static_cast<std::uint16_t>(count_at(t, pixel) * factor_at(t));
        });
        made.counts("/labels", {height, width}, label_at);
    }
    const auto expect = [&](const Arguments& more, const std::vector<std::size_t>& used) {
        Arguments all{"--normalise", "frame-sum"};
        all.insert(all.end(), more.begin(), more.end());
        expect_g2(g2_of(file, all), used, [&](std::size_t pixel) {
            const bool gap = std::ranges::any_of(used, [&](std::size_t t) { return is_gap(t, pixel); });
            return gap ? std::uint16_t{0} : label_at(pixel);
        });
    };
    expect({}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    expect({"--first-frame", "6", "--last-frame", "8"}, {6, 7, 8});
    // The stride uses none of the frames with many gaps.
    expect({"--stride", "2"}, {0, 2, 4, 6, 8, 10});
}

TEST_F(Normalise, frames_that_are_not_used_do_not_matter) {
    const auto monitor_of = [this](Arguments all) {
        const std::string run = folder_ / "run.h5";
        all.insert(all.end(), {"--out", run});
        g2_of(data_, all);
        return ks::io::read_array(run + "::/entry/instrument/monitor/relative", 1).to_doubles();
    };
    // Frames 0, 2, ... have 2 and the others 6.
    EXPECT_EQ(monitor_of({"--normalise", "monitor=/alternating", "--stride", "2"}),
              std::vector<double>(6, 1.0));
    EXPECT_EQ(monitor_of({"--normalise", "monitor=/alternating", "--stride", "2", "--average", "4"}),
              std::vector<double>(1, 1.0));
    // The monitor is 0 in frames 3 and 7.
    const Arguments dark{"--normalise", "monitor=/dark"};
    const auto with = [&dark](const Arguments& more) {
        Arguments all = dark;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    EXPECT_EQ(monitor_of(with({"--stride", "2"})), std::vector<double>(6, 1.0));
    EXPECT_EQ(monitor_of(with({"--stride", "8"})), std::vector<double>(2, 1.0));
    refused(with({"--average", "7"}), "frame 3 has a monitor value that is not above 0");
    refused(with({"--average", "4", "--leave-out", "2"}), "frame 7 has a monitor value that is not above 0");
    refused(with({"--average", "4", "--leave-out", "2"}), "use --leave-out 2,7");
    EXPECT_FALSE(g2_of(data_, with({"--average", "4", "--leave-out", "2,5"})).empty());
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
    // Of frames 2 to 4, 5 to 7 and 8 to 10; the first sum has frame 4, and no sum has frame 11.
    double mean_of_used = 0;
    for (std::size_t t = 5; t < 11; ++t) mean_of_used += factor_at(t) / 6.0;
    for (std::size_t t = 0; t < sums.size(); ++t) {
        const int sum = factor_at(2 + 3 * t) + factor_at(3 + 3 * t) + factor_at(4 + 3 * t);
        EXPECT_DOUBLE_EQ(sums[t], sum / 3.0 / mean_of_used) << t;
    }
    EXPECT_DOUBLE_EQ(sums[1] + sums[2], 2);
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
