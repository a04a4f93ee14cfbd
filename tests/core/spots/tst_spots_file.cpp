#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/io/open_frames.h"
#include "core/spots/analysis.h"
#include "core/spots/results/spot_columns.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::spots;

namespace ks::tests {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// Spot number i of the sample: numbers that tell where they are from.
Spot sample_spot(std::uint32_t i, Dropped why) {
    Spot spot;
    spot.n_signal = 100 + i;
    spot.x0 = 10 * i;
    spot.x1 = 10 * i + 3;
    spot.y0 = 20 * i;
    spot.y1 = 20 * i + 4;
    spot.z0 = 0;
    spot.z1 = 2;
    spot.x = 10 * i + 1.0 / 3;
    spot.y = 20 * i + 1.5;
    spot.z = 0.75;
    spot.sum = 1000.25 + i;
    spot.peak = 77;
    spot.peak_x = 10 * i + 1;
    spot.d = i == 0 ? nan_value : 2.5;
    spot.dropped = why;
    return spot;
}

template <class T>
Dataset frame_column(const char* name, const std::vector<T>& values) {
    return {name,
            std::string("title of ") + name,
            "",
            DataKind::curves,
            Array::of<T>({values.size()}, values),
            {"frame"}};
}

/// Three frames of 4 x 6, the second one missing, three spots of which the second was dropped.
Run sample_run(bool all_spots, bool save_signal) {
    ks::Run run;
    run.request.analysis = "spots";
    run.request.variant = "host.reference";
    run.request.inputs["frames"] = {"scan.h5", {}};
    run.request.inputs["mask"] = {"", Array::of<std::uint32_t>({1, 2}, {3, 4})};
    run.request.parameters["sigma_b"] = 5.5;
    run.variant.analysis = "spots";
    run.variant.id = "host.reference";
    run.device.name = "A device";
    run.result.datasets = table_datasets(
        {sample_spot(0, Dropped::kept), sample_spot(1, Dropped::too_small), sample_spot(2, Dropped::kept)});
    for (Dataset& dataset :
         std::vector<Dataset>{frame_column<std::uint32_t>("frame", {7, 8, 9}),
                              frame_column<std::uint8_t>("frame_missing", {0, 1, 0}),
                              frame_column<std::uint32_t>("frame_signal", {3, 0, 1}),
                              frame_column<std::uint32_t>("frame_spots", {2, 0, 0}),
                              frame_column<double>("frame_sum", {2002.5, 0, 0}),
                              frame_column<double>("frame_d", {1.75, nan_value, nan_value})})
        run.result.datasets.push_back(dataset);
    for (Dataset& dataset : signal_datasets({{0, 7, 23}, {}, {5}})) run.result.datasets.push_back(dataset);
    run.result.facts = {{"frames", 3},
                        {"missing_frames", 1},
                        {"height", 4},
                        {"width", 6},
                        {"first_frame", 7},
                        {"masked_pixels", 4},
                        {"signal_pixels", 4},
                        {"spots", 3},
                        {"kept", 2},
                        {"all_spots", all_spots},
                        {"save_signal", save_signal},
                        {"frames_per_second", 12.5}};
    run.result.warnings = {"1 of 3 frames is missing"};
    run.timings = {{"find signal", StageKind::host, 1000, 2000, 0, 2}};
    run.verdict.state = Verdict::State::pass;
    run.started = "2025-01-02T03:04:05Z";
    run.version = "0.1.0";
    return run;
}

class SpotRun : public IoTest {
  protected:
    std::vector<double> numbers(const std::string& path) {
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, path.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
        std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
        EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << path;
        H5Sclose(space);
        H5Dclose(set);
        H5Fclose(file);
        return values;
    }
    std::string attribute(const std::string& object, const std::string& name) {
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t found = H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        const hid_t type = H5Aget_type(found);
        std::string text(H5Tget_size(type), '\0');
        H5Aread(found, type, text.data());
        H5Tclose(type);
        H5Aclose(found);
        H5Fclose(file);
        return text;
    }
    bool has(const std::string& path) {
        const hid_t file = H5Fopen(at("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const bool there = H5Lexists(file, path.substr(0, path.rfind('/')).c_str(), H5P_DEFAULT) > 0 &&
                           H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0;
        H5Fclose(file);
        return there;
    }
    using Numbers = std::vector<double>;
};

TEST_F(SpotRun, holds_the_kept_spots_as_columns) {
    write_spots(sample_run(false, false), at("run.h5"), false, quiet);
    EXPECT_EQ(numbers("/entry/spots/n_signal"), (Numbers{100, 102}));
    EXPECT_EQ(numbers("/entry/spots/x0"), (Numbers{0, 20}));
    EXPECT_EQ(numbers("/entry/spots/y1"), (Numbers{4, 44}));
    EXPECT_EQ(numbers("/entry/spots/x"), (Numbers{1.0 / 3, 20 + 1.0 / 3}));
    EXPECT_EQ(numbers("/entry/spots/sum"), (Numbers{1000.25, 1002.25}));
    EXPECT_TRUE(std::isnan(numbers("/entry/spots/d")[0]));
    for (const char* name : {"z", "z0", "z1", "x1", "y0", "var_x", "var_y", "var_z", "peak", "background",
                             "q", "peak_x", "peak_y", "peak_z"})
        EXPECT_EQ(numbers(std::string("/entry/spots/") + name).size(), 2u) << name;
    EXPECT_FALSE(has("/entry/spots/keep"));
    EXPECT_FALSE(has("/entry/data/signal"));
    EXPECT_EQ(attribute("/entry/spots", "NX_class"), "NXdata");
    EXPECT_EQ(attribute("/entry/spots/x", "units"), "px");
    EXPECT_EQ(numbers("/entry/frames/frame"), (Numbers{7, 8, 9}));
    EXPECT_EQ(numbers("/entry/frames/frame_missing"), (Numbers{0, 1, 0}));
    EXPECT_EQ(attribute("/entry/frames", "signal"), "frame_spots");
}

TEST_F(SpotRun, holds_all_spots_with_what_became_of_them_where_that_is_wanted) {
    write_spots(sample_run(true, false), at("run.h5"), false, quiet);
    EXPECT_EQ(numbers("/entry/spots/n_signal"), (Numbers{100, 101, 102}));
    EXPECT_EQ(numbers("/entry/spots/keep"), (Numbers{1, 0, 1}));
    EXPECT_EQ(numbers("/entry/spots/dropped"), (Numbers{0, 1, 0}));
}

TEST_F(SpotRun, that_is_kept_for_the_next_start_has_all_spots_and_is_saved_as_was_asked) {
    ks::Run run = sample_run(false, false);
    run.request.parameters["all_spots"] = false;
    keep_spots(run, at("kept.h5"), quiet);
    const ks::Run back = read_spots(at("kept.h5"));
    EXPECT_EQ(back.result.at("dropped").values, run.result.at("dropped").values);
    EXPECT_EQ(back.result.facts, run.result.facts);
    write_spots(back, at("run.h5"), false, quiet);
    EXPECT_EQ(numbers("/entry/spots/n_signal"), (Numbers{100, 102}));
}

TEST_F(SpotRun, holds_the_signal_as_images_and_leaves_missing_frames_out) {
    write_spots(sample_run(false, true), at("run.h5"), false, quiet);
    const Numbers signal = numbers("/entry/data/signal");
    ASSERT_EQ(signal.size(), 3u * 24);
    for (std::size_t i = 0; i < signal.size(); ++i) {
        const bool lit = i == 0 || i == 7 || i == 23 || i == 2 * 24 + 5;
        EXPECT_EQ(signal[i], lit ? 1 : 0) << i;
    }
    EXPECT_EQ(numbers("/entry/data/frame"), (Numbers{7, 8, 9}));
    EXPECT_EQ(attribute("/entry/data", "signal"), "signal");
    EXPECT_EQ(attribute("/entry", "default"), "data");
    const std::string signal_of_run = at("run.h5") + "::/entry/data/signal";
    EXPECT_THROW(io::open_frames(at("run.h5")), ks::Error);  // a result is no frame unless it is named
    const auto frames = io::open_frames(signal_of_run);
    EXPECT_EQ(frames->name(), signal_of_run);
    EXPECT_TRUE(frames->written(0));
    EXPECT_FALSE(frames->written(1));
}

TEST_F(SpotRun, is_read_back_as_it_was_saved) {
    const ks::Run run = sample_run(true, true);
    write_spots(run, at("run.h5"), false, quiet);
    const ks::Run back = read_spots(at("run.h5"));
    EXPECT_EQ(back.request.inputs, run.request.inputs);
    EXPECT_EQ(back.request.parameters, run.request.parameters);
    EXPECT_EQ(back.result.facts, run.result.facts);
    EXPECT_EQ(back.result.warnings, run.result.warnings);
    ASSERT_EQ(back.result.datasets.size(), run.result.datasets.size());
    for (const Dataset& dataset : run.result.datasets) {
        const Array& found = back.result.at(dataset.name).values;
        EXPECT_EQ(found.type(), dataset.values.type()) << dataset.name;
        EXPECT_TRUE(std::ranges::equal(found.bytes(), dataset.values.bytes())) << dataset.name;
    }
    EXPECT_EQ(spots_of(back.result)[1].dropped, Dropped::too_small);
    EXPECT_EQ(back.verdict.state, Verdict::State::pass);

    write_spots(sample_run(false, false), at("run.h5"), true, quiet);
    const ks::Run kept = read_spots(at("run.h5"));
    const std::vector<Spot> spots = spots_of(kept.result);
    ASSERT_EQ(spots.size(), 2u);
    EXPECT_EQ(spots[1].n_signal, 102u);
    EXPECT_EQ(signal_of(kept.result, 0).size(), 3u) << "the signal is in the record in any case";
}

TEST_F(SpotRun, replaces_a_file_only_when_asked_and_no_other_kind_is_read) {
    write_bytes(at("run.h5"), "precious");
    EXPECT_TRUE(contains(
        input_error([&] { write_spots(sample_run(false, false), at("run.h5"), false, quiet); }), {"run.h5"}));
    EXPECT_EQ(read_bytes(at("run.h5")), "precious");
    ks::Run other = sample_run(false, false);
    other.request.analysis = "xpcs";
    write_spots(other, at("run.h5"), true, quiet);
    EXPECT_TRUE(contains(input_error([&] { read_spots(at("run.h5")); }), {"run.h5", "xpcs"}));
    EXPECT_THROW(write_csv(sample_run(false, false), at("run.h5"), false, quiet), Error);
}

TEST_F(SpotRun, what_is_stopped_leaves_no_file) {
    Progress stopped;
    stopped.cancel();
    EXPECT_THROW(write_spots(sample_run(false, false), at("run.h5"), false, stopped), Error);
    EXPECT_THROW(write_csv(sample_run(false, false), at("run.csv"), false, stopped), Error);
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(SpotRun, becomes_a_table_of_text_with_a_header) {
    write_csv(sample_run(false, false), at("spots.csv"), false, quiet);
    std::istringstream csv(read_bytes(at("spots.csv")));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(
        line,
        "n_signal,x0,x1,y0,y1,z0,z1,x,y,z,var_x,var_y,var_z,sum,peak,background,q,d,peak_x,peak_y,peak_z,"
        "saturated");
    std::getline(csv, line);
    EXPECT_EQ(line, "100,0,3,0,4,0,2,0.33333333333333331,1.5,0.75,0,0,0,1000.25,77,nan,nan,nan,1,0,0,0");
    std::getline(csv, line);
    EXPECT_TRUE(line.starts_with("102,20,23,40,44,")) << line;
    EXPECT_FALSE(std::getline(csv, line)) << line;
    write_csv(sample_run(true, false), at("spots.csv"), true, quiet);
    std::istringstream all(read_bytes(at("spots.csv")));
    std::getline(all, line);
    EXPECT_TRUE(line.ends_with(",peak_z,saturated,dropped,keep")) << line;
    std::getline(all, line);
    EXPECT_TRUE(line.ends_with(",0,0,0,0,1")) << line;
    std::getline(all, line);
    EXPECT_TRUE(line.ends_with(",0,0,0,1,0")) << line;
}

TEST_F(SpotRun, without_any_spot_is_saved_and_read_too) {
    ks::Run run = sample_run(false, true);
    for (Dataset& empty : table_datasets({}))
        for (Dataset& dataset : run.result.datasets)
            if (dataset.name == empty.name) dataset.values = empty.values;
    write_spots(run, at("run.h5"), false, quiet);
    EXPECT_TRUE(spots_of(read_spots(at("run.h5")).result).empty());
    write_csv(run, at("spots.csv"), false, quiet);
    EXPECT_EQ(std::ranges::count(read_bytes(at("spots.csv")), '\n'), 1);
}

TEST(SpotSummary, tells_frames_signal_spots_and_reasons) {
    const std::string text = summary_of(sample_run(false, false));
    EXPECT_TRUE(contains(text, {"3 frames of 4 x 6, 1 missing, 4 masked pixels, 12.5 frames/s",
                                "4 signal pixels, 3 spots, 2 kept (dropped: 1 too small)", "      8 missing",
                                "1.75", "resolution 1.75 angstrom"}))
        << text;
}

}  // namespace
}  // namespace ks::tests
