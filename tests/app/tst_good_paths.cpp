// The commands as a user calls them, on data whose answers the test works out by itself.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace good_paths_test {

namespace {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

constexpr std::size_t frames = 9, height = 12, width = 14;

std::uint16_t count_at(std::size_t i) {
    return static_cast<std::uint16_t>((i * i * 31 + i * 17 + 5) % 23);
}
std::uint16_t label_at(std::size_t pixel) {
    return static_cast<std::uint16_t>(pixel % 4);
}

struct CsvRow {
    std::size_t bin, delay;
    double g2, g2_err;
};

std::vector<CsvRow> read_csv(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "bin,delay,g2,g2_err,q");
    std::vector<CsvRow> rows;
    while (std::getline(file, line)) {
        CsvRow row{};
        char comma = 0;
        std::istringstream(line) >> row.bin >> comma >> row.delay >> comma >> row.g2 >> comma >> row.g2_err;
        rows.push_back(row);
    }
    return rows;
}

/// g2 and its error by their definitions, of the pixels with a label.
CsvRow expected(std::size_t label, std::size_t delay, const std::vector<std::size_t>& labels) {
    std::vector<std::size_t> pixels;
    for (std::size_t p = 0; p < labels.size(); ++p)
        if (labels[p] == label) pixels.push_back(p);
    const double n = static_cast<double>(pixels.size());
    const auto sum = [&](std::size_t t) {
        double s = 0;
        for (const std::size_t p : pixels) s += count_at(t * height * width + p);
        return s;
    };
    double g = 0, ss = 0;
    std::vector<double> c;
    for (std::size_t t = 0; t + delay < frames; ++t) {
        double product = 0;
        for (const std::size_t p : pixels)
            product +=
                double{1} * count_at(t * height * width + p) * count_at((t + delay) * height * width + p);
        g += product;
        ss += sum(t) * sum(t + delay) / n;
        c.push_back(n * product / (sum(t) * sum(t + delay)));
    }
    double mean = 0, variance = 0;
    for (const double value : c) mean += value / static_cast<double>(c.size());
    for (const double value : c) variance += (value - mean) * (value - mean) / static_cast<double>(c.size());
    return {label, delay, g / ss, std::sqrt(variance / static_cast<double>(c.size()))};
}

class GoodPaths : public testing::Test {
  protected:
    void SetUp() override {
        file_ = folder_ / "scan.h5";
        Hdf5Fixture file(file_);
        file.counts("data", {frames, height, width}, count_at);
        file.counts("qmask", {height, width}, label_at);
    }
    Outcome succeed(const Arguments& arguments) {
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    }
    void expect_curves(const std::string& csv, const std::vector<std::size_t>& labels, std::size_t bins) {
        const std::vector<CsvRow> rows = read_csv(csv);
        ASSERT_EQ(rows.size(), bins * frames);
        for (const CsvRow& row : rows) {
            const CsvRow right = expected(row.bin, row.delay, labels);
            EXPECT_NEAR(row.g2, right.g2, 1e-5 * right.g2) << "bin " << row.bin << " delay " << row.delay;
            EXPECT_NEAR(row.g2_err, right.g2_err, 1e-5) << "bin " << row.bin << " delay " << row.delay;
        }
    }
    TemporaryFolder folder_;
    std::string file_;
};

TEST_F(GoodPaths, a_correlation_with_labels_from_a_file_is_right) {
    succeed({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--csv", folder_ / "g2.csv", "--out",
             folder_ / "run.h5"});
    std::vector<std::size_t> labels;
    for (std::size_t p = 0; p < height * width; ++p) labels.push_back(label_at(p));
    expect_curves(folder_ / "g2.csv", labels, 3);
    EXPECT_EQ(H5Fis_hdf5((folder_ / "run.h5").c_str()), 1);
    EXPECT_EQ(folder_.names().size(), 3U) << "more than the input and the two outputs";
}

TEST_F(GoodPaths, a_correlation_with_rings_is_right) {
    succeed({"xpcs", file_ + "::/data", "--rings", "7,6,1.5,1.25,3", "--csv", folder_ / "g2.csv"});
    std::vector<std::size_t> labels;
    for (std::size_t p = 0; p < height * width; ++p) {
        const double x = static_cast<double>(p % width) + 0.5, y = static_cast<double>(p / width) + 0.5;
        const double ring = (std::hypot(x - 7, y - 6) - 1.5) / 1.25;
        labels.push_back(ring < 0 || ring >= 3 ? 0 : static_cast<std::size_t>(ring) + 1);
    }
    expect_curves(folder_ / "g2.csv", labels, 3);
}

TEST_F(GoodPaths, every_variant_of_the_host_and_of_the_default_device_passes_a_full_check) {
    const Outcome all =
        succeed({"bench", "xpcs", "--repeat", "1", "--warmup", "0", "--check", "none", "--json",
                 folder_ / "all.json", "--frames", "16", "--height", "31", "--width", "33"});
    const auto report = nlohmann::json::parse(ks::tests::read_file(folder_ / "all.json"));
    std::size_t ran = 0;
    for (const auto& variant : report.at("variants")) {
        const std::string id = variant.at("id");
        if (variant.contains("not_run")) continue;
        const Outcome outcome = succeed({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask",
                                         "--variant", id, "--check", "full", "--json"});
        const auto record = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(record.at("variant"), id);
        EXPECT_EQ(record.at("verdict").at("state"), "pass") << id;
        ++ran;
    }
    EXPECT_GE(ran, 2U) << all.out;
}

TEST_F(GoodPaths, generated_data_are_described_and_correlated) {
    const std::string demo = folder_ / "demo.h5";
    succeed({"generate", "xpcs", "--out", demo, "--frames", "20", "--height", "41", "--width", "43"});
    const Outcome info = succeed({"info", demo});
    for (const std::string word : {"entry", "data", "qmask", "20", "41", "43"})
        EXPECT_NE(info.out.find(word), std::string::npos) << word << " is not in " << info.out;
    const Outcome outcome = succeed(
        {"xpcs", demo, "--qmask", demo + "::/entry/qmask", "--check", "full", "--csv", folder_ / "g2.csv"});
    EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
    EXPECT_FALSE(read_csv(folder_ / "g2.csv").empty());
}

TEST_F(GoodPaths, the_time_of_every_stage_is_printed) {
    const Arguments arguments{"xpcs",      file_ + "::/data", "--qmask", file_ + "::/qmask",
                              "--variant", "host.reference"};
    Arguments as_json = arguments;
    as_json.emplace_back("--json");
    const std::string text = succeed(arguments).out;
    const auto rows = nlohmann::json::parse(succeed(as_json).out).at("timings");
    ASSERT_FALSE(rows.empty());
    for (const auto& row : rows) {
        const std::size_t at = text.find("\n" + row.at("stage").get<std::string>() + " ");
        ASSERT_NE(at, std::string::npos) << row << " is not in " << text;
        const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
        EXPECT_NE(line.find(" " + row.at("kind").get<std::string>() + " "), std::string::npos) << line;
        EXPECT_TRUE(line.ends_with(" ms")) << line;
    }
}

TEST_F(GoodPaths, the_same_seed_gives_the_same_frames) {
    const auto frames_of = [this](const std::string& name, const std::string& seed) {
        succeed({"generate", "xpcs", "--out", folder_ / name, "--frames", "5", "--height", "21", "--width",
                 "23", "--seed", seed});
        const hid_t file = H5Fopen((folder_ / name).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, "/entry/data/data", H5P_DEFAULT);
        std::vector<std::int32_t> values(std::size_t{5} * 21 * 23, -1);
        EXPECT_GE(H5Dread(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
        H5Dclose(set);
        H5Fclose(file);
        return values;
    };
    const auto first = frames_of("a.h5", "7");
    EXPECT_EQ(first, frames_of("b.h5", "7"));
    EXPECT_NE(first, frames_of("c.h5", "8"));
}

TEST_F(GoodPaths, a_memory_limit_changes_no_number) {
    const Arguments arguments{"xpcs",      file_ + "::/data", "--qmask", file_ + "::/qmask",
                              "--variant", "host.gram"};
    Arguments limited = arguments, free = arguments;
    limited.insert(limited.end(), {"--memory-limit", "64MiB", "--csv", folder_ / "limited.csv"});
    free.insert(free.end(), {"--csv", folder_ / "free.csv"});
    succeed(limited);
    succeed(free);
    EXPECT_EQ(ks::tests::read_file(folder_ / "limited.csv"), ks::tests::read_file(folder_ / "free.csv"));
    for (const std::string size : {"100000000", "512M", "1.3GB", "1 GiB", "2g"}) {
        Arguments other = arguments;
        other.insert(other.end(), {"--memory-limit", size});
        succeed(other);
    }
}

TEST_F(GoodPaths, converted_frames_give_the_same_g2) {
    const std::string stack = folder_ / "stack.h5";
    const Outcome done = succeed({"convert", file_ + "::/data", "--out", stack});
    EXPECT_NE(done.out.find("9 frames of 12 x 14 u16 written to " + stack), std::string::npos) << done.out;
    for (const auto& [frames, csv] : {std::pair(file_ + "::/data", "before.csv"), {stack, "after.csv"}})
        succeed({"xpcs", frames, "--qmask", file_ + "::/qmask", "--csv", folder_ / csv});
    EXPECT_EQ(ks::tests::read_file(folder_ / "after.csv"), ks::tests::read_file(folder_ / "before.csv"));
    EXPECT_EQ(run_cli({"convert", file_ + "::/data", "--out", stack}).code, 2);
    EXPECT_EQ(run_cli({"convert", file_ + "::/data", "--out", folder_ / "new.h5", "--shape", "3,4"}).code, 2);
    EXPECT_EQ(run_cli({"convert", file_ + "::/data", "--out", file_, "--overwrite"}).code, 2);
}

TEST_F(GoodPaths, hits_become_frames) {
    std::ofstream(folder_ / "digis.csv") << "index,module,x,y,adc\n0,0,3,1,5\n1,2,0,2,7\n2,0,3,1,6\n";
    succeed({"convert", folder_ / "digis.csv", "--shape", "3,4", "--out", folder_ / "stack.h5"});
    // As other systems name it.
    std::filesystem::copy_file(folder_ / "digis.csv", folder_ / "HITS.CSV");
    succeed({"convert", folder_ / "HITS.CSV", "--shape", "3,4", "--out", folder_ / "hits.h5"});
    const hid_t file = H5Fopen((folder_ / "stack.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/entry/data/data", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    hsize_t shape[3] = {};
    ASSERT_EQ(H5Sget_simple_extent_dims(space, shape, nullptr), 3);
    EXPECT_EQ(shape[0], 3U);
    EXPECT_EQ(shape[1], 3U);
    EXPECT_EQ(shape[2], 4U);
    std::vector<std::uint16_t> values(36, 99);
    H5Dread(set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    std::vector<std::uint16_t> right(36, 0);
    right[1 * 4 + 3] = 11;
    right[2 * 12 + 2 * 4 + 0] = 7;
    EXPECT_EQ(values, right);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

TEST_F(GoodPaths, devices_are_listed_for_people_and_as_json) {
    const auto devices = nlohmann::json::parse(succeed({"devices", "--json"}).out);
    const std::string text = succeed({"devices"}).out;
    ASSERT_FALSE(devices.empty());
    EXPECT_EQ(devices.back().at("backend"), "host");
    for (const auto& device : devices)
        EXPECT_NE(text.find(device.at("name").get<std::string>()), std::string::npos) << device.at("name");
    if (devices.size() == 1) GTEST_SKIP() << "there is no OpenCL device";
    for (const std::string label :
         {"platform vendor", "platform version", "platform profile", "Type", "Clock", "Compute units",
          "Local memory", "Constant memory", "Global memory", "Largest allocation", "Largest work-group",
          "Driver", "Extensions", "Double"})
        EXPECT_NE(text.find(label), std::string::npos) << label;
    const auto& said = devices.front().at("properties");
    for (const char* name : {"max_work_item_sizes", "available", "profiling_timer_resolution"})
        EXPECT_TRUE(said.contains(name)) << name;
}

TEST_F(GoodPaths, help_and_version_are_no_errors) {
    EXPECT_NE(succeed({"--help"}).out.find("xpcs"), std::string::npos);
    EXPECT_NE(succeed({"xpcs", "--help"}).out.find("--first-frame"), std::string::npos);
    EXPECT_FALSE(succeed({"--version"}).out.empty());
}

TEST_F(GoodPaths, progress_comes_in_lines_where_it_is_asked_for) {
    const Arguments arguments{"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask"};
    EXPECT_EQ(succeed(arguments).err, "");
    Arguments loud = arguments;
    loud.emplace_back("--progress");
    EXPECT_NE(succeed(loud).err.find("100%\n"), std::string::npos);
}

}  // namespace

}  // namespace good_paths_test
