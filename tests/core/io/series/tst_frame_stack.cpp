// Frames of any source as one HDF5 stack. Sources are made with HDF5 alone or byte by byte, and what has to
// be in the stack is written down here.

#include <fmt/format.h>

#include <array>
#include <numbers>
#include <optional>

#include "core/input/frame_stack.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

constexpr std::size_t stack_rows = 5, stack_columns = 7;

class FrameStackTest : public IoTest {
  protected:
    io::FrameStack written(const std::string& frames) {
        return io::write_frame_stack(frames, at("stack.h5"), true, quiet);
    }
    template <class T>
    static std::vector<T> values(FrameSource& source, std::size_t frame) {
        std::vector<T> found(source.pixels());
        source.read(frame, 1, std::as_writable_bytes(std::span(found)));
        return found;
    }
    /// A dataset of the stack, read by HDF5 alone.
    template <class T>
    std::vector<T> stored(const std::string& path, hid_t type, std::size_t count) {
        std::vector<T> found(count);
        const hid_t file = H5Fopen(at("stack.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
        EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0) << path;
        H5Dclose(set);
        H5Fclose(file);
        return found;
    }
    bool has(const std::string& path) {
        const hid_t file = H5Fopen(at("stack.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const bool found = H5Lexists(file, "/entry", H5P_DEFAULT) > 0 &&
                           H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
        H5Fclose(file);
        return found;
    }
    /// Bytes from the lowest on.
    static std::string bytes_of(std::uint32_t value) {
        std::string bytes;
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
        return bytes;
    }
    /// An EDF image of `stack_rows` x `stack_columns`.
    void edf(const std::string& name, const std::string& type, const std::string& pixels,
             const std::string& more = {}) {
        std::string header = fmt::format(
            "{{\nHeaderID = EH:000001:000000:000000 ;\nByteOrder = LowByteFirst ;\nDataType = {} "
            ";\nDim_1 = {} ;\nDim_2 = {} ;\n{}",
            type, stack_columns, stack_rows, more);
        header.resize(1022, ' ');
        write_bytes(at(name), header + "}\n" + pixels);
    }
};

TEST_F(FrameStackTest, has_the_values_and_what_the_file_states) {
    const std::string detector = "/entry/instrument/detector";
    std::vector<std::uint32_t> mask(stack_rows * stack_columns, 0);
    mask[3] = 2;
    mask[20] = 1;
    {
        TestFile made(at("f.h5"));
        made.ramp("/entry/data/data", {4, stack_rows, stack_columns}, {1, stack_rows, stack_columns}, {}, 11);
        made.group(detector, "NXdetector");
        made.make(detector + "/pixel_mask", H5T_STD_U32LE, {stack_rows, stack_columns}, mask.data(),
                  H5T_NATIVE_UINT32);
        made.number(detector + "/frame_time", 2, "ms");
        made.number(detector + "/saturation_value", 1000);
        made.number(detector + "/beam_center_x", 3.25, "pixel");
        made.number(detector + "/beam_center_y", -1.5, "pixel");
        made.number(detector + "/distance", 1.25, "m");
        made.number(detector + "/x_pixel_size", 75, "um");
        made.number(detector + "/y_pixel_size", 80, "um");
        made.group("/entry/instrument/beam", "NXbeam");
        made.number("/entry/instrument/beam/incident_wavelength", 1.1, "angstrom");
    }
    const io::FrameStack done = written(at("f.h5"));
    EXPECT_EQ(done.source, at("f.h5") + "::/entry/data/data");
    EXPECT_EQ(done.frames, 4U);
    EXPECT_TRUE(done.absent.empty());
    EXPECT_EQ(done.masked, 2U);
    EXPECT_TRUE(done.notices.empty()) << done.notices.front();

    const auto source = io::open_frames(at("stack.h5"));
    ASSERT_EQ(source->frames(), 4U);
    ASSERT_EQ(source->height(), stack_rows);
    ASSERT_EQ(source->width(), stack_columns);
    ASSERT_EQ(source->type(), ElementType::u16);
    for (std::size_t frame = 0; frame < 4; ++frame) {
        const auto found = values<std::uint16_t>(*source, frame);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i], 11 * (frame * stack_rows * stack_columns + i)) << frame << " " << i;
    }
    ASSERT_TRUE(source->frame_time());
    EXPECT_NEAR(*source->frame_time(), 0.002, 1e-12);
    const std::optional<Geometry> geometry = io::read_geometry(at("stack.h5"));
    ASSERT_TRUE(geometry);
    EXPECT_NEAR(geometry->beam_x, 3.75, 1e-12);
    EXPECT_NEAR(geometry->beam_y, -1, 1e-12);
    EXPECT_NEAR(geometry->distance, 1250, 1e-9);
    EXPECT_NEAR(geometry->pixel_size_x, 75, 1e-10);
    EXPECT_NEAR(geometry->pixel_size_y, 80, 1e-10);
    EXPECT_NEAR(geometry->wavelength, 1.1, 1e-12);
    for (std::uint32_t& one : mask) one = one != 0 ? 1 : 0;
    EXPECT_EQ(stored<std::uint32_t>(detector + "/pixel_mask", H5T_NATIVE_UINT32, mask.size()), mask);
    EXPECT_EQ(stored<double>(detector + "/saturation_value", H5T_NATIVE_DOUBLE, 1).front(), 1000);
    EXPECT_TRUE(has("/entry/definition"));
    EXPECT_TRUE(has(detector + "/module/fast_pixel_direction"));
    EXPECT_FALSE(has(detector + "/sensor_material"));
}

TEST_F(FrameStackTest, keeps_missing_frames_missing) {
    {
        TestFile made(at("f.h5"));
        const TestFile::Shape frame{1, stack_rows, stack_columns};
        made.make("/data", H5T_STD_U16LE, {3, stack_rows, stack_columns}, nullptr, -1, frame);
        const hid_t set = H5Dopen2(made.id(), "/data", H5P_DEFAULT);
        for (const hsize_t at : {hsize_t{0}, hsize_t{2}}) {
            const std::vector<std::uint16_t> counts(stack_rows * stack_columns,
                                                    static_cast<std::uint16_t>(7 + at));
            const std::array<hsize_t, 3> start{at, 0, 0};
            ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 0, start.data(), counts.size() * 2, counts.data()), 0);
        }
        H5Dclose(set);
    }
    EXPECT_EQ(written(at("f.h5")).absent, std::vector<std::size_t>{1});
    const auto source = io::open_frames(at("stack.h5"));
    EXPECT_TRUE(source->written(0));
    EXPECT_FALSE(source->written(1));
    EXPECT_EQ(values<std::uint16_t>(*source, 2), std::vector<std::uint16_t>(stack_rows * stack_columns, 9));
    // What a reader sees that does not notice.
    const hid_t file = H5Fopen(at("stack.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/entry/data/data", H5P_DEFAULT);
    const hid_t properties = H5Dget_create_plist(set);
    std::uint16_t fill = 0;
    EXPECT_GE(H5Pget_fill_value(properties, H5T_NATIVE_UINT16, &fill), 0);
    EXPECT_EQ(fill, 65535);
    H5Pclose(properties);
    H5Dclose(set);
    H5Fclose(file);
    EXPECT_FALSE(has("/entry/definition"));  // there is no geometry
}

TEST_F(FrameStackTest, joins_a_series_of_files_with_all_values) {
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        if (frame == 1) continue;
        std::string pixels;
        for (std::uint32_t i = 0; i < stack_rows * stack_columns; ++i)
            pixels += bytes_of(frame * 1000 + i - 5);
        edf(fmt::format("img_{:04}.edf", frame), "SignedInteger", pixels);
    }
    const io::FrameStack done = written(at("img_####.edf"));
    EXPECT_EQ(done.type, ElementType::i32);
    EXPECT_EQ(done.absent, std::vector<std::size_t>{1});
    const auto source = io::open_frames(at("stack.h5"));
    const auto found = values<std::int32_t>(*source, 2);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], 1995 + static_cast<int>(i));
    EXPECT_EQ(values<std::int32_t>(*source, 0).front(), -5);
}

TEST_F(FrameStackTest, keeps_every_float) {
    const std::array<std::uint32_t, 5> bits{0x7fc00000U, 0x80000000U, 0x7f800000U, 0x00000001U, 0x3f9d70a4U};
    std::string pixels;
    for (std::uint32_t i = 0; i < stack_rows * stack_columns; ++i) pixels += bytes_of(bits[i % bits.size()]);
    edf("one.edf", "FloatValue", pixels);
    written(at("one.edf"));
    const auto source = io::open_frames(at("stack.h5"));
    ASSERT_EQ(source->type(), ElementType::f32);
    const auto found = values<std::uint32_t>(*source, 0);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], bits[i % bits.size()]) << i;
}

TEST_F(FrameStackTest, a_source_of_doubles_is_rounded_with_a_notice) {
    const std::vector<double> numbers(stack_rows * stack_columns, std::numbers::pi);
    {
        TestFile made(at("f.h5"));
        made.make("/data", H5T_IEEE_F64LE, {1, stack_rows, stack_columns}, numbers.data(), H5T_NATIVE_DOUBLE);
    }
    const io::FrameStack done = written(at("f.h5"));
    ASSERT_EQ(done.notices.size(), 1U);
    EXPECT_TRUE(contains(done.notices.front(), {"f64", "rounded to f32"}));
}

TEST_F(FrameStackTest, a_mask_that_does_not_fit_is_left_out_with_a_notice) {
    {
        TestFile made(at("f.h5"));
        made.ramp("/entry/data/data", {2, stack_rows, stack_columns});
        made.group("/entry/instrument/detector", "NXdetector");
        made.ramp("/entry/instrument/detector/pixel_mask", {stack_rows, stack_columns + 1});
    }
    const io::FrameStack done = written(at("f.h5"));
    EXPECT_FALSE(done.masked);
    ASSERT_EQ(done.notices.size(), 1U);
    EXPECT_TRUE(contains(done.notices.front(), {"pixel_mask", "no mask was written"}));
    EXPECT_FALSE(has("/entry/instrument/detector/pixel_mask"));
}

TEST_F(FrameStackTest, nothing_is_written_of_a_source_with_a_damaged_frame) {
    {
        TestFile made(at("f.h5"));
        made.make("/data", H5T_STD_U16LE, {2, stack_rows, stack_columns}, nullptr, -1,
                  {1, stack_rows, stack_columns}, [](hid_t p) { H5Pset_deflate(p, 1); });
        const hid_t set = H5Dopen2(made.id(), "/data", H5P_DEFAULT);
        const std::string noise = "no stream of gzip";
        const std::array<hsize_t, 3> start{1, 0, 0};
        ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 0, start.data(), noise.size(), noise.data()), 0);
        H5Dclose(set);
    }
    write_bytes(at("stack.h5"), "before");
    EXPECT_TRUE(contains(input_error([&] { written(at("f.h5")); }), {"f.h5", "frame 1"}));
    EXPECT_EQ(read_bytes(at("stack.h5")), "before");
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& one : fs::directory_iterator(folder)) ++files;
    EXPECT_EQ(files, 2U);
    EXPECT_TRUE(contains(
        input_error([&] { io::write_frame_stack(at("f.h5"), at("stack.h5"), false, quiet); }), {"stack.h5"}));
}

}  // namespace
}  // namespace ks::tests
