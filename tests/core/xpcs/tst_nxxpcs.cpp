#include "core/xpcs/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// A correlation of 3 bins and 4 delays with numbers that tell where they are from: 10 bin + delay.
Run sample_run() {
    std::vector<double> g2, g2_err, delay_time{0, 0.5, 1, 1.5}, two_time;
    for (int bin = 0; bin < 3; ++bin)
        for (int delay = 0; delay < 4; ++delay) {
            g2.push_back(10 * bin + delay + 1.0 / 3);
            g2_err.push_back(0.001 * (10 * bin + delay));
        }
    g2[5] = nan_value;
    g2_err[11] = nan_value;
    for (int i = 0; i < 16; ++i) two_time.push_back(i);
    Run run;
    run.request.analysis = "xpcs";
    run.request.variant = "host.gram";
    run.request.device = "host";
    run.request.inputs["frames"] = {"stack.h5::/entry/data/data", {}};
    run.request.inputs["partition"] = {"drawn", Array::of<std::int32_t>({2, 3}, {0, 1, 2, 3, 3, 0})};
    run.request.parameters["first_frame"] = std::int64_t{7};
    run.request.parameters["saturation"] = 1.25;
    run.request.defines["TILE"] = "32";
    run.request.kernel_source = "kernel void \"k\"() {}\n";
    run.request.memory_limit = 123456789;
    run.variant.analysis = "xpcs";
    run.variant.id = "host.gram";
    run.variant.title = "Gram";
    run.device.name = "A device";
    run.device.driver = "580.95";
    run.device.backend = "host";
    run.result.datasets = {
        {"g2",
         "g2(q, tau)",
         "",
         DataKind::curves,
         Array::of<double>({3, 4}, g2),
         {"label", "delay"},
         "g2_err"},
        {"g2_err", "error", "", DataKind::curves, Array::of<double>({3, 4}, g2_err), {"label", "delay"}},
        {"label", "bin", "", DataKind::axis, Array::of<std::int32_t>({3}, {1, 2, 3})},
        {"delay", "delay", "frames", DataKind::axis, Array::of<std::int32_t>({4}, {0, 1, 2, 3})},
        {"delay_time", "delay", "s", DataKind::axis, Array::of<double>({4}, delay_time)},
        {"q", "q", "1/angstrom", DataKind::axis, Array::of<double>({3}, {0.01, nan_value, 0.03}), {"label"}},
        {"two_time", "C", "", DataKind::image, Array::of<double>({4, 4}, two_time), {"", ""}},
        {"labels", "bins", "", DataKind::overlay, Array::of<std::int32_t>({2, 3}, {0, 1, 2, 3, 3, 0})},
        {"extra", "something new", "", DataKind::table, Array::of<float>({2}, {1.5f, 2.5f})}};
    run.result.facts["invalid_pixels"] = 12;
    run.result.facts["frame_time"] = 0.5;
    run.result.facts["two_time_bin"] = 2;
    run.result.warnings = {"1 of 3 bins is empty: 2"};
    run.timings = {{"gram", StageKind::kernel, 1000, 2000, 3000, 4}};
    run.builds = {{"gpu/xpcs/a.cl", "-DTILE=32", "ok", true, "built"}};
    run.verdict.state = Verdict::State::sampled;
    run.verdict.samples = 99;
    run.verdict.worst_error = 1e-13;
    run.verdict.where = "g2, bin 4";
    run.wall_nanoseconds = 5'000'000'000;
    run.device_bytes_peak = 1 << 20;
    run.started = "2025-01-02T03:04:05Z";
    run.version = "0.1.0";
    return run;
}

bool same_bytes(const Array& a, const Array& b) {
    return a.type() == b.type() && a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
}

class NxXpcs : public IoTest {
  protected:
    std::string text(const std::string& path) {
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const std::size_t at_sign = path.find('@');
        const std::string object = path.substr(0, at_sign);
        hid_t type = -1;
        std::string value;
        if (at_sign == std::string::npos) {
            const hid_t dataset = H5Dopen2(file, object.c_str(), H5P_DEFAULT);
            type = H5Dget_type(dataset);
            value.resize(H5Tget_size(type));
            H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data());
            H5Dclose(dataset);
        } else {
            const hid_t attribute =
                H5Aopen_by_name(file, object.c_str(), path.c_str() + at_sign + 1, H5P_DEFAULT, H5P_DEFAULT);
            type = H5Aget_type(attribute);
            value.resize(H5Tget_size(type) *
                         static_cast<std::size_t>(H5Sget_simple_extent_npoints(H5Aget_space(attribute))));
            H5Aread(attribute, type, value.data());
            H5Aclose(attribute);
        }
        H5Tclose(type);
        H5Fclose(file);
        return value;
    }
};

TEST_F(NxXpcs, ViewersOfNxDataFindAxesAndErrorsOfTheSignal) {
    const ks::Run run = sample_run();
    xpcs::write_nxxpcs(run, at("run.h5"), false, quiet);
    const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Gopen2(file, "/entry/data", H5P_DEFAULT);
    const auto shape = [data](const std::string& name) {
        const hid_t dataset = H5Dopen2(data, name.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
        std::vector<hsize_t> sizes(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
        H5Sclose(space);
        H5Dclose(dataset);
        return sizes;
    };
    const std::vector<hsize_t> signal = shape("g2");
    ASSERT_EQ(signal.size(), 2U);
    EXPECT_EQ(shape(run.result.find("delay_time") ? "delay_time" : "delay_difference"),
              (std::vector<hsize_t>{signal[0]}));
    EXPECT_EQ(shape("label"), (std::vector<hsize_t>{signal[1]}));
    // Errors of a signal are the dataset SIGNAL_errors; @uncertainties would name one for each of its axes.
    EXPECT_EQ(shape("g2_errors"), signal);
    EXPECT_EQ(H5Aexists_by_name(data, "g2", "uncertainties", H5P_DEFAULT), 0);
    H5Gclose(data);
    H5Fclose(file);
    EXPECT_TRUE(same_bytes(io::read_array(at("run.h5") + "::/entry/data/g2_errors", 2),
                           io::read_array(at("run.h5") + "::/entry/data/g2_derr", 2)));
    const ks::Run back = xpcs::read_nxxpcs(at("run.h5"));
    EXPECT_TRUE(same_bytes(back.result.at("g2_err").values, run.result.at("g2_err").values));
}

TEST_F(NxXpcs, FollowsTheLayout) {
    const ks::Run run = sample_run();
    xpcs::write_nxxpcs(run, at("run.h5"), false, quiet);
    const Array g2 = io::read_array(at("run.h5") + "::/entry/data/g2", 2);
    EXPECT_EQ(g2.shape(), (std::vector<std::size_t>{4, 3}));
    for (std::size_t delay = 0; delay < 4; ++delay)
        for (std::size_t bin = 0; bin < 3; ++bin) {
            const double stored = g2.as<double>()[delay * 3 + bin];
            const double expected = 10.0 * static_cast<double>(bin) + static_cast<double>(delay) + 1.0 / 3;
            EXPECT_TRUE(bin == 1 && delay == 1 ? std::isnan(stored) : stored == expected)
                << bin << " " << delay;
        }
    EXPECT_EQ(io::read_array(at("run.h5") + "::/entry/data/g2_derr", 2).as<double>()[3 * 3 + 1], 0.001 * 13);
    EXPECT_EQ(io::read_array(at("run.h5") + "::/entry/data/delay_difference", 1).to_doubles(),
              (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(io::read_array(at("run.h5") + "::/entry/instrument/masks/dynamic_roi_map", 2).to_doubles(),
              (std::vector<double>{0, 1, 2, 3, 3, 0}));
    EXPECT_EQ(io::read_array(at("run.h5") + "::/entry/instrument/masks/dynamic_q_list", 1).as<double>()[2],
              0.03);
    EXPECT_EQ(io::read_array(at("run.h5") + "::/entry/twotime/two_time_corr_func", 2).as<double>()[4], 4);
    EXPECT_EQ(text("/@default"), "entry");
    EXPECT_EQ(text("/entry@default"), "curves");
    EXPECT_EQ(text("/entry/data@NX_class"), "NXdata");
    EXPECT_EQ(text("/entry/data@signal"), "g2");
    EXPECT_TRUE(contains(text("/entry/data@axes"), {"delay_time", "label"}));
    EXPECT_EQ(text("/entry/data/g2@storage_mode"), "one_array");
    EXPECT_EQ(text("/entry/definition"), "NXxpcs");
    EXPECT_EQ(text("/entry/kernelscope/driver"), "580.95");
    const auto request = nlohmann::json::parse(text("/entry/kernelscope/request"));
    EXPECT_EQ(request.at("inputs").at("frames").at("name"), "stack.h5::/entry/data/data");
    EXPECT_EQ(nlohmann::json::parse(text("/entry/kernelscope/verdict")).at("samples"), 99);
    EXPECT_EQ(nlohmann::json::parse(text("/entry/kernelscope/timings")).at(0).at("nanoseconds"), 1000);
    EXPECT_EQ(nlohmann::json::parse(text("/entry/kernelscope/device")).at("name"), "A device");
}

TEST_F(NxXpcs, ReadsBackWhatWasWritten) {
    const ks::Run run = sample_run();
    xpcs::write_nxxpcs(run, at("run.h5"), false, quiet);
    const ks::Run read = xpcs::read_nxxpcs(at("run.h5"));
    EXPECT_EQ(read.request.inputs, run.request.inputs);
    EXPECT_EQ(read.request.parameters, run.request.parameters);
    EXPECT_EQ(read.request.defines, run.request.defines);
    EXPECT_EQ(read.request.kernel_source, run.request.kernel_source);
    EXPECT_EQ(read.request.memory_limit, run.request.memory_limit);
    EXPECT_EQ(read.variant.title, "Gram");
    EXPECT_EQ(read.device.driver, "580.95");
    ASSERT_EQ(read.result.datasets.size(), run.result.datasets.size());
    for (std::size_t i = 0; i < run.result.datasets.size(); ++i) {
        const Dataset &ours = run.result.datasets[i], &theirs = read.result.datasets[i];
        EXPECT_EQ(theirs.name, ours.name);
        EXPECT_EQ(theirs.title, ours.title);
        EXPECT_EQ(theirs.unit, ours.unit);
        EXPECT_EQ(theirs.kind, ours.kind);
        EXPECT_EQ(theirs.axes, ours.axes);
        EXPECT_EQ(theirs.errors, ours.errors);
        EXPECT_TRUE(same_bytes(theirs.values, ours.values)) << ours.name;
    }
    EXPECT_EQ(read.result.facts, run.result.facts);
    EXPECT_EQ(read.result.warnings, run.result.warnings);
    ASSERT_EQ(read.timings.size(), 1u);
    EXPECT_EQ(read.timings[0].operations, 3000u);
    ASSERT_EQ(read.builds.size(), 1u);
    EXPECT_EQ(read.builds[0].options, "-DTILE=32");
    EXPECT_EQ(read.verdict.state, Verdict::State::sampled);
    EXPECT_EQ(read.verdict.worst_error, 1e-13);
    EXPECT_EQ(read.wall_nanoseconds, 5'000'000'000u);
    EXPECT_EQ(read.started, run.started);
}

TEST_F(NxXpcs, WorksWithoutTheOptionalDatasets) {
    ks::Run run = sample_run();
    run.result.datasets.resize(2);
    run.result.facts = nlohmann::json::object();
    xpcs::write_nxxpcs(run, at("run.h5"), false, quiet);
    EXPECT_TRUE(
        same_bytes(xpcs::read_nxxpcs(at("run.h5")).result.at("g2").values, run.result.at("g2").values));
}

TEST_F(NxXpcs, ExistingFilesAndForeignFiles) {
    const ks::Run run = sample_run();
    write_bytes(at("run.h5"), "mine");
    EXPECT_TRUE(contains(input_error([&] { xpcs::write_nxxpcs(run, at("run.h5"), false, quiet); }),
                         {"already exists"}));
    EXPECT_EQ(read_bytes(at("run.h5")), "mine");
    EXPECT_TRUE(contains(input_error([&] { xpcs::read_nxxpcs(at("run.h5")); }), {"not an HDF5 file"}));
    { TestFile(at("other.h5")).ramp("/entry/data/data", {2, 3, 4}); }
    EXPECT_TRUE(contains(input_error([&] { xpcs::read_nxxpcs(at("other.h5")); }), {"expected a saved run"}));
    xpcs::write_nxxpcs(run, at("run.h5"), true, quiet);
    {
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        H5Ldelete(file, "/entry/kernelscope/verdict", H5P_DEFAULT);
        H5Fclose(file);
    }
    EXPECT_TRUE(
        contains(input_error([&] { xpcs::read_nxxpcs(at("run.h5")); }), {"/entry/kernelscope/verdict"}));
}

TEST_F(NxXpcs, what_is_stopped_leaves_no_file) {
    Progress stopped;
    stopped.cancel();
    EXPECT_THROW(xpcs::write_nxxpcs(sample_run(), at("run.h5"), false, stopped), Error);
    EXPECT_THROW(xpcs::write_csv(sample_run(), at("run.csv"), false, stopped), Error);
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(NxXpcs, CsvHasNoRowsOfABinThatIsOff) {
    ks::Run run = sample_run();
    std::vector<double> g2 = run.result.at("g2").values.to_doubles();
    std::fill(g2.begin() + 4, g2.begin() + 8, nan_value);
    run.result.datasets.front().values = Array::of<double>({3, 4}, g2);
    xpcs::write_csv(run, at("g2.csv"), false, quiet);
    std::istringstream in(read_bytes(at("g2.csv")));
    std::string line, bins;
    std::getline(in, line);
    while (std::getline(in, line)) bins += line.front();
    EXPECT_EQ(bins, "11113333");
}

TEST_F(NxXpcs, CsvHoldsEveryDigit) {
    const ks::Run run = sample_run();
    xpcs::write_csv(run, at("g2.csv"), false, quiet);
    std::istringstream in(read_bytes(at("g2.csv")));
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "bin,delay,g2,g2_err,q");
    const auto g2 = run.result.at("g2").values.as<double>(),
               error = run.result.at("g2_err").values.as<double>();
    std::size_t row = 0;
    for (; std::getline(in, line); ++row) {
        unsigned bin = 0, delay = 0;
        double value = 0, deviation = 0, q = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%u,%u,%lf,%lf,%lf", &bin, &delay, &value, &deviation, &q), 5)
            << line;
        EXPECT_TRUE(bin == 2 ? std::isnan(q) : q == (bin == 1 ? 0.01 : 0.03)) << line;
        EXPECT_EQ(bin, row / 4 + 1);
        EXPECT_EQ(delay, row % 4);
        EXPECT_TRUE(value == g2[row] || (std::isnan(value) && std::isnan(g2[row]))) << line;
        EXPECT_TRUE(deviation == error[row] || (std::isnan(deviation) && std::isnan(error[row]))) << line;
        if (row == 5) {
            EXPECT_TRUE(contains(line, {"2,1,nan,"}));
        }
    }
    EXPECT_EQ(row, 12u);
}

}  // namespace
}  // namespace ks::tests
