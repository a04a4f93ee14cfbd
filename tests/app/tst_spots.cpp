// Spot finding as a user calls it: from a file to a table, and what is refused.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/beamline_files.h"

namespace spots_test {

namespace {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
using Row = std::map<std::string, double>;

constexpr hsize_t height = 40, width = 50;

/// Frames of ones (or less), with a spot of 3 x 3 pixels of `peak` at (20, 10) of each.
template <class T>
std::vector<T> frames_with_a_spot(std::size_t frames, T peak) {
    std::vector<T> values(frames * height * width);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t x = i % width, y = i / width % height;
        const bool lit = x >= 19 && x <= 21 && y >= 9 && y <= 11;
        values[i] = lit ? peak : static_cast<T>(i * 7 % 3);
    }
    return values;
}

/// A file made with HDF5 alone. `skip` frames are never written.
class Scan {
  public:
    explicit Scan(const std::string& path)
        : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~Scan() { H5Fclose(file_); }
    Scan(const Scan&) = delete;
    Scan& operator=(const Scan&) = delete;

    template <class T>
    void frames(const std::string& name, const std::vector<T>& values,
                const std::vector<std::size_t>& skip = {}) {
        const hsize_t count = values.size() / (height * width), shape[3] = {count, height, width};
        const hsize_t chunk[3] = {1, height, width};
        const hid_t space = H5Screate_simple(3, shape, nullptr), memory = H5Screate_simple(3, chunk, nullptr);
        const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(properties, 3, chunk);
        const hid_t set =
            H5Dcreate2(file_, name.c_str(), type<T>(), space, H5P_DEFAULT, properties, H5P_DEFAULT);
        for (hsize_t k = 0; k < count; ++k) {
            if (std::ranges::count(skip, k) > 0) continue;
            const hsize_t start[3] = {k, 0, 0};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, chunk, nullptr);
            H5Dwrite(set, type<T>(), memory, space, H5P_DEFAULT, values.data() + k * height * width);
        }
        H5Dclose(set);
        H5Pclose(properties);
        H5Sclose(memory);
        H5Sclose(space);
    }
    void mask(const std::string& name, hsize_t h, hsize_t w, std::uint8_t value) {
        const hsize_t shape[2] = {h, w};
        const hid_t space = H5Screate_simple(2, shape, nullptr);
        const hid_t set =
            H5Dcreate2(file_, name.c_str(), H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const std::vector<std::uint8_t> values(h * w, value);
        H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(set);
        H5Sclose(space);
    }

  private:
    template <class T>
    static hid_t type() {
        if constexpr (std::is_same_v<T, std::uint16_t>)
            return H5T_NATIVE_UINT16;
        else if constexpr (std::is_same_v<T, std::uint32_t>)
            return H5T_NATIVE_UINT32;
        else if constexpr (std::is_same_v<T, std::int32_t>)
            return H5T_NATIVE_INT32;
        else
            return H5T_NATIVE_FLOAT;
    }
    hid_t file_;
};

std::vector<Row> read_table(const std::string& path) {
    std::istringstream csv(ks::tests::read_file(path));
    std::string line, word;
    std::getline(csv, line);
    std::vector<std::string> names;
    for (std::istringstream header(line); std::getline(header, word, ',');) names.push_back(word);
    std::vector<Row> rows;
    while (std::getline(csv, line)) {
        Row row;
        std::size_t column = 0;
        for (std::istringstream fields(line); std::getline(fields, word, ',');)
            row[names.at(column++)] = std::stod(word);
        EXPECT_EQ(column, names.size()) << line;
        rows.push_back(row);
    }
    return rows;
}

std::vector<double> read_numbers(const std::string& file, const std::string& path) {
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(opened, path.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << path;
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(opened);
    return values;
}

class Spots : public testing::Test {
  protected:
    Spots() { file = folder / "scan.h5"; }

    static Outcome succeed(const Arguments& arguments) {
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    }
    nlohmann::json record(Arguments arguments) {
        arguments.insert(arguments.end(), {"--json", "--device", "host"});
        return nlohmann::json::parse(succeed(arguments).out);
    }
    /// Exit code 2, one sentence that holds `words`, nothing written.
    void refuse(Arguments arguments, const Arguments& words) {
        arguments.insert(arguments.end(), {"--device", "host", "--out", folder / "refused.h5"});
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(outcome.err.starts_with("kernelscope-cli: ")) << outcome.err;
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << "no '" << word << "' in " << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(folder / "refused.h5"));
    }
    void make_scan() {
        Scan scan(file);
        scan.frames("data", frames_with_a_spot<std::uint16_t>(3, 200));
        scan.mask("wide", height, width + 1, 0);
        scan.mask("all", height, width, 1);
        scan.mask("none", height, width, 0);
    }

    TemporaryFolder folder;
    std::string file;
};

TEST_F(Spots, a_generated_series_goes_from_file_to_table) {
    succeed({"generate", "spots", "--out", file, "--frames", "4", "--height", "150", "--width", "160",
             "--spots", "40", "--layout", "grid", "--counts-min", "2000", "--hot-pixels", "0"});
    const Outcome outcome = succeed({"spots", file, "--device", "host", "--check", "full", "--out",
                                     folder / "run.h5", "--csv", folder / "spots.csv", "--save-signal"});
    for (const char* part : {"frames/s", "signal pixels", "kept", "check: pass", "group", "read"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is not in " << outcome.out;
    const std::vector<Row> rows = read_table(folder / "spots.csv");
    EXPECT_NEAR(static_cast<double>(rows.size()), 40, 4) << "some lie in the gap";
    EXPECT_EQ(read_numbers(folder / "run.h5", "/entry/spots/sum").size(), rows.size());
    double lit = 0;
    for (const double value : read_numbers(folder / "run.h5", "/entry/data/signal")) lit += value;
    double signal = 0;
    for (const double value : read_numbers(folder / "run.h5", "/entry/frames/frame_signal")) signal += value;
    EXPECT_EQ(lit, signal);
    for (const Row& row : rows) EXPECT_GT(row.at("d"), 0) << "the geometry is in the file";
    EXPECT_EQ(folder.names().size(), 3u);
}

TEST_F(Spots, frames_that_are_read_side_by_side_give_the_same_spots) {
    for (const char* codec : {"gzip", "bslz4", "zstd", "none"}) {
        succeed({"generate", "spots", "--out", file, "--overwrite", "--frames", "24", "--height", "150",
                 "--width", "160", "--spots", "60", "--codec", codec});
        const auto table = [&](const std::vector<std::string>& how) {
            std::vector<std::string> all{"spots",       file,    "--all-spots",
                                         "--overwrite", "--csv", folder / "spots.csv"};
            all.insert(all.end(), how.begin(), how.end());
            succeed(all);
            std::stringstream text;
            text << std::ifstream(folder / "spots.csv").rdbuf();
            return text.str();
        };
        const std::string host = table({"--variant", "host.sliding"});
        EXPECT_GT(host.size(), 3000U);
        EXPECT_EQ(table({}), host) << codec;
        EXPECT_EQ(table({"--threads", "8"}), host) << codec;
        // One batch at a time, so that memory is taken again.
        EXPECT_EQ(table({"--memory-limit", "2MiB"}), host) << codec;
    }
}

TEST_F(Spots, flags_are_set_and_taken_back) {
    make_scan();
    const auto parameters = [&](const Arguments& more) {
        Arguments all{"spots", file + "::/data"};
        all.insert(all.end(), more.begin(), more.end());
        return record(all).at("parameters");
    };
    const auto plain = parameters({});
    for (const char* id : {"stills", "save_signal", "all_spots"}) EXPECT_EQ(plain.at(id), false) << id;
    EXPECT_EQ(plain.at("file_mask"), true);
    const auto set = parameters({"--stills", "--save-signal", "--all-spots", "--no-file-mask"});
    for (const char* id : {"stills", "save_signal", "all_spots"}) EXPECT_EQ(set.at(id), true) << id;
    EXPECT_EQ(set.at("file_mask"), false);
    EXPECT_EQ(parameters({"--file-mask=false"}).at("file_mask"), false);
    EXPECT_EQ(parameters({"--stills=true"}).at("stills"), true);
}

TEST_F(Spots, stills_end_spots_at_each_frame) {
    make_scan();
    const auto spots = [&](const Arguments& more) {
        Arguments all{"spots",       file + "::/data", "--device",          "host",
                      "--overwrite", "--csv",          folder / "spots.csv"};
        all.insert(all.end(), more.begin(), more.end());
        succeed(all);
        return read_table(folder / "spots.csv");
    };
    const std::vector<Row> through = spots({});
    ASSERT_EQ(through.size(), 1u);
    EXPECT_EQ(through[0].at("n_signal"), 27);
    EXPECT_EQ(through[0].at("x0"), 19);
    EXPECT_EQ(through[0].at("y1"), 12);
    EXPECT_EQ(through[0].at("z1"), 3);
    EXPECT_EQ(through[0].at("x"), 20.5);
    EXPECT_EQ(through[0].at("sum"), 27 * 200);
    EXPECT_EQ(spots({"--stills"}).size(), 3u);
    EXPECT_TRUE(spots({"--stills", "--min-size", "10"}).empty());
    const std::vector<Row> all = spots({"--stills", "--min-size", "10", "--all-spots"});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].at("keep"), 0);
    EXPECT_EQ(spots({"--mask", file + "::/none"}).size(), 1u);
    EXPECT_TRUE(spots({"--saturation", "200"}).empty()) << "the spot is saturated";
}

TEST_F(Spots, the_rotation_series_has_the_spots_of_dials) {
    const std::string data = ks::tests::reference_data("spots_rotation.h5");
    const std::vector<double> reference = read_numbers(data, "/reference/spots3d_dispersion");
    std::vector<std::vector<double>> expected, found;
    for (std::size_t row = 0; row + 16 <= reference.size(); row += 16)
        if (reference[row + 15] != 0)
            expected.emplace_back(reference.begin() + static_cast<std::ptrdiff_t>(row),
                                  reference.begin() + static_cast<std::ptrdiff_t>(row + 7));
    const auto run = record({"spots", data + "::/entry/data/data", "--csv", folder / "spots.csv"});
    EXPECT_GT(run.at("facts").at("masked_pixels"), 0) << "the mask is in the file";
    for (const Row& row : read_table(folder / "spots.csv"))
        found.push_back({row.at("n_signal"), row.at("x0"), row.at("x1"), row.at("y0"), row.at("y1"),
                         row.at("z0"), row.at("z1")});
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(found, expected);
}

TEST_F(Spots, one_frame_is_no_plural) {
    succeed({"generate", "spots", "--out", file, "--frames", "1", "--height", "150", "--width", "160",
             "--hot-pixels", "0"});
    const std::string told = succeed({"spots", file, "--device", "host"}).out;
    EXPECT_NE(told.find("\n1 frame of 150 x 160, 0 missing"), std::string::npos) << told;
}

TEST_F(Spots, frames_that_are_missing_are_counted_and_skipped) {
    {
        Scan scan(file);
        scan.frames("data", frames_with_a_spot<std::uint16_t>(5, 200), {1, 3});
    }
    const Outcome outcome =
        succeed({"spots", file, "--device", "host", "--csv", folder / "spots.csv", "--check", "full"});
    EXPECT_NE(outcome.err.find("warning: 2 of 5 frames"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("2 missing"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
    EXPECT_EQ(read_table(folder / "spots.csv").size(), 3u) << "spots end at a missing frame";
    refuse({"spots", file, "--first-frame", "3", "--last-frame", "3"}, {"scan.h5", "missing"});
}

TEST_F(Spots, counts_to_the_largest_that_sums_take_are_right) {
    {
        Scan scan(file);
        scan.frames("unsigned", frames_with_a_spot<std::uint32_t>(2, 16777215U));
        scan.frames("signed", frames_with_a_spot<std::int32_t>(2, 16777215));
        // no sum takes them, so that nothing around is dispersed
        scan.frames("beyond", frames_with_a_spot<std::uint32_t>(2, 2147483647U));
    }
    const auto rows_of = [&](const char* name) {
        const Outcome outcome = succeed({"spots", file + name, "--device", "host", "--check", "full", "--csv",
                                         folder / "spots.csv", "--overwrite"});
        EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
        return read_table(folder / "spots.csv");
    };
    for (const char* name : {"::/unsigned", "::/signed"}) {
        const std::vector<Row> rows = rows_of(name);
        ASSERT_EQ(rows.size(), 1u) << name;
        EXPECT_EQ(rows[0].at("sum"), 18 * 16777215.0);
        EXPECT_EQ(rows[0].at("y"), 10.5);
    }
    EXPECT_TRUE(rows_of("::/beyond").empty());
}

TEST_F(Spots, floats_with_values_that_are_none_are_right) {
    std::vector<float> values = frames_with_a_spot<float>(1, 200);
    values[10 * width + 20] = std::numeric_limits<float>::quiet_NaN();
    values[5] = std::numeric_limits<float>::infinity();
    {
        Scan scan(file);
        scan.frames("data", values);
    }
    const Outcome outcome =
        succeed({"spots", file, "--device", "host", "--check", "full", "--csv", folder / "spots.csv"});
    EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
    const std::vector<Row> rows = read_table(folder / "spots.csv");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("n_signal"), 8) << "the middle is no count";
    EXPECT_EQ(rows[0].at("sum"), 8 * 200);
}

TEST_F(Spots, files_of_other_experiments_run_through) {
    ks::tests::beamline::write_rings(folder / "rings.h5");
    ks::tests::beamline::write_series(folder / "series.h5");
    for (const char* data : {"rings.h5", "series.h5::/entry/data/frames"}) {
        for (const char* algorithm : {"dispersion", "dispersion_extended"}) {
            const Outcome outcome = succeed(
                {"spots", folder / data, "--device", "host", "--algorithm", algorithm, "--check", "full"});
            EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
        }
    }
}

TEST_F(Spots, what_cannot_be_is_refused_in_a_sentence) {
    make_scan();
    const std::string data = file + "::/data";
    refuse({"spots", data, "--mask", file + "::/wide"}, {"scan.h5::/wide", "40 x 50", "40 x 51"});
    refuse({"spots", data, "--mask", file + "::/all"}, {"scan.h5", "all 2000 pixels"});
    refuse({"spots", data, "--mask", file + "::/nowhere"}, {"scan.h5", "/nowhere"});
    refuse({"spots", data, "--mask", data}, {"scan.h5::/data", "a mask per frame"});
    refuse({"spots", data, "--kernel", "25,3"}, {"kernel", "25,3"});
    refuse({"spots", data, "--modules", "6,9,0,0", "--kernel", "3,3"}, {"kernel", "7 x 7", "6 x 9"});
    refuse({"spots", data, "--sigma-b", "-1"}, {"--sigma-b: ", "-1"});
    refuse({"spots", data, "--sigma-s=-0.5"}, {"--sigma-s: ", "-0.5"});
    refuse({"spots", data, "--gain", "0"}, {"gain", "0"});
    refuse({"spots", data, "--min-local", "1"}, {"--min-local: ", "1"});
    refuse({"spots", data, "--min-size", "5", "--max-size", "4"}, {"--min-size: ", "5", "4"});
    refuse({"spots", data, "--d-min", "2"}, {"scan.h5", "wavelength"});
    refuse({"spots", data, "--algorithm", "radial"}, {"algorithm", "radial"});
    refuse({"spots", data, "--modules", "41,1,0,0"}, {"modules", "41"});
    refuse({"spots", data, "--last-frame", "3"}, {"3"});
    refuse({"spots", data, "--stills=perhaps"}, {"perhaps"});
    refuse({"spots", folder / "absent.h5"}, {"absent.h5"});
}

TEST_F(Spots, files_for_dials_are_two_and_are_refused_before_the_run) {
    const std::string data = folder / "rotation.h5", prefix = folder / "strong";
    succeed({"generate", "spots", "--frames", "3", "--height", "200", "--width", "220", "--out", data});
    succeed({"spots", data, "--device", "host", "--dials", prefix});
    const auto list = nlohmann::json::parse(ks::tests::read_file(prefix + ".expt"));
    EXPECT_EQ(list.at("scan").at(0).at("image_range"), nlohmann::json::array({1, 3}));
    EXPECT_EQ(ks::tests::read_file(prefix + ".refl").substr(2, 27), "dials::af::reflection_table");
    refuse({"spots", data, "--dials", prefix}, {prefix + ".expt", "--overwrite"});
    succeed({"spots", data, "--device", "host", "--dials", prefix, "--overwrite"});
    make_scan();
    refuse({"spots", file + "::/data", "--dials", folder / "other"},
           {"--dials needs the wavelength", "--wavelength", "--stills"});
    EXPECT_FALSE(std::filesystem::exists(folder / "other.refl"));
}

TEST_F(Spots, a_master_file_whose_data_are_missing_is_refused) {
    const std::string master = folder / "master.nxs";
    ks::tests::beamline::write_master(master);
    for (const char* object : {"", "::/entry/data/data", "::/entry/data/data_000001"})
        refuse({"spots", master + object}, {"master.nxs"});
}

TEST_F(Spots, every_host_variant_is_timed_and_checked_by_bench) {
    succeed({"bench",    "spots",    "--device", "host",    "--repeat",
             "1",        "--warmup", "0",        "--check", "full",
             "--height", "120",      "--width",  "140",     "--spots",
             "20",       "--frames", "2",        "--json",  folder / "bench.json"});
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder / "bench.json"));
    std::size_t ran = 0;
    for (const auto& variant : report.at("variants"))
        if (!variant.contains("not_run")) ++ran;
    EXPECT_GE(ran, 1u);
}

}  // namespace

}  // namespace spots_test
