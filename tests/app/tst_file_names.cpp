// Names of files as a user gives them: labels and masks of every kind, endings in any case, "::" in folders.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/io/files/atomic_file.h"
#include "core/io/tiff/tiff.h"
#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

constexpr std::size_t frames = 6, height = 5, width = 7;

std::uint8_t label_at(std::size_t pixel) {
    return static_cast<std::uint8_t>(pixel % width / 2);
}
std::uint8_t masked_at(std::size_t pixel) {
    return static_cast<std::uint8_t>(pixel % 5 == 0);
}

void write_scan(const std::string& path) {
    Hdf5Fixture file(path);
    file.counts("data", {frames, height, width},
                [](std::size_t i) { return static_cast<std::uint16_t>(3 + (i * 2654435761U >> 13) % 7); });
    file.counts("qmask", {height, width}, [](std::size_t i) { return std::uint16_t{label_at(i)}; });
    file.counts("mask", {height, width}, [](std::size_t i) { return std::uint16_t{masked_at(i)}; });
}

/// NumPy's format 1.0, written by hand.
void write_npy(const std::string& path, std::uint8_t (*value)(std::size_t)) {
    std::string header =
        fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': ({}, {}), }}", height, width);
    header.append(117 - header.size(), ' ').push_back('\n');
    std::string bytes("\x93NUMPY\1\0", 8);
    bytes += {static_cast<char>(header.size()), '\0'};
    bytes += header;
    for (std::size_t i = 0; i < height * width; ++i) bytes.push_back(static_cast<char>(value(i)));
    std::ofstream(path, std::ios::binary) << bytes;
}

void write_tiff(const std::string& path, std::uint8_t (*value)(std::size_t)) {
    std::vector<std::uint8_t> values(height * width);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i);
    ks::io::AtomicFile file(path, false);
    ks::io::write_tiff(file, ks::Array::of({height, width}, values));
    file.commit();
}

class FileNames : public testing::Test {
  protected:
    /// The table of g2 of a run; empty where it fails.
    std::string table(const std::string& file, const std::string& labels,
                      std::vector<std::string> more = {}) {
        const std::string csv = folder_ / fmt::format("g2_{}.csv", ++runs_);
        std::vector<std::string> all{"xpcs", file, "--qmask", labels, "--device", "host", "--csv", csv};
        all.insert(all.end(), more.begin(), more.end());
        const Outcome outcome = run_cli(all);
        EXPECT_EQ(outcome.code, 0) << labels << ": " << outcome.err;
        return read_file(csv);
    }
    TemporaryFolder folder_;
    int runs_ = 0;
};

TEST_F(FileNames, labels_of_every_kind_give_the_same_curves) {
    const std::string scan = folder_ / "scan.h5", data = scan + "::/data";
    write_scan(scan);
    const std::string expected = table(data, scan + "::/qmask");
    ASSERT_GT(expected.size(), 100u);
    for (const char* name : {"labels.npy", "LABELS.NPY"}) {
        write_npy(folder_ / name, label_at);
        EXPECT_EQ(table(data, folder_ / name), expected) << name;
    }
    for (const char* name : {"labels.tif", "labels.tiff", "LABELS.TIF", "LABELS.TIFF"}) {
        write_tiff(folder_ / name, label_at);
        EXPECT_EQ(table(data, folder_ / name), expected) << name;
    }
    const Outcome absent = run_cli({"xpcs", data, "--qmask", folder_ / "none.npy", "--device", "host"});
    EXPECT_EQ(absent.code, 2);
    EXPECT_NE(absent.err.find("none.npy"), std::string::npos) << absent.err;
    EXPECT_NE(absent.err.find("no such file"), std::string::npos) << absent.err;
}

TEST_F(FileNames, masks_of_every_kind_leave_out_the_same_pixels) {
    const std::string scan = folder_ / "scan.h5", data = scan + "::/data", labels = scan + "::/qmask";
    write_scan(scan);
    const std::string expected = table(data, labels, {"--mask", scan + "::/mask"});
    EXPECT_NE(expected, table(data, labels));
    write_npy(folder_ / "MASK.NPY", masked_at);
    write_tiff(folder_ / "MASK.TIF", masked_at);
    for (const char* name : {"MASK.NPY", "MASK.TIF"})
        EXPECT_EQ(table(data, labels, {"--mask", folder_ / name}), expected) << name;
}

TEST_F(FileNames, folders_may_hold_double_colons) {
    write_scan(folder_ / "plain.h5");
    const std::string expected = table(folder_ / "plain.h5::/data", folder_ / "plain.h5::/qmask");
    for (const char* folder : {"run::1", "run::", "run::1/deep::"}) {
        std::filesystem::create_directory(folder_.path() / folder);
        const std::string scan = folder_ / (std::string(folder) + "/scan.h5");
        write_scan(scan);
        EXPECT_EQ(table(scan + "::/data", scan + "::/qmask"), expected) << scan;
        EXPECT_EQ(run_cli({"info", scan}).code, 0) << scan;
    }
}

TEST_F(FileNames, endings_in_any_case_say_what_is_written) {
    for (const char* name : {"P.NPY", "P.H5", "P.HDF5", "P.CSV"}) {
        const Outcome outcome = run_cli({"generate", "particles", "--points", "5", "--out", folder_ / name});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    EXPECT_EQ(read_file(folder_ / "P.NPY").substr(1, 5), "NUMPY");
    EXPECT_EQ(read_file(folder_ / "P.H5").substr(1, 3), "HDF");
    EXPECT_EQ(read_file(folder_ / "P.HDF5").substr(1, 3), "HDF");
    EXPECT_EQ(read_file(folder_ / "P.CSV").substr(0, 1), "x");
    for (const char* name : {"P.NPY", "P.CSV"}) {
        const Outcome told = run_cli({"info", folder_ / name});
        EXPECT_EQ(told.code, 0) << told.err;
        EXPECT_NE(told.out.find("5 "), std::string::npos) << told.out;
    }
}

}  // namespace
