// Dark and flat field: g2 of (frame - dark) / flat by plain loops in double, and fields that do not fit.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"
#include "tests/app/xpcs/g2_csv.h"

namespace dark_flat_test {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 14, height = 8, width = 9, pixels = height * width, bins = 2, dark_frames = 3;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::uint16_t count_at(std::size_t t, std::size_t pixel) {
    return static_cast<std::uint16_t>(40 + (t * t * 7 + pixel * pixel * 5 + t * pixel * 3) % 61);
}
std::uint16_t label_at(std::size_t pixel) {
    return static_cast<std::uint16_t>(pixel % 3);
}
std::uint16_t dark_at(std::size_t frame, std::size_t pixel) {
    return static_cast<std::uint16_t>(20 + (pixel * 11 + frame * 4) % 13);
}
/// Pixels 10 and 40 have none; both are in a bin.
float flat_at(std::size_t pixel) {
    if (pixel == 10) return 0;
    if (pixel == 40) return not_a_number;
    return 0.5F + static_cast<float>(pixel * 7 % 16) / 8;
}

class DarkFlat : public testing::Test {
  protected:
    DarkFlat() {
        Hdf5Fixture data(data_);
        data.counts("/frames", {frames, height, width},
                    [](std::size_t i) { return count_at(i / pixels, i % pixels); });
        data.counts("/labels", {height, width}, label_at);
        write_fields(1);
    }
    /// @param factor of the flat field of pixel 1, which is in a bin
    void write_fields(float factor) const {
        Hdf5Fixture fields(fields_);
        fields.counts("/dark", {dark_frames, height, width},
                      [](std::size_t i) { return dark_at(i / pixels, i % pixels); });
        fields.reals("/flat", {height, width},
                     [factor](std::size_t pixel) { return flat_at(pixel) * (pixel == 1 ? factor : 1); });
        fields.counts("/narrow", {height, width - 1}, label_at);
        fields.reals("/black", {height, width}, [](std::size_t) { return 0.0F; });
        fields.reals("/gap", {height, width},
                     [](std::size_t pixel) { return pixel == 7 ? not_a_number : 1.0F; });
    }
    Arguments command(const Arguments& more) const {
        Arguments all{"xpcs", data_ + "::/frames", "--qmask", data_ + "::/labels"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Arguments both(const Arguments& more) const {
        Arguments all{"--dark", fields_ + "::/dark", "--flat", fields_ + "::/flat"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    /// g2 as [bin][delay].
    std::vector<double> g2_of(const Arguments& more) const {
        Arguments all = command(more);
        for (const std::string& word : {std::string("--csv"), folder_ / "g2.csv", std::string("--overwrite")})
            all.push_back(word);
        const Outcome done = run_cli(all);
        EXPECT_EQ(done.code, 0) << done.err;
        return ks::tests::g2_of_csv(folder_ / "g2.csv");
    }
    void expect_alike(const std::vector<double>& found, const std::vector<double>& expected,
                      const std::string& of) const {
        ASSERT_EQ(found.size(), expected.size()) << of;
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], expected[i], 2e-6 * std::abs(expected[i])) << of << " " << i;
    }
    void refused(const Arguments& more, const std::string& text) const {
        const Outcome outcome = run_cli(command(more));
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    }

    TemporaryFolder folder_;
    const std::string data_ = folder_ / "data.h5", fields_ = folder_ / "fields.h5";
};

/// The definition, of counts in double precision.
std::vector<double> expected_g2(bool with_dark, bool with_flat, std::size_t averaged = 1,
                                std::uint16_t saturation = 65535) {
    const std::size_t n = frames / averaged;
    std::vector<double> values(n * pixels, 0);
    std::vector<bool> used(pixels);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        double dark = 0;
        for (std::size_t k = 0; k < dark_frames; ++k) dark += dark_at(k, pixel) / double{dark_frames};
        used[pixel] = !with_flat || flat_at(pixel) > 0;
        for (std::size_t t = 0; t < n * averaged; ++t) {
            used[pixel] = used[pixel] && count_at(t, pixel) < saturation;
            const double signal = count_at(t, pixel) - (with_dark ? dark : 0);
            values[t / averaged * pixels + pixel] +=
                with_flat ? signal / static_cast<double>(flat_at(pixel)) : signal;
        }
    }
    std::vector<double> all;
    for (std::size_t bin = 1; bin <= bins; ++bin)
        for (std::size_t delay = 0; delay < n; ++delay) {
            double products = 0, norm = 0, size = 0;
            for (std::size_t t = 0; t + delay < n; ++t) {
                double first = 0, second = 0;
                size = 0;
                for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
                    if (label_at(pixel) != bin || !used[pixel]) continue;
                    const double a = values[t * pixels + pixel], b = values[(t + delay) * pixels + pixel];
                    products += a * b;
                    first += a;
                    second += b;
                    size += 1;
                }
                norm += first * second;
            }
            all.push_back(products / (norm / size));
        }
    return all;
}

TEST_F(DarkFlat, every_kind_of_variant_correlates_the_corrected_counts) {
    const std::vector<double> expected = expected_g2(true, true);
    for (const Arguments& on : {Arguments{"--device", "host"}, Arguments{"--device", "0"},
                                Arguments{"--device", "0", "--variant", "seed.ordered"},
                                Arguments{"--variant", "host.pairs"}, Arguments{"--correlator", "fft"}})
        expect_alike(g2_of(both(on)), expected, on.back());
    const std::vector<double> plain = g2_of({"--device", "host"});
    ASSERT_EQ(plain.size(), expected.size());
    double changed = 0;
    for (std::size_t i = 0; i < plain.size(); ++i)
        changed = std::max(changed, std::abs(plain[i] - expected[i]));
    EXPECT_GT(changed, 0.01) << "the fields would be seen";
}

TEST_F(DarkFlat, either_field_may_come_alone) {
    expect_alike(g2_of({"--dark", fields_ + "::/dark"}), expected_g2(true, false), "dark");
    expect_alike(g2_of({"--flat", fields_ + "::/flat"}), expected_g2(false, true), "flat");
}

TEST_F(DarkFlat, sums_and_normalised_frames_are_of_corrected_counts) {
    expect_alike(g2_of(both({"--average", "2"})), expected_g2(true, true, 2), "sums");
    const Outcome done = run_cli(command(both({"--normalise", "frame-sum", "--check", "full"})));
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("check: pass"), std::string::npos) << done.out;
}

TEST_F(DarkFlat, the_saturation_is_that_of_the_counts_in_the_file) {
    // Corrected, these counts are far below it; some pixels of both bins reach it.
    expect_alike(g2_of(both({"--saturation", "100"})), expected_g2(true, true, 1, 100), "saturation");
}

TEST_F(DarkFlat, pixels_without_a_flat_field_are_masked_and_counted) {
    const Outcome done = run_cli(command(both({"--check", "full"})));
    EXPECT_EQ(done.code, 0) << done.err;
    const std::string all = done.out + done.err;
    EXPECT_NE(
        all.find("the flat field " + fields_ + "::/flat is not above 0 in 2 of 72 pixels, which are masked"),
        std::string::npos)
        << all;
    EXPECT_NE(done.out.find("counts: (frame - dark) / flat; dark field " + fields_ + "::/dark, flat field " +
                            fields_ + "::/flat"),
              std::string::npos)
        << done.out;
    EXPECT_NE(done.out.find(" 0 invalid pixels"), std::string::npos) << done.out;
    const Outcome gap = run_cli(command({"--dark", fields_ + "::/gap"}));
    EXPECT_NE((gap.out + gap.err).find("is not a number in 1 of 72 pixels, which is masked"),
              std::string::npos)
        << gap.out << gap.err;
}

TEST_F(DarkFlat, marks_of_pixels_without_a_count_are_no_counts) {
    {
        Hdf5Fixture marked(folder_ / "marked.h5");
        marked.counts("/dark", {dark_frames, height, width}, [](std::size_t i) {
            return i == pixels + 4 ? std::uint16_t{65535} : dark_at(i / pixels, i % pixels);
        });
        marked.counts("/frames", {frames, height, width}, [](std::size_t i) {
            return i == 3 * pixels + 5 ? std::uint16_t{65535} : count_at(i / pixels, i % pixels);
        });
    }
    const Outcome dark = run_cli(command({"--dark", folder_ / "marked.h5::/dark"}));
    EXPECT_NE((dark.out + dark.err).find("is not a number in 1 of 72 pixels, which is masked"),
              std::string::npos)
        << dark.out << dark.err;
    const Outcome marked = run_cli({"xpcs", folder_ / "marked.h5::/frames", "--qmask", data_ + "::/labels",
                                    "--dark", fields_ + "::/dark"});
    EXPECT_EQ(marked.code, 0) << marked.err;
    EXPECT_NE(marked.out.find(" 1 invalid pixel\n"), std::string::npos) << marked.out;
}

TEST_F(DarkFlat, fields_that_do_not_fit_are_refused) {
    for (const std::string role : {"dark", "flat"})
        refused({"--" + role, fields_ + "::/narrow"}, fields_ + "::/narrow: the " + role +
                                                          " field must have the shape 8 x 9 of the frames " +
                                                          data_ + "::/frames, found 8 x 8");
    refused({"--flat", fields_ + "::/black"},
            "each of the 48 pixels in bins has a flat field that is not above 0");
    refused({"--flat", fields_ + "::/none"}, "/none");
    refused({"--dark", folder_ / "missing.h5"}, "missing.h5");
}

TEST_F(DarkFlat, a_variant_of_whole_counts_says_that_it_cannot) {
    refused(both({"--correlator", "sparse"}), "host.sparse");
}

TEST_F(DarkFlat, a_saved_run_names_its_fields_and_notices_when_they_change) {
    const std::string run = folder_ / "run.h5";
    const Outcome done = run_cli(command(both({"--out", run, "--device", "host"})));
    ASSERT_EQ(done.code, 0) << done.err;
    const Outcome info = run_cli({"info", run});
    EXPECT_NE(info.out.find(fields_), std::string::npos) << info.out;
    const Outcome same = run_cli({"repeat", run});
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_TRUE(same.out.ends_with("the same bytes\n")) << same.out;
    write_fields(3);
    const Outcome other = run_cli({"repeat", run});
    EXPECT_EQ(other.code, 1) << other.out;
    EXPECT_NE(other.err.find("fields.h5"), std::string::npos) << other.out << other.err;
}

}  // namespace dark_flat_test
