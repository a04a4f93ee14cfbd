// The layout of APS 8-ID: paths, shapes and values, against plain sums of the frames and the CSV of the run.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/open_frames.h"
#include "tests/app/cli_process.h"

namespace aps_file_test {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Shape = std::vector<std::size_t>;

constexpr std::size_t frames = 23, height = 31, width = 37, left_out = 4;

class ApsFile : public testing::Test {
  protected:
    ApsFile() {
        const Outcome made = run_cli(
            {"generate", "xpcs", "--frames", "23", "--height", "31", "--width", "37", "--out", data_});
        EXPECT_EQ(made.code, 0) << made.err;
    }
    Outcome xpcs(const Arguments& more) const {
        Arguments all{"xpcs", data_, "--rings", "15,14,2,4,3", "--device", "host", "--aps-out", out_};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    std::vector<double> numbers(const std::string& path, const Shape& shape) const {
        const ks::Array array = ks::io::read_array(out_ + "::" + path, shape.size());
        EXPECT_EQ(array.shape(), shape) << path;
        return array.to_doubles();
    }

    TemporaryFolder folder_;
    const std::string data_ = folder_ / "frames.h5", out_ = folder_ / "result.hdf", csv_ = folder_ / "g2.csv";
    const Arguments geometry_{"--frame-time", "0.5",  "--wavelength", "1.5",
                              "--distance",   "2000", "--pixel-size", "50"};
};

TEST_F(ApsFile, has_what_the_viewer_reads) {
    Arguments all = geometry_;
    for (const char* one : {"--csv", csv_.c_str(), "--leave-out", "4"}) all.emplace_back(one);
    const Outcome done = xpcs(all);
    ASSERT_EQ(done.code, 0) << done.err;

    const std::vector<double> labels = numbers("/xpcs/qmap/dynamic_roi_map", {height, width});
    EXPECT_EQ(numbers("/xpcs/qmap/static_roi_map", {height, width}), labels);
    std::vector<double> expected_labels(height * width);
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const double r = std::hypot(static_cast<double>(x) + 0.5 - 15, static_cast<double>(y) + 0.5 - 14);
            if (r >= 2 && r < 14) expected_labels[y * width + x] = std::floor((r - 2) / 4) + 1;
        }
    ASSERT_EQ(labels, expected_labels);

    std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>> g2;
    std::istringstream lines(read_file(csv_));
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) {
        std::size_t bin = 0, delay = 0;
        double value = 0, error = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%zu,%zu,%lf,%lf", &bin, &delay, &value, &error), 4) << line;
        g2[{bin, delay}] = {value, error};
    }
    const std::vector<double> delays = numbers("/xpcs/multitau/delay_list", {frames - 1}),
                              values = numbers("/xpcs/multitau/normalized_g2", {frames - 1, 3}),
                              errors = numbers("/xpcs/multitau/normalized_g2_err", {frames - 1, 3});
    for (std::size_t i = 0; i + 1 < frames; ++i) {
        EXPECT_EQ(delays[i], static_cast<double>(i + 1));
        for (std::size_t bin = 0; bin < 3; ++bin) {
            EXPECT_EQ(values[i * 3 + bin], g2.at({bin + 1, i + 1}).first);
            EXPECT_EQ(errors[i * 3 + bin], g2.at({bin + 1, i + 1}).second);
        }
    }

    const std::vector<double> stack = ks::io::read_array(data_ + "::/entry/data/data", 3).to_doubles();
    std::vector<double> image(height * width), per_frame(frames), bins(3), pixels(3), segments(30), used(10);
    for (std::size_t pixel = 0; pixel < image.size(); ++pixel)
        if (labels[pixel] > 0) ++pixels[static_cast<std::size_t>(labels[pixel]) - 1];
    for (std::size_t t = 0; t < frames; ++t) {
        if (t == left_out) continue;
        ++used[t * 10 / frames];
        for (std::size_t pixel = 0; pixel < image.size(); ++pixel) {
            const double count = stack[t * image.size() + pixel];
            image[pixel] += count / (frames - 1);
            if (labels[pixel] == 0) continue;
            const std::size_t bin = static_cast<std::size_t>(labels[pixel]) - 1;
            per_frame[t] += count / (pixels[0] + pixels[1] + pixels[2]);
            bins[bin] += count / pixels[bin] / (frames - 1);
            segments[t * 10 / frames * 3 + bin] += count / pixels[bin];
        }
    }
    const auto near = [](const std::vector<double>& found, const std::vector<double>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
    };
    near(numbers("/xpcs/temporal_mean/scattering_2d", {1, height, width}), image);
    near(numbers("/xpcs/temporal_mean/scattering_1d", {3}), bins);
    for (std::size_t i = 0; i < segments.size(); ++i) segments[i] /= used[i / 3];
    near(numbers("/xpcs/temporal_mean/scattering_1d_segments", {10, 3}), segments);
    const std::vector<double> over_time = numbers("/xpcs/spatial_mean/intensity_vs_time", {2, frames});
    for (std::size_t t = 0; t < frames; ++t) {
        EXPECT_EQ(over_time[t], static_cast<double>(t));
        if (t == left_out) {
            EXPECT_TRUE(std::isnan(over_time[frames + t]));
        } else {
            EXPECT_NEAR(over_time[frames + t], per_frame[t], 1e-12);
        }
    }

    EXPECT_EQ(numbers("/xpcs/qmap/mask", {height, width}), std::vector<double>(height * width, 1));
    EXPECT_EQ(numbers("/xpcs/qmap/dynamic_num_pts", {2}), (std::vector<double>{3, 1}));
    EXPECT_EQ(numbers("/xpcs/qmap/dynamic_index_mapping", {3}), (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(numbers("/xpcs/qmap/beam_center_x", {})[0], 14.5) << "the centre of the first pixel is at 0";
    EXPECT_EQ(numbers("/xpcs/qmap/beam_center_y", {})[0], 13.5);
    EXPECT_NEAR(numbers("/xpcs/qmap/detector_distance", {})[0], 2, 1e-12);
    EXPECT_NEAR(numbers("/xpcs/qmap/pixel_size", {})[0], 50e-6, 1e-15);
    EXPECT_NEAR(numbers("/entry/instrument/incident_beam/incident_energy", {})[0], 12.39842 / 1.5, 1e-5);
    EXPECT_EQ(numbers("/entry/instrument/detector_1/frame_time", {})[0], 0.5);
    const std::vector<double> q = numbers("/xpcs/qmap/dynamic_v_list_dim0", {3});
    for (std::size_t bin = 0; bin < 3; ++bin)
        EXPECT_NEAR(q[bin], 2 * M_PI / 1.5 * (4.0 + 4 * static_cast<double>(bin)) * 50e-6 / 2, 0.1 * q[0]);
}

TEST_F(ApsFile, a_shortened_series_keeps_the_frame_time_of_the_file) {
    Arguments all = geometry_;
    for (const char* one : {"--stride", "2", "--average", "3"}) all.emplace_back(one);
    const Outcome done = xpcs(all);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(numbers("/entry/instrument/detector_1/frame_time", {})[0], 0.5);
    EXPECT_EQ(numbers("/xpcs/multitau/config/stride_frame", {})[0], 2);
    EXPECT_EQ(numbers("/xpcs/multitau/config/avg_frame", {})[0], 3);
    EXPECT_EQ(numbers("/xpcs/multitau/delay_list", {3}), (std::vector<double>{1, 2, 3}));
}

TEST_F(ApsFile, without_a_geometry_or_a_frame_time_it_says_what_to_give_before_it_computes) {
    const std::string run = folder_ / "run.h5";
    const Outcome no_time = xpcs({"--out", run});
    EXPECT_EQ(no_time.code, 2);
    EXPECT_NE(no_time.err.find("give --frame-time"), std::string::npos) << no_time.err;
    const Outcome no_geometry = xpcs({"--frame-time", "1", "--out", run});
    EXPECT_EQ(no_geometry.code, 2);
    EXPECT_NE(no_geometry.err.find("give --wavelength, --distance and --pixel-size"), std::string::npos)
        << no_geometry.err;
    Arguments all{"xpcs", data_, "--qmask", data_ + "::/entry/qmask", "--out", run, "--aps-out", out_};
    all.insert(all.end(), geometry_.begin(), geometry_.end());
    const Outcome no_centre = run_cli(all);
    EXPECT_EQ(no_centre.code, 2);
    EXPECT_NE(no_centre.err.find("give --beam-x and --beam-y"), std::string::npos) << no_centre.err;
    Arguments rebinned = geometry_;
    for (const char* one : {"--rebin", "4", "--out", run.c_str()}) rebinned.emplace_back(one);
    const Outcome no_whole_delays = xpcs(rebinned);
    EXPECT_EQ(no_whole_delays.code, 2);
    EXPECT_NE(no_whole_delays.err.find("omit --rebin"), std::string::npos) << no_whole_delays.err;
    EXPECT_FALSE(std::filesystem::exists(out_));
    EXPECT_FALSE(std::filesystem::exists(run)) << "nothing is written";
}

}  // namespace aps_file_test
