// CBF and EDF: images behind headers of text.

#include <gtest/gtest.h>

#include <limits>

#include "core/data/damaged_frame.h"
#include "core/input/frame_mask.h"
#include "core/io/frame_format.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/frame_samples.h"

namespace ks::tests {
namespace {

using io::open_frames;

class TextHeaders : public IoTest {
  protected:
    static std::vector<double> values_of(const std::string& file) {
        const auto source = open_frames(file);
        Array frames(source->type(), {source->frames(), source->height(), source->width()});
        source->read(0, source->frames(), frames.bytes());
        return frames.to_doubles();
    }
    /// With `from` replaced by `to` in the file.
    std::string changed(const std::string& file, const std::string& from, const std::string& to) const {
        std::string bytes = read_bytes(file);
        EXPECT_NE(bytes.find(from), std::string::npos) << from;
        bytes.replace(bytes.find(from), from.size(), to);
        write_bytes(file, bytes);
        return file;
    }
    std::string refusal(const std::string& file) const {
        return input_error([&] { values_of(file); });
    }
    std::string cbf(const std::string& fields = {}) const {
        write_cbf_sample(at("x.cbf"), Array::of<std::int32_t>({2, 3}, {0, 1, -1, -2, 70000, 5}), fields);
        return at("x.cbf");
    }
    std::string edf(const std::string& fields = {}) const {
        write_edf_sample(at("x.edf"), varied_stack(ElementType::u16, {3, 2, 5}), fields);
        return at("x.edf");
    }
};

// The header is that of a PILATUS 1M, shortened.
TEST_F(TextHeaders, CbfGivesGeometryTimeAndCutoff) {
    const std::string file =
        cbf("# Detector: PILATUS 1M, S/N 10-0100\r\n# 2013-May-14T18:26:53.000\r\n# Pixel_size 172e-6 m x "
            "170e-6 m\r\n"
            "# Silicon sensor, thickness 0.000450 m\r\n# Exposure_time 0.0990000 s\r\n# Exposure_period "
            "0.1000000 s\r\n"
            "# Count_cutoff 1023999 counts\r\n# Wavelength 0.97947 A\r\n# Detector_distance 0.19120 m\r\n"
            "# Beam_xy (488.93, 523.75) pixels\r\n# Detector_2theta 0.0000 deg.\r\n");
    const std::optional<Geometry> geometry = io::read_geometry(file);
    ASSERT_TRUE(geometry);
    // As DIALS has it, Beam_xy counts from the corner of the detector.
    EXPECT_DOUBLE_EQ(geometry->beam_x, 488.93);
    EXPECT_DOUBLE_EQ(geometry->beam_y, 523.75);
    EXPECT_NEAR(geometry->pixel_size_x, 172, 1e-9);
    EXPECT_NEAR(geometry->pixel_size_y, 170, 1e-9);
    EXPECT_NEAR(geometry->distance, 191.2, 1e-9);
    EXPECT_DOUBLE_EQ(geometry->wavelength, 0.97947);
    EXPECT_EQ(open_frames(file)->frame_time(), 0.1);
    const io::FrameFormat& format = io::format_to_read({file, {}});
    EXPECT_EQ(format.pixels({file, {}}).saturation, 1023999);
    EXPECT_TRUE(contains(io::describe(file), {"1 frame of 2 x 3 i32", "byte offset", "x 488.930, y 523.750",
                                              "172 x 170 um", "191.2 mm", "0.97947 angstrom"}));
    EXPECT_EQ(values_of(file), (std::vector<double>{0, 1, -1, -2, 70000, 5}));
}

TEST_F(TextHeaders, ASeriesIsDescribedWithTheGeometryOfItsFirstFile) {
    for (const char* leaf : {"s_0001.cbf", "s_0002.cbf"})
        write_cbf_sample(at(leaf), Array::of<std::int32_t>({2, 3}, {0, 1, 2, 3, 4, 5}),
                         "# Pixel_size 172e-6 m x 172e-6 m\r\n# Detector_distance 0.2 m\r\n"
                         "# Beam_xy (1.5, 0.5) pixels\r\n");
    EXPECT_TRUE(contains(io::describe(at("s_####.cbf")),
                         {"2 frames", "x 1.500, y 0.500 pixels", "172 x 172 um", "200 mm"}));
}

TEST_F(TextHeaders, CbfFieldsThatCannotBeUsedAreNamedAndStopNothing) {
    const std::string file = cbf(
        "# Pixel_size none\r\n# Exposure_period -1 s\r\n# Count_cutoff many\r\n# Wavelength 0.9 furlong\r\n"
        "# Detector_distance 0.2 m\r\n# Detector_2theta 12.5 deg.\r\n# Beam_xy (12, ?) pixels\r\n");
    std::vector<io::GeometryFault> faults;
    const std::optional<Geometry> geometry = io::read_geometry(file, faults);
    ASSERT_TRUE(geometry);
    EXPECT_EQ(geometry->beam_x, 12);
    std::map<std::string, std::string> said;
    for (const io::GeometryFault& fault : faults) said[fault.part] = fault.error.what();
    EXPECT_TRUE(contains(said["beam_y"], {file, "Beam_xy", "\"? pixels\""}));
    EXPECT_TRUE(contains(said["pixel_size_x"], {"Pixel_size", "\"none\""}));
    EXPECT_TRUE(contains(said["wavelength"], {"expected a unit of wavelength, found \"furlong\""}));
    EXPECT_TRUE(contains(said["distance"], {"turned by 12.5 degrees (Detector_2theta)"}));
    const auto source = open_frames(file);
    EXPECT_FALSE(source->frame_time());
    EXPECT_TRUE(contains(source->frame_time_fault().value_or(""), {"Exposure_period", "\"-1 s\""}));
    const io::FilePixels pixels = io::format_to_read({file, {}}).pixels({file, {}});
    EXPECT_FALSE(pixels.saturation);
    ASSERT_EQ(pixels.faults.size(), 1U);
    EXPECT_TRUE(contains(pixels.faults.front(), {file, "Count_cutoff", "\"many\""}));
    EXPECT_EQ(values_of(file).size(), 6U);
}

TEST_F(TextHeaders, CbfStepsOfEveryLength) {
    constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min(),
                           high = std::numeric_limits<std::int32_t>::max();
    write_cbf_sample(at("x.cbf"),
                     Array::of<std::int32_t>({2, 4}, {0, 127, -1, -129, 32638, -129, 100000, 0}));
    EXPECT_EQ(values_of(at("x.cbf")), (std::vector<double>{0, 127, -1, -129, 32638, -129, 100000, 0}));
    // A step of 2^32 - 1 takes 8 bytes: four marks, and the number itself.
    std::string bytes = read_bytes(at("x.cbf"));
    const std::size_t data = bytes.find("\x0c\x1a\x04\xd5") + 4;
    const auto step = [](std::int64_t number) {
        std::string packed("\x80\x00\x80\x00\x00\x00\x80", 7);
        for (int i = 0; i < 8; ++i) packed += static_cast<char>(number >> (8 * i) & 0xff);
        return packed;
    };
    const std::string packed = step(low) + step(std::int64_t{high} - low) + std::string(6, '\0');
    bytes = bytes.substr(0, data) + packed;
    const std::size_t size = bytes.find("X-Binary-Size: ") + 15;
    bytes.replace(size, bytes.find("\r\n", size) - size, std::to_string(packed.size()));
    write_bytes(at("x.cbf"), bytes);
    EXPECT_EQ(values_of(at("x.cbf")), (std::vector<double>{low, high, high, high, high, high, high, high}));
}

TEST_F(TextHeaders, CbfThatCannotBeReadSaysWhy) {
    EXPECT_TRUE(contains(refusal(changed(cbf(), "x-CBF_BYTE_OFFSET", "x-CBF_PACKED")),
                         {"x.cbf", "x-CBF_BYTE_OFFSET, found x-CBF_PACKED"}));
    EXPECT_TRUE(contains(refusal(changed(cbf(), "signed 32-bit integer", "signed 48-bit integer")),
                         {"X-Binary-Element-Type", "\"signed 48-bit integer\""}));
    EXPECT_TRUE(contains(refusal(changed(cbf(), "Number-of-Elements: 6", "Number-of-Elements: 7")),
                         {"2 x 3 values", "X-Binary-Number-of-Elements 7"}));
    EXPECT_TRUE(contains(refusal(changed(cbf(), "Second-Dimension: 2", "Second-Dimension: 0")),
                         {"above 0 in X-Binary-Size-Second-Dimension, found \"0\""}));
    EXPECT_TRUE(
        contains(refusal(changed(cbf(), "--CIF-BINARY", "--DIF-BINARY")), {"image in binary form", "none"}));
    const std::string whole = read_bytes(cbf());
    write_bytes(at("x.cbf"), whole.substr(0, whole.size() - 2));
    EXPECT_TRUE(contains(refusal(at("x.cbf")), {"expected an image of", "before the end of the file"}));
    // Values that do not fit: a frame is damaged, not the file.
    write_cbf_sample(at("x.cbf"), Array::of<std::uint8_t>({1, 3}, {1, 2, 3}));
    changed(at("x.cbf"), std::string("\xd5\x01\x01\x01", 4), std::string("\xd5\x01\xf0\x01", 4));
    EXPECT_TRUE(contains(refusal(at("x.cbf")), {"pixel 1 has a value beyond the type"}));
    EXPECT_THROW(values_of(at("x.cbf")), DamagedFrame);
    write_cbf_sample(at("x.cbf"), Array::of<std::int32_t>({1, 3}, {1, 2, 3}));
    changed(at("x.cbf"), std::string("\xd5\x01\x01\x01", 4), std::string("\xd5\x01\x01\x80", 4));
    EXPECT_TRUE(contains(refusal(at("x.cbf")), {"end after 2 of 3 pixels"}));
}

TEST_F(TextHeaders, EdfInEitherByteOrderWithSeveralImages) {
    for (const ElementType type : {ElementType::u8, ElementType::u16, ElementType::i32, ElementType::f32,
                                   ElementType::f64, ElementType::u64})
        for (const bool swapped : {false, true}) {
            const Array stack = varied_stack(type, {4, 3, 7});
            write_edf_sample(at("x.edf"), stack, "title = a; b = } c ;\n", swapped);
            EXPECT_EQ(values_of(at("x.edf")), stack.to_doubles()) << name_of(type) << swapped;
        }
    // i8, a block in front that has no image, carriage returns, and padding after the image.
    write_bytes(at("x.edf"),
                std::string("{\r\nEDF_DataFormatVersion = 2.40 ;\r\nEDF_DataBlocks = 1 ;\r\n}\r\n"
                            "{\r\nDataType = SignedByte ;\r\nDim_1 = 3 ;\r\nDim_2 = 1 ;\r\n"
                            "EDF_BinarySize = 8 ;\r\n}\r\n\x01\xff\x80.....tail",
                            150));
    EXPECT_EQ(values_of(at("x.edf")), (std::vector<double>{1, -1, -128}));
    EXPECT_TRUE(contains(io::describe(at("x.edf")), {"i8", "1 image"}));
}

TEST_F(TextHeaders, EdfGivesTheGeometryOfSaxsPrograms) {
    const std::string file =
        edf("Center_1 = 512.5 ;\nCenter_2 = 98.25 ;\nOffset_1 = 0 ;\nPSize_1 = 0.000172_m ;\nPSize_2 = "
            "1.70e-04 ;\n"
            "SampleDistance = 5.012_m ;\nWaveLength = 1.0e-10_m ;\n");
    const std::optional<Geometry> geometry = io::read_geometry(file);
    ASSERT_TRUE(geometry);
    EXPECT_EQ(geometry->beam_x, 512.5);
    EXPECT_EQ(geometry->beam_y, 98.25);
    EXPECT_NEAR(geometry->pixel_size_x, 172, 1e-9);
    EXPECT_NEAR(geometry->pixel_size_y, 170, 1e-9);
    EXPECT_NEAR(geometry->distance, 5012, 1e-9);
    EXPECT_NEAR(geometry->wavelength, 1, 1e-12);
    EXPECT_TRUE(contains(
        input_error([&] { io::read_geometry(edf("Center_1 = 1 ;\nCenter_2 = 2 ;\nOffset_2 = 8 ;\n")); }),
        {"x.edf", "offset_2", "found 8"}));
    EXPECT_FALSE(io::read_geometry(edf()));
}

TEST_F(TextHeaders, EdfThatCannotBeReadSaysWhy) {
    EXPECT_TRUE(contains(refusal(changed(edf(), "UnsignedShort", "UnsignedTall")),
                         {"x.edf", "image 0", "a DataType such as", "\"UnsignedTall\""}));
    EXPECT_TRUE(
        contains(refusal(changed(edf(), "LowByteFirst", "MidByteFirst")), {"ByteOrder", "\"MidByteFirst\""}));
    EXPECT_TRUE(
        contains(refusal(changed(edf(), "Dim_1 = 5", "Dim_1 = x")), {"above 0 in Dim_1, found \"x\""}));
    EXPECT_TRUE(
        contains(refusal(changed(edf(), "Size = 20", "Size = 19")), {"20 bytes for 2 x 5 pixels", "19"}));
    EXPECT_TRUE(
        contains(refusal(edf("Compression = GzipCompression ;\n")), {"not compressed", "GzipCompression"}));
    EXPECT_TRUE(contains(refusal(edf("Dim_3 = 4 ;\n")), {"2 dimensions", "Dim_3 = 4"}));
    // The second image differs.
    const std::string one = edf(), whole = read_bytes(one);
    write_edf_sample(at("y.edf"), varied_stack(ElementType::u16, {2, 4}));
    write_bytes(at("x.edf"), whole + read_bytes(at("y.edf")));
    EXPECT_TRUE(
        contains(refusal(at("x.edf")), {"equal size and type, 2 x 5 u16, found 2 x 4 u16 in image 3"}));
    write_bytes(at("x.edf"), whole.substr(0, whole.size() - 3));
    EXPECT_TRUE(contains(refusal(at("x.edf")), {"image 2", "20 bytes for 2 x 5 pixels, found 17"}));
}

}  // namespace
}  // namespace ks::tests
