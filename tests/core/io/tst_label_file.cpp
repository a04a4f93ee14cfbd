#include <gtest/gtest.h>
#include <tiffio.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/io/labels/label_file.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/full_disk/file_size_limit.h"

using ks::PixelMask;
using ks::QPartition;
using ks::io::LabelFile;
namespace fs = std::filesystem;
using ks::tests::contains;
using ks::tests::input_error;
using ks::tests::read_bytes;
using ks::tests::write_bytes;

namespace {

using Labels = std::vector<std::int32_t>;

class LabelFiles : public ks::tests::IoTest {
  protected:
    std::string read_error(const std::string& name) const {
        return input_error([&] { ks::io::read_labels(at(name)); });
    }
    Labels labels_of(const std::string& name) const { return ks::io::read_labels(at(name)).labels.labels(); }
};

/// A NumPy file of format 1.0 as numpy.save lays it out.
std::string npy(const std::string& dictionary, const std::string& values) {
    std::string header = dictionary + std::string(117 - dictionary.size(), ' ') + '\n';
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + values;
}

std::string text_of(const std::vector<unsigned char>& bytes) {
    return {bytes.begin(), bytes.end()};
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// A TIFF of one strip without compression, written by hand: tags and their short values, then the strip.
std::string tiff(std::uint16_t height, std::uint16_t width, std::uint16_t bits, std::uint16_t format,
                 const std::string& strip, std::uint16_t samples = 1) {
    const std::vector<std::pair<std::uint16_t, std::uint32_t>> tags{
        {256, width},   {257, height}, {258, bits},
        {259, 1},       {262, 1},      {273, 8 + 2 + 11 * 12 + 4},
        {277, samples}, {278, height}, {279, static_cast<std::uint32_t>(strip.size())},
        {284, 1},       {339, format}};
    std::string file = text_of({'I', 'I', 42, 0, 8, 0, 0, 0, 11, 0});
    for (const auto& [tag, value] : tags) {
        const bool is_long = tag == 273 || tag == 279;
        file += bytes_of<std::uint16_t>({tag, static_cast<std::uint16_t>(is_long ? 4 : 3)});
        file += bytes_of<std::uint32_t>({1, value});
    }
    return file + std::string(4, '\0') + strip;
}

/// A TIFF by libtiff itself.
void write_with_libtiff(const std::string& file, const std::vector<std::vector<std::uint16_t>>& pages,
                        std::uint32_t height, std::uint32_t width, bool tiled, int compression) {
    TIFF* const out = TIFFOpen(file.c_str(), "w");
    ASSERT_NE(out, nullptr);
    for (const std::vector<std::uint16_t>& page : pages) {
        TIFFSetField(out, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(out, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 16);
        TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(out, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        TIFFSetField(out, TIFFTAG_COMPRESSION, compression);
        constexpr std::uint32_t side = 16;
        if (tiled) {
            TIFFSetField(out, TIFFTAG_TILEWIDTH, side);
            TIFFSetField(out, TIFFTAG_TILELENGTH, side);
        } else {
            TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 3U);
        }
        for (std::uint32_t y = 0; y < height; y += tiled ? side : 1)
            for (std::uint32_t x = 0; x < width; x += tiled ? side : width) {
                std::vector<std::uint16_t> part(tiled ? side * side : width, 0);
                for (std::uint32_t i = 0; i < (tiled ? side : 1); ++i)
                    for (std::uint32_t j = 0; j < (tiled ? side : width); ++j)
                        if (y + i < height && x + j < width)
                            part[i * side + j] = page[(y + i) * width + x + j];
                if (tiled)
                    ASSERT_GT(TIFFWriteTile(out, part.data(), x, y, 0, 0), 0);
                else
                    ASSERT_EQ(TIFFWriteScanline(out, part.data(), y, 0), 1);
            }
        TIFFWriteDirectory(out);
    }
    TIFFClose(out);
}

TEST_F(LabelFiles, Hdf5KeepsEverything) {
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const LabelFile written{QPartition(2, 3, {0, 1, 2, 2, 4, 0}, std::size_t{5}),
                            {0.1, 1.0 / 3.0, unknown, 1e-300, 7},
                            {unknown, -179.99999999999997, 0, 180, -0.0},
                            {"ring 1", "größer, 大", "", "a \"b\"", " five "}};
    ks::io::write_labels(at("a.h5"), written, false);
    const LabelFile read = ks::io::read_labels(at("a.h5"));
    EXPECT_EQ(read.labels.height(), 2U);
    EXPECT_EQ(read.labels.width(), 3U);
    EXPECT_EQ(read.labels.bins(), 5U) << "empty bins at the end stay";
    EXPECT_EQ(read.labels.labels(), written.labels.labels());
    // To the bit, NaN included.
    EXPECT_EQ(bytes_of(read.q), bytes_of(written.q));
    EXPECT_EQ(bytes_of(read.phi), bytes_of(written.phi));
    EXPECT_EQ(read.names, written.names);
    EXPECT_EQ(ks::io::read_labels(at("a.h5") + "::/entry/partition/labels").names, written.names);
    EXPECT_EQ(ks::io::read_labels(at("a.h5") + "::/entry/partition").labels.bins(), 5U);
    const ks::Array plain = ks::io::read_array(at("a.h5") + "::/entry/partition/labels", 2);
    EXPECT_EQ(QPartition::from_array(plain, "").labels(), written.labels.labels());
}

TEST_F(LabelFiles, KeepBinsWithoutLists) {
    ks::io::write_labels(at("a.nxs"), {QPartition(1, 2, {0, 1}, std::size_t{9}), {}, {}, {}}, false);
    const LabelFile read = ks::io::read_labels(at("a.nxs"));
    EXPECT_EQ(read.labels.bins(), 9U);
    EXPECT_TRUE(read.q.empty() && read.phi.empty() && read.names.empty());
}

TEST_F(LabelFiles, AreTheSameInEveryKindOfFile) {
    for (const std::int32_t highest : {3, 255, 256, 65'535, 65'536, 1'000'000}) {
        Labels labels(41 * 57);
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = static_cast<std::int32_t>(i * 7919 % 13) * highest / 12;
        for (const char* name : {"l.h5", "l.hdf5", "l.npy", "l.tif", "L.TIFF"}) {
            ks::io::write_labels(at(name), {QPartition(41, 57, labels), {}, {}, {}}, true);
            const LabelFile read = ks::io::read_labels(at(name));
            EXPECT_EQ(read.labels.height(), 41U) << name;
            EXPECT_EQ(read.labels.labels(), labels) << name;
            EXPECT_TRUE(read.q.empty() && read.names.empty());
        }
    }
}

TEST_F(LabelFiles, OfOneBinAPixelTakeAsLittleAsTheyCan) {
    ks::io::write_labels(at("8.tif"), {QPartition(64, 64, Labels(64 * 64, 200)), {}, {}, {}}, false);
    TIFF* const in = TIFFOpen(at("8.tif").c_str(), "r");
    ASSERT_NE(in, nullptr);
    std::uint16_t bits = 0;
    TIFFGetField(in, TIFFTAG_BITSPERSAMPLE, &bits);
    std::vector<std::uint8_t> row(64);
    EXPECT_EQ(TIFFReadScanline(in, row.data(), 0, 0), 1);
    TIFFClose(in);
    EXPECT_EQ(bits, 8);
    EXPECT_EQ(row, std::vector<std::uint8_t>(64, 200));
    EXPECT_LT(fs::file_size(at("8.tif")), 1000U);
}

TEST_F(LabelFiles, AreWrittenAsNumpyWritesThem) {
    ks::io::write_labels(at("a.npy"), {QPartition(2, 3, {0, 1, 2, 3, 4, 5}), {}, {}, {}}, false);
    EXPECT_EQ(read_bytes(at("a.npy")), npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
                                           bytes_of<std::int32_t>({0, 1, 2, 3, 4, 5})));
}

TEST_F(LabelFiles, AreReadAsNumpyWroteThem) {
    const Labels expected{0, 1, 2, 3, 4, 5};
    write_bytes(at("big.npy"), npy("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }",
                                   text_of({0, 0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5})));
    EXPECT_EQ(labels_of("big.npy"), expected);
    EXPECT_EQ(ks::io::read_labels(at("big.npy")).labels.height(), 2U);
    write_bytes(at("f8.npy"), npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
                                  bytes_of<double>({0, 1, 2, 3, 4, 5})));
    EXPECT_EQ(labels_of("f8.npy"), expected);
    write_bytes(at("i1.npy"), npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
                                  text_of({0, 3, 1, 4, 2, 5})));
    EXPECT_EQ(labels_of("i1.npy"), expected);
    write_bytes(at("b1.npy"),
                npy("{'descr': '|b1', 'fortran_order': False, 'shape': (1, 3), }", text_of({1, 0, 1})));
    EXPECT_EQ(labels_of("b1.npy"), (Labels{1, 0, 1}));
    const std::string header = "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"<u8\"}\n";
    write_bytes(at("v2.npy"), std::string("\x93NUMPY\x02\x00", 8) +
                                  bytes_of<std::uint32_t>({static_cast<std::uint32_t>(header.size())}) +
                                  header + bytes_of<std::uint64_t>({7, 0}));
    EXPECT_EQ(labels_of("v2.npy"), (Labels{7, 0}));
}

TEST_F(LabelFiles, SayWhatIsWrongWithANumpyFile) {
    const std::string good = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
                                 bytes_of<std::int32_t>({0, 1, 2, 3, 4, 5}));
    const auto error = [this](const std::string& bytes) {
        write_bytes(at("x.npy"), bytes);
        return read_error("x.npy");
    };
    EXPECT_TRUE(contains(error(good.substr(0, good.size() - 1)),
                         {"x.npy", "ends early: expected 2 x 3 values of 4 bytes, found 23 bytes"}));
    EXPECT_TRUE(contains(error(good.substr(0, 60)), {"ends early, within its header"}));
    EXPECT_TRUE(contains(error(good.substr(0, 7)), {"ends early, within its header"}));
    EXPECT_TRUE(contains(error(good.substr(0, 9)), {"ends early, within its header"}));
    EXPECT_TRUE(contains(error("P" + good), {"not a NumPy file"}));
    EXPECT_TRUE(contains(error(""), {"expected a NumPy file, found an empty file"}));
    EXPECT_TRUE(contains(
        error(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2, 3), }", std::string(24, '\0'))),
        {"expected 2 dimensions, found 3 [1, 2, 3]"}));
    EXPECT_TRUE(contains(
        error(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }", std::string(24, '\0'))),
        {"expected 2 dimensions, found 1 [6]"}));
    EXPECT_TRUE(contains(
        error(npy("{'descr': [('a', '<i4'), ('b', '<f8')], 'fortran_order': False, 'shape': (1, 1), }",
                  std::string(12, '\0'))),
        {"found a structured dtype with fields"}));
    EXPECT_TRUE(contains(
        error(npy("{'descr': '<c16', 'fortran_order': False, 'shape': (1, 1), }", std::string(16, '\0'))),
        {"expected an array of integers or floats, found dtype <c16"}));
    EXPECT_TRUE(contains(
        error(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "")),
        {"ends early"}));
    EXPECT_TRUE(contains(error(npy("{'descr': '<i4', 'fortran_order': False, }", "")),
                         {"the NumPy header has no shape"}));
    EXPECT_TRUE(contains(error(npy("{'descr': '<i4', 'fortran_order': , 'shape': (1, 1), }", "\1\0\0\0")),
                         {"the NumPy header has no readable fortran_order"}));
    for (const char* damaged : {"{'descr': '<i4', 'fortran_order': False, 'shape': (1, 1),  ",
                                "'descr': '<i4', 'fortran_order': False, 'shape': (1, 1), }",
                                "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 1), } $"})
        EXPECT_TRUE(contains(error(npy(damaged, std::string(4, '\0'))), {"the NumPy header is damaged"}))
            << damaged;
    EXPECT_TRUE(contains(error(std::string(good).replace(7, 1, "\x40")),
                         {"expected NumPy format 1 to 3, found 1.64"}));
    EXPECT_TRUE(contains(error(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (0, 3), }", "")),
                         {"expected an image, found 0 x 3 pixels"}));
    EXPECT_TRUE(contains(error(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }",
                                   bytes_of<float>({0, 1, 2, 2.5F}))),
                         {"labels must be 32-bit integers, found 2.5 at row 1, column 1"}));
    EXPECT_TRUE(contains(error(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }",
                                   bytes_of<std::int32_t>({0, -3}))),
                         {"labels must be >= 0, found -3"}));
}

TEST_F(LabelFiles, AreReadFromTiffsOfEveryNumber) {
    const Labels expected{0, 1, 2, 3, 4, 100};
    const auto read = [this](const std::string& bytes) {
        write_bytes(at("x.tif"), bytes);
        return labels_of("x.tif");
    };
    EXPECT_EQ(read(tiff(2, 3, 8, 1, text_of({0, 1, 2, 3, 4, 100}))), expected);
    EXPECT_EQ(read(tiff(2, 3, 8, 2, text_of({0, 1, 2, 3, 4, 100}))), expected);
    EXPECT_EQ(read(tiff(2, 3, 16, 1, bytes_of<std::uint16_t>({0, 1, 2, 3, 4, 65535}))),
              (Labels{0, 1, 2, 3, 4, 65535}));
    EXPECT_EQ(read(tiff(2, 3, 16, 2, bytes_of<std::int16_t>({0, 1, 2, 3, 4, 100}))), expected);
    EXPECT_EQ(read(tiff(2, 3, 32, 1, bytes_of<std::uint32_t>({0, 1, 2, 3, 4, 100}))), expected);
    EXPECT_EQ(read(tiff(2, 3, 32, 2, bytes_of<std::int32_t>({0, 1, 2, 3, 4, 100}))), expected);
    EXPECT_EQ(read(tiff(2, 3, 32, 3, bytes_of<float>({0, 1, 2, 3, 4, 100}))), expected);
    std::vector<std::uint16_t> page(37 * 45);
    for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<std::uint16_t>(i);
    for (const bool tiled : {false, true})
        for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS}) {
            write_with_libtiff(at("lib.tiff"), {page}, 37, 45, tiled, compression);
            EXPECT_EQ(labels_of("lib.tiff"), Labels(page.begin(), page.end())) << tiled << compression;
        }
}

TEST_F(LabelFiles, SayWhatIsWrongWithATiff) {
    const auto error = [this](const std::string& bytes) {
        write_bytes(at("x.tif"), bytes);
        testing::internal::CaptureStderr();
        const std::string message = read_error("x.tif");
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "libtiff speaks through ks::Error alone";
        return message;
    };
    const std::string good = tiff(2, 3, 16, 1, std::string(12, '\1'));
    EXPECT_TRUE(contains(error(good.substr(0, good.size() - 5)),
                         {"x.tif", "the TIFF file is damaged or ends early: "}));
    EXPECT_TRUE(contains(error(good.substr(0, 50)), {"not a TIFF file that can be read"}));
    EXPECT_TRUE(contains(error("PK" + good), {"not a TIFF file that can be read", "magic"}));
    EXPECT_TRUE(contains(error(""), {"expected a TIFF file, found an empty file"}));
    EXPECT_TRUE(contains(error(tiff(1, 2, 8, 1, text_of({1, 2, 3, 4, 5, 6}), 3)),
                         {"expected one sample per pixel, found 3"}));
    EXPECT_TRUE(contains(error(tiff(1, 2, 4, 1, std::string(8, '\0'))),
                         {"expected 8, 16, 32 or 64 bits per pixel, found 4"}));
    EXPECT_TRUE(
        contains(error(tiff(1, 2, 16, 3, std::string(4, '\0'))),
                 {"expected integers, or floats of 32 or 64 bits, found sample format 3 of 16 bits"}));
    EXPECT_TRUE(contains(error(tiff(60'000, 60'000, 8, 1, "ab")), {"pixels, found 60000 x 60000"}));
    EXPECT_TRUE(contains(error(tiff(1, 2, 32, 3, bytes_of<float>({1, 1.5F}))),
                         {"labels must be 32-bit integers, found 1.5 at row 0, column 1"}));
    EXPECT_TRUE(contains(error(tiff(1, 2, 8, 2, text_of({1, 255}))), {"labels must be >= 0, found -1"}));
    write_with_libtiff(at("pages.tif"), {{1, 2}, {3, 4}, {5, 6}}, 1, 2, false, COMPRESSION_NONE);
    EXPECT_TRUE(contains(read_error("pages.tif"), {"expected a TIFF file of one page, found 3"}));
}

TEST_F(LabelFiles, SayWhatIsWrongWithTheirNames) {
    write_bytes(at("x.png"), "no image");
    write_bytes(at("x"), "no image");
    EXPECT_TRUE(contains(read_error("x.png"), {"x.png", "not a file in " + io::format_titles() + " format"}));
    EXPECT_TRUE(contains(read_error("x"), {"not a file in " + io::format_titles() + " format"}));
    for (const char* name : {"none.h5", "none.npy", "none.tif", "none"})
        EXPECT_TRUE(contains(read_error(name), {name, "no such file"}));
    fs::create_directory(at("d.tif"));
    EXPECT_TRUE(contains(read_error("d.tif"), {"found a directory"}));
    write_bytes(at("x.npy"), "no image");
    EXPECT_TRUE(contains(read_error("x.npy::/entry"), {"x.npy::/entry", "the object /entry was given"}));
    const LabelFile labels{QPartition(1, 1, {1}), {}, {}, {}};
    EXPECT_TRUE(
        contains(input_error([&] { ks::io::write_labels(at("x.csv"), labels, false); }), {"found \".csv\""}));
}

TEST_F(LabelFiles, SayWhichListDoesNotFitTheBins) {
    const std::int32_t labels[] = {0, 1, 2, 2};
    const double q[] = {0.1, 0.2, 0.3};
    {
        ks::tests::TestFile file(at("long.h5"));
        file.make("/entry/partition/labels", H5T_STD_I32LE, {2, 2}, labels, H5T_NATIVE_INT32);
        file.make("/entry/partition/q_list", H5T_IEEE_F64LE, {3}, q, H5T_NATIVE_DOUBLE);
        file.make("/entry/other", H5T_STD_I32LE, {2, 2}, labels, H5T_NATIVE_INT32);
    }
    EXPECT_EQ(ks::io::read_labels(at("long.h5")).labels.bins(), 3U) << "a value of an empty bin";
    const LabelFile other = ks::io::read_labels(at("long.h5") + "::/entry/other");
    EXPECT_EQ(other.labels.bins(), 2U);
    EXPECT_TRUE(other.q.empty());
    {
        ks::tests::TestFile file(at("short.h5"));
        file.make("/entry/partition/labels", H5T_STD_I32LE, {2, 2}, labels, H5T_NATIVE_INT32);
        file.make("/entry/partition/q_list", H5T_IEEE_F64LE, {1}, q, H5T_NATIVE_DOUBLE);
    }
    EXPECT_TRUE(contains(read_error("short.h5"), {"short.h5::/entry/partition/labels", "found label 2"}));
    {
        ks::tests::TestFile file(at("two.h5"));
        file.make("/entry/partition/labels", H5T_STD_I32LE, {2, 2}, labels, H5T_NATIVE_INT32);
        file.make("/entry/partition/q_list", H5T_IEEE_F64LE, {2}, q, H5T_NATIVE_DOUBLE);
        file.make("/entry/partition/phi_list", H5T_IEEE_F64LE, {3}, q, H5T_NATIVE_DOUBLE);
    }
    EXPECT_TRUE(contains(read_error("two.h5"), {"expected 2 values of phi_list, one per bin, found 3"}));
    const LabelFile wrong{QPartition(1, 1, {1}), {1, 2}, {}, {}};
    EXPECT_TRUE(contains(input_error([&] { ks::io::write_labels(at("x.h5"), wrong, false); }),
                         {"expected 1 value each of q, phi and names, one per bin, found 2"}));
    EXPECT_FALSE(fs::exists(at("x.h5")));
}

TEST_F(LabelFiles, AreNotOverwrittenUnasked) {
    const LabelFile labels{QPartition(1, 1, {1}), {}, {}, {}};
    for (const char* name : {"a.h5", "a.npy", "a.tif"}) {
        ks::io::write_labels(at(name), labels, false);
        const std::string before = read_bytes(at(name));
        const LabelFile more{QPartition(1, 2, {1, 2}), {}, {}, {}};
        EXPECT_TRUE(
            contains(input_error([&] { ks::io::write_labels(at(name), more, false); }), {"already exists"}));
        EXPECT_EQ(read_bytes(at(name)), before);
        ks::io::write_labels(at(name), more, true);
        EXPECT_EQ(labels_of(name), (Labels{1, 2}));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 3) << "nothing else is left behind";
}

TEST_F(LabelFiles, HoldMasksInEveryKind) {
    const PixelMask mask{2, 3, {0, 1, 0, 1, 1, 0}};
    for (const char* name : {"m.h5", "m.npy", "m.tif"}) {
        ks::io::write_mask(at(name), mask, false);
        const PixelMask read = ks::io::read_mask(at(name));
        EXPECT_EQ(read.height, 2U) << name;
        EXPECT_EQ(read.width, 3U) << name;
        EXPECT_EQ(read.ignore, mask.ignore) << name;
    }
    EXPECT_EQ(ks::io::read_mask(at("m.h5") + "::/entry/mask").ignore, mask.ignore);
    const float values[] = {0, -0.0F, 0.25F, NAN};
    {
        ks::tests::TestFile file(at("other.h5"));
        file.make("/entry/bad", H5T_IEEE_F32LE, {2, 2}, values, H5T_NATIVE_FLOAT);
    }
    EXPECT_EQ(ks::io::read_mask(at("other.h5") + "::/entry/bad").ignore,
              (std::vector<std::uint8_t>{0, 0, 1, 1}));
    EXPECT_EQ(ks::io::read_mask(at("other.h5")).ignore.size(), 4U) << "the only image of the file";
    write_bytes(at("b.npy"), npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 3), }",
                                 bytes_of<std::int32_t>({0, -1, 256})));
    EXPECT_EQ(ks::io::read_mask(at("b.npy")).ignore, (std::vector<std::uint8_t>{0, 1, 1}));
    const PixelMask wrong{2, 2, {0, 1}};
    EXPECT_TRUE(contains(input_error([&] { ks::io::write_mask(at("w.h5"), wrong, false); }),
                         {"expected 2 x 2 pixels, found 2"}));
}

/// Values that do not compress away.
std::vector<std::uint8_t> noise(std::size_t size) {
    std::vector<std::uint8_t> values(size);
    std::uint32_t state = 1;
    for (std::uint8_t& value : values) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<std::uint8_t>(state >> 31);
    }
    return values;
}

/// `write` fails wherever the disk is full, tells so, and leaves the old file alone.
void expect_nothing_lost(const fs::path& folder, const fs::path& file, const std::function<void()>& write) {
    write();
    const auto size = fs::file_size(file);
    const std::string old = read_bytes(file.string());
    for (int level = 0; level < 100; ++level) {
        SCOPED_TRACE(file.filename().string() + " at " + std::to_string(level) + " %");
        std::string told;
        {
            const ks::tests::FileSizeLimit full(size * static_cast<std::uintmax_t>(level) / 100);
            try {
                write();
            } catch (const ks::Error& error) {
                EXPECT_EQ(error.kind(), ks::ErrorKind::run);
                told = error.what();
            }
        }
        EXPECT_EQ(told,
                  file.string() + ": the file could not be written: it would exceed the maximum file size");
        EXPECT_EQ(read_bytes(file.string()), old);
        EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
        if (::testing::Test::HasFailure()) return;
    }
    fs::remove(file);
}

TEST_F(LabelFiles, AFullDiskLosesNeitherMasksNorBins) {
    constexpr std::size_t height = 90, width = 121;
    const PixelMask mask{height, width, noise(height * width)};
    std::vector<std::int32_t> labels;
    for (const std::uint8_t value : mask.ignore) labels.push_back(value + 1);
    const LabelFile bins{QPartition(height, width, labels, 2, "bins"), {0.1, 0.2}, {}, {"one", "two"}};
    for (const char* suffix : {".h5", ".npy", ".tif"}) {
        const fs::path file = at(std::string("file") + suffix);
        expect_nothing_lost(folder, file, [&] { ks::io::write_mask(file, mask, true); });
        expect_nothing_lost(folder, file, [&] { ks::io::write_labels(file, bins, true); });
    }
}

}  // namespace
