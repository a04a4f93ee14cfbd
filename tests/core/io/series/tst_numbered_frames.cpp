// A series of datasets [y][x], a frame each, which differ by the number in their names.

#include <fmt/format.h>

#include <algorithm>

#include "core/io/open_frames.h"
#include "core/io/series/file_states.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

constexpr hsize_t rows = 3, columns = 4;

class NumberedFramesTest : public IoTest {
  protected:
    /// A frame whose values are `value` and on.
    static void frame(TestFile& file, const std::string& path, unsigned value,
                      const TestFile::Shape& shape = {rows, columns},
                      const std::function<void(hid_t)>& more = {}) {
        std::vector<std::uint16_t> values(TestFile::count(shape));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint16_t>(value + i);
        file.make(path, H5T_STD_U16LE, shape, values.data(), H5T_NATIVE_UINT16,
                  more ? shape : TestFile::Shape{}, more);
    }
    /// The first value of each frame, all read at once.
    static std::vector<unsigned> first_values(FrameSource& source) {
        std::vector<std::uint16_t> values(source.frames() * source.pixels());
        source.read(0, source.frames(), std::as_writable_bytes(std::span(values)));
        std::vector<unsigned> found;
        for (std::size_t i = 0; i < values.size(); i += source.pixels()) found.push_back(values[i]);
        return found;
    }
    static int open_objects() {
        return static_cast<int>(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_DATASET | H5F_OBJ_FILE));
    }
    std::string file() const { return at("f.h5"); }
};

TEST_F(NumberedFramesTest, are_one_series_in_the_order_of_their_numbers) {
    {
        TestFile made(file());
        for (const unsigned number : {9U, 10U, 100U, 2U, 8U})
            frame(made, fmt::format("/entry/data/image{}", number), 100 * number);
        made.ramp("/entry/instrument/detector/pixel_mask", {rows, columns});
        made.number("/entry/instrument/detector/frame_time", 0.5, "s");
        made.group("/entry/nothing");
    }
    for (const char* object : {"", "::/entry", "::/entry/data"}) {
        const auto source = io::open_frames(file() + object);
        ASSERT_EQ(source->frames(), 5U) << object;
        EXPECT_EQ(source->name(), file() + "::/entry/data");
        EXPECT_EQ(source->height(), rows);
        EXPECT_EQ(source->width(), columns);
        EXPECT_EQ(source->type(), ElementType::u16);
        EXPECT_EQ(first_values(*source), (std::vector<unsigned>{200, 800, 900, 1000, 10000}));
    }
    EXPECT_EQ(io::open_frames(file())->frame_time(), 0.5);
    EXPECT_EQ(io::open_frames(file() + "::/entry/data/image9")->frames(), 1U);
}

TEST_F(NumberedFramesTest, of_any_number_keep_few_open) {
    constexpr unsigned frames = 300;
    for (unsigned i = 0; i < frames; ++i) {
        TestFile part(at(fmt::format("part_{}.h5", i)));
        frame(part, "/data", i, {rows, columns}, [](hid_t p) { H5Pset_deflate(p, 1); });
    }
    {
        TestFile made(file());
        for (unsigned i = 0; i < frames; ++i)
            made.external_link(fmt::format("/scan/frame_{:04}", i), fmt::format("part_{}.h5", i), "/data");
    }
    const int before = open_objects();
    const auto source = io::open_frames(file());
    const std::vector<unsigned> found = first_values(*source);
    ASSERT_EQ(found.size(), frames);
    EXPECT_TRUE(std::ranges::is_sorted(found));
    EXPECT_EQ(found.back(), frames - 1);
    EXPECT_LT(open_objects() - before, 50);

    const auto& files = dynamic_cast<const FromFiles&>(*source).files();
    EXPECT_FALSE(files.changed());
    const std::string identity = source->identity();
    { std::ofstream(at("part_200.h5"), std::ios::app | std::ios::binary) << "more"; }
    EXPECT_EQ(files.changed().value_or(""), fs::path(at("part_200.h5")));
    EXPECT_NE(io::open_frames(file())->identity(), identity);
}

TEST_F(NumberedFramesTest, give_way_to_a_stack_and_to_a_signal) {
    {
        TestFile stack(at("stack.h5"));
        for (unsigned i = 0; i < 3; ++i) frame(stack, fmt::format("/scan/frame_{}", i), i);
        stack.ramp("/all", {7, rows, columns});
        TestFile signal(at("signal.h5"));
        signal.group("/entry", "NXentry");
        signal.group("/entry/mean", "NXdata");
        signal.text_attribute("/entry/mean", "signal", "image");
        frame(signal, "/entry/mean/image", 5);
        for (unsigned i = 0; i < 3; ++i) frame(signal, fmt::format("/entry/scan/frame_{}", i), i);
    }
    EXPECT_EQ(io::open_frames(at("stack.h5"))->frames(), 7U);
    EXPECT_EQ(io::open_frames(at("stack.h5") + "::/scan")->frames(), 3U);
    EXPECT_EQ(io::open_frames(at("signal.h5"))->name(), at("signal.h5") + "::/entry/mean/image");
    EXPECT_EQ(io::open_frames(at("signal.h5") + "::/entry/scan")->frames(), 3U);
}

TEST_F(NumberedFramesTest, refuse_a_frame_of_another_shape_or_type) {
    {
        TestFile shape(at("shape.h5")), type(at("type.h5")), stack(at("stack.h5"));
        for (unsigned i = 0; i < 4; ++i) {
            const std::string path = fmt::format("/scan/frame_{}", i);
            frame(shape, path, i, {rows, i == 2 ? columns + 1 : columns});
            if (i == 2)
                type.make(path, H5T_IEEE_F32LE, {rows, columns});
            else
                frame(type, path, i);
            if (i == 2)
                stack.make(path, H5T_STD_U16LE, {rows * columns});
            else
                frame(stack, path, i);
        }
    }
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("shape.h5")); }),
                         {"shape.h5::/scan/frame_2", "expected [3, 4] u16 as in /scan/frame_0",
                          "found [3, 5] u16", "FILE::/path"}));
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("type.h5")); }),
                         {"type.h5::/scan/frame_2", "expected [3, 4] u16", "found [3, 4] f32"}));
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("stack.h5")); }),
                         {"stack.h5::/scan/frame_2", "found 1 dimension [12]"}));
}

TEST_F(NumberedFramesTest, refuse_several_series_and_a_link_that_leads_nowhere) {
    {
        TestFile several(at("several.h5")), lost(at("lost.h5"));
        for (unsigned i = 0; i < 3; ++i) {
            frame(several, fmt::format("/a/dark_{}", i), i);
            frame(several, fmt::format("/a/light_{}", i), i);
            frame(lost, fmt::format("/a/frame_{}", i), i);
        }
        lost.external_link("/a/frame_3", "gone.h5", "/data");
    }
    EXPECT_TRUE(
        contains(input_error([&] { io::open_frames(at("several.h5")); }),
                 {"2 series of numbered datasets", "dark_0 to dark_2 in /a", "light_0 to light_2 in /a"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::open_frames(at("lost.h5")); }), {"/a/frame_3", "gone.h5 is missing"}));
}

TEST_F(NumberedFramesTest, that_were_never_written_are_missing) {
    {
        TestFile made(file());
        for (unsigned i = 0; i < 4; ++i) {
            const std::string path = fmt::format("/scan/frame_{}", i);
            if (i == 1)
                made.make(path, H5T_STD_U16LE, {rows, columns}, nullptr, -1, {1, columns});
            else
                frame(made, path, i);
        }
    }
    const auto source = io::open_frames(file());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(source->written(i), i != 1) << i;
    std::vector<std::byte> place(2 * source->frame_bytes());
    source->read(2, 2, place);
    EXPECT_TRUE(contains(input_error([&] { source->read(0, 2, place); }), {"frame_1", "never written"}));
}

TEST_F(NumberedFramesTest, are_listed_as_one_series) {
    {
        TestFile made(file());
        for (unsigned i = 0; i < 12; ++i) frame(made, fmt::format("/scan/frame_{:04}", i), i);
        made.number("/scan/temperature", 280, "K");
    }
    const std::string text = io::describe(file());
    EXPECT_TRUE(contains(text, {"frame_0000 to frame_0011 in /scan, 12 frames of 3 x 4 u16",
                                "frame_0000 to frame_0011  u16", "12 datasets, contiguous", "temperature"}));
    EXPECT_EQ(text.find("frame_0005"), std::string::npos) << text;
}

}  // namespace
}  // namespace ks::tests
