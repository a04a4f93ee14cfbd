// What no file holds is missing, whatever HDF5 reads in its place: frames and parts of frames that no source
// of a virtual dataset has, and chunks that were never written.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include "core/data/frame_combination.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/time_limit.h"

namespace ks::tests::lacking_pixels {
namespace {

using Shape = TestFile::Shape;
constexpr std::size_t frames = 8, height = 6, width = 10;

/// What pixel (y, x) of frame t counts; never 0, nor the fill value.
std::uint16_t count_of(std::size_t t, std::size_t y, std::size_t x) {
    return static_cast<std::uint16_t>(1 + 100 * t + 10 * y + x);
}

struct Slab {
    Shape start, stride, count, block;
    static Slab of(const Shape& start, const Shape& block) {
        return {start, Shape(start.size(), 1), Shape(start.size(), 1), block};
    }
    void select(hid_t space) const {
        Shape wide = stride;
        for (std::size_t i = 0; i < wide.size(); ++i)
            if (count[i] == 1) wide[i] = std::max(wide[i], block[i]);
        EXPECT_GE(
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), wide.data(), count.data(), block.data()),
            0);
    }
};

/// A source of a virtual dataset: `from` nothing: all of it, of the shape that it is said to have.
struct Part {
    std::string file;
    Slab to;
    Shape said;
    std::optional<Slab> from = std::nullopt;
    std::string path = "/d";
};

hid_t space_of(const Shape& shape) {
    return H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
}

void make_virtual(TestFile& file, const std::string& path, const Shape& shape, const std::vector<Part>& parts,
                  hid_t type = H5T_STD_U16LE, std::uint16_t fill = 0) {
    file.make(path, type, shape, nullptr, -1, {}, [&](hid_t properties) {
        H5Pset_fill_value(properties, H5T_NATIVE_UINT16, &fill);
        for (const Part& part : parts) {
            const hid_t space = space_of(shape), source = space_of(part.said);
            part.to.select(space);
            if (part.from) part.from->select(source);
            EXPECT_GE(H5Pset_virtual(properties, space, part.file.c_str(), part.path.c_str(), source), 0);
            H5Sclose(source);
            H5Sclose(space);
        }
    });
}

class LackingPixels : public IoTest {
  protected:
    /// /d of `file`: frames `which`, rows [top, bottom) and columns [left, right).
    void write_source(const std::string& file, const std::vector<std::size_t>& which, std::size_t top = 0,
                      std::size_t bottom = height, std::size_t left = 0, std::size_t right = width) {
        std::vector<std::uint16_t> values;
        for (const std::size_t t : which)
            for (std::size_t y = top; y < bottom; ++y)
                for (std::size_t x = left; x < right; ++x) values.push_back(count_of(t, y, x));
        TestFile source(at(file));
        source.make("/d", H5T_STD_U16LE, {which.size(), bottom - top, right - left}, values.data(),
                    H5T_NATIVE_UINT16, {1, bottom - top, right - left});
    }
    std::shared_ptr<FrameSource> master() const { return io::open_frames(at("m.h5")); }

    /// Every pixel that is there has its count, every other one none, whether frames are read one by one or
    /// as many as are there side by side.
    using There = std::function<bool(std::size_t t, std::size_t y, std::size_t x)>;
    template <class T>
    static void expect_there(FrameSource& source, const There& there,
                             const std::function<bool(T)>& is_count) {
        ASSERT_EQ(source.frames(), frames);
        const auto check = [&](std::size_t first, std::size_t count) {
            std::vector<T> values(count * height * width);
            source.read(first, count, std::as_writable_bytes(std::span(values)));
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t t = first + i / (height * width), y = i / width % height, x = i % width;
                if (there(t, y, x))
                    ASSERT_EQ(static_cast<double>(values[i]), count_of(t, y, x)) << t << " " << y << " " << x;
                else
                    ASSERT_FALSE(is_count(values[i])) << t << " " << y << " " << x;
            }
        };
        std::size_t first = 0;
        for (std::size_t t = 0; t <= frames; ++t) {
            bool any = false;
            std::size_t lacking = 0;
            for (std::size_t i = 0; i < height * width && t < frames; ++i) {
                any = any || there(t, i / width, i % width);
                lacking += there(t, i / width, i % width) ? 0 : 1;
            }
            if (t < frames) {
                EXPECT_EQ(source.written(t), any) << t;
                EXPECT_EQ(pixels_of(source.lacking(t)), any ? lacking : 0) << t;
            }
            if (any) {
                check(t, 1);
                continue;
            }
            if (t > first) check(first, t - first);
            first = t + 1;
            if (t == frames) continue;
            std::vector<T> frame(height * width);
            EXPECT_TRUE(
                contains(input_error([&] { source.read(t, 1, std::as_writable_bytes(std::span(frame))); }),
                         {"frame " + std::to_string(t) + " "}));
        }
    }
    static void expect_there(FrameSource& source, const There& there) {
        expect_there<std::uint16_t>(source, there, [](std::uint16_t value) { return value != 65535; });
    }
};

/// Frames k, k + writers, ... of the stack.
Slab interleaved(std::size_t k, std::size_t writers) {
    return {{k, 0, 0}, {writers, 1, 1}, {frames / writers, 1, 1}, {1, height, width}};
}

TEST_F(LackingPixels, AWriterThatIsNotMappedLeavesItsFramesMissing) {
    for (const std::uint16_t fill : {std::uint16_t{0}, std::uint16_t{7}}) {
        {
            TestFile file(at("m.h5"));
            std::vector<Part> parts;
            for (const std::size_t k : {0U, 1U, 3U})
                parts.push_back({"w" + std::to_string(k) + ".h5", interleaved(k, 4), {2, height, width}});
            make_virtual(file, "/entry/data/data", {frames, height, width}, parts, H5T_STD_U16LE, fill);
        }
        for (const std::size_t k : {0U, 1U, 3U}) write_source("w" + std::to_string(k) + ".h5", {k, k + 4});
        expect_there(*master(), [](std::size_t t, std::size_t, std::size_t) { return t % 4 != 2; });
    }
}

TEST_F(LackingPixels, AnInterleavedSourceThatIsAFrameShortLeavesThatFrameMissing) {
    for (const bool selected : {false, true}) {
        {
            TestFile file(at("m.h5"));
            std::vector<Part> parts;
            for (std::size_t k = 0; k < 4; ++k) {
                Part part{"w" + std::to_string(k) + ".h5", interleaved(k, 4), {2, height, width}};
                if (selected) part.from = Slab::of({0, 0, 0}, {2, height, width});
                parts.push_back(part);
            }
            make_virtual(file, "/entry/data/data", {frames, height, width}, parts);
        }
        for (std::size_t k = 0; k < 4; ++k)
            write_source("w" + std::to_string(k) + ".h5",
                         k == 2 ? std::vector<std::size_t>{2} : std::vector<std::size_t>{k, k + 4});
        const auto source = master();
        expect_there(*source, [](std::size_t t, std::size_t, std::size_t) { return t != 6; });
        std::vector<std::uint16_t> all(frames * height * width);
        EXPECT_TRUE(
            contains(input_error([&] { source->read(0, frames, std::as_writable_bytes(std::span(all))); }),
                     {"m.h5::/entry/data/data", "frame 6 is beyond the end of a source", "w2.h5::/d"}));
    }
}

TEST_F(LackingPixels, FramesBetweenThoseOfOneSourceAreMissing) {
    {
        TestFile file(at("m.h5"));
        make_virtual(file, "/entry/data/data", {frames, height, width},
                     {{"w.h5", interleaved(0, 2), {4, height, width}}}, H5T_STD_U16LE, 65535);
    }
    write_source("w.h5", {0, 2, 4, 6});
    expect_there(*master(), [](std::size_t t, std::size_t, std::size_t) { return t % 2 == 0; });
}

TEST_F(LackingPixels, AModuleThatIsNotMappedInSomeFramesIsInvalidInThese) {
    for (const hid_t type : {H5T_STD_U16LE, H5T_STD_I32LE, H5T_IEEE_F32LE}) {
        {
            TestFile file(at("m.h5"));
            make_virtual(file, "/entry/data/data", {frames, height, width},
                         {{"left.h5", Slab::of({0, 0, 0}, {frames, height, 5}), {frames, height, 5}},
                          {"right.h5", Slab::of({0, 0, 5}, {4, height, 5}), {4, height, 5}}},
                         type);
        }
        write_source("left.h5", {0, 1, 2, 3, 4, 5, 6, 7}, 0, height, 0, 5);
        write_source("right.h5", {0, 1, 2, 3}, 0, height, 5, width);
        const There there = [](std::size_t t, std::size_t, std::size_t x) { return x < 5 || t < 4; };
        const auto source = master();
        if (source->type() == ElementType::u16) expect_there(*source, there);
        if (source->type() == ElementType::i32)
            expect_there<std::int32_t>(*source, there, [](std::int32_t value) { return value >= 0; });
        if (source->type() == ElementType::f32)
            expect_there<float>(*source, there, [](float value) { return std::isfinite(value); });
    }
}

TEST_F(LackingPixels, AModuleWhoseSourceIsShortIsNeverReadBeyondIt) {
    {
        TestFile file(at("m.h5"));
        make_virtual(file, "/entry/data/data", {frames, height, width},
                     {{"top.h5", Slab::of({0, 0, 0}, {frames, 2, width}), {frames, 2, width}},
                      {"bottom.h5", Slab::of({0, 3, 0}, {frames, 3, width}), {frames, 3, width}}});
    }
    write_source("top.h5", {0, 1, 2, 3, 4, 5, 6, 7}, 0, 2);
    write_source("bottom.h5", {0, 1, 2, 3, 4}, 3, height);
    expect_there(*master(),
                 [](std::size_t t, std::size_t y, std::size_t) { return y < 2 || (y > 2 && t < 5); });
}

TEST_F(LackingPixels, HolesOfAVirtualDatasetInAVirtualDatasetCount) {
    {
        TestFile file(at("m.h5"));
        // Two columns further right, and two frames later.
        make_virtual(file, "/entry/data/data", {frames, height, width},
                     {{".",
                       Slab::of({2, 0, 2}, {6, height, width - 2}),
                       {frames, height, width},
                       Slab::of({2, 0, 2}, {6, height, width - 2}),
                       "/inner"}});
        make_virtual(file, "/inner", {frames, height, width},
                     {{"w.h5", interleaved(0, 2), {4, height, width}}});
    }
    write_source("w.h5", {0, 2, 4, 6});
    expect_there(*master(),
                 [](std::size_t t, std::size_t, std::size_t x) { return t >= 2 && t % 2 == 0 && x >= 2; });
}

TEST_F(LackingPixels, OneFileForEachFrameIsFollowed) {
    {
        TestFile file(at("m.h5"));
        std::vector<Part> parts;
        for (std::size_t t = 0; t < frames; ++t)
            if (t != 5)
                parts.push_back({"f" + std::to_string(t) + ".h5",
                                 Slab::of({t, 0, 0}, {1, height, width}),
                                 {1, height, width}});
        make_virtual(file, "/entry/data/data", {frames, height, width}, parts);
    }
    for (std::size_t t = 0; t < frames; ++t)
        if (t != 5) write_source("f" + std::to_string(t) + ".h5", {t});
    expect_there(*master(), [](std::size_t t, std::size_t, std::size_t) { return t != 5; });
}

TEST_F(LackingPixels, TilesThatWereNeverWrittenAreInvalidWhereverTheyLie) {
    {
        TestFile file(at("m.h5"));
        file.make("/entry/data/data", H5T_STD_U16LE, {frames, height, width}, nullptr, -1, {1, 4, 4},
                  [](hid_t properties) { H5Pset_deflate(properties, 1); });
        const hid_t dataset = H5Dopen2(file.id(), "/entry/data/data", H5P_DEFAULT),
                    space = H5Dget_space(dataset);
        for (hsize_t t = 0; t < frames; ++t) {
            if (t == 3) continue;
            // In frame 6 the rows below the fourth alone; the last columns never.
            const hsize_t top = t == 6 ? 4 : 0;
            const Shape start{t, top, 0}, block{1, height - top, 8};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
            std::vector<std::uint16_t> values;
            for (std::size_t y = top; y < height; ++y)
                for (std::size_t x = 0; x < 8; ++x) values.push_back(count_of(t, y, x));
            const hid_t memory = space_of(block);
            EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, values.data()), 0);
            H5Sclose(memory);
        }
        H5Sclose(space);
        H5Dclose(dataset);
    }
    expect_there(*master(), [](std::size_t t, std::size_t y, std::size_t x) {
        return t != 3 && x < 8 && (t != 6 || y >= 4);
    });
}

TEST_F(LackingPixels, FramesBehindTheEndOfAnExternalFileAreMissing) {
    std::vector<std::uint16_t> values;
    for (std::size_t i = 0; i < 5 * height * width + height * width / 2; ++i)
        values.push_back(count_of(i / (height * width), i / width % height, i % width));
    write_bytes(
        at("raw.bin"),
        std::string(16, 'x') + std::string(reinterpret_cast<const char*>(values.data()), 2 * values.size()));
    for (const hsize_t size : {hsize_t{2 * frames * height * width}, hsize_t{H5F_UNLIMITED}}) {
        TestFile(at("m.h5"))
            .make("/entry/data/data", H5T_STD_U16LE, {frames, height, width}, nullptr, -1, {},
                  [&](hid_t properties) {
                      EXPECT_GE(H5Pset_external(properties, at("raw.bin").c_str(), 16, size), 0);
                  });
        expect_there(*master(), [](std::size_t t, std::size_t, std::size_t) { return t < 5; });
    }
}

TEST_F(LackingPixels, PicturesOfFramesDoNotShowThem) {
    {
        TestFile file(at("m.h5"));
        make_virtual(file, "/entry/data/data", {frames, height, width},
                     {{"left.h5", Slab::of({0, 0, 0}, {frames, height, 5}), {frames, height, 5}},
                      {"right.h5", Slab::of({0, 0, 5}, {4, height, 4}), {4, height, 4}}});
    }
    write_source("left.h5", {0, 1, 2, 3, 4, 5, 6, 7}, 0, height, 0, 5);
    write_source("right.h5", {0, 1, 2, 3}, 0, height, 5, 9);
    const auto source = master();
    const auto at_row_1 = [&](std::size_t first, std::size_t count, Combination how) {
        const std::vector<double> all = combined(*source, first, count, how, quiet).to_doubles();
        return std::vector<double>(all.begin() + width, all.begin() + 2 * width);
    };
    const auto one = at_row_1(5, 1, Combination::sum), most = at_row_1(0, frames, Combination::max),
               sum = at_row_1(2, 2, Combination::sum), both = at_row_1(3, 2, Combination::sum);
    for (std::size_t x = 0; x < width; ++x) {
        EXPECT_EQ(std::isnan(one[x]), x >= 5) << x;
        EXPECT_EQ(std::isnan(both[x]), x >= 5) << x;
        EXPECT_EQ(std::isnan(most[x]), x == 9) << x;
        EXPECT_EQ(std::isnan(sum[x]), x == 9) << x;
        if (x == 9) continue;
        EXPECT_EQ(most[x], count_of(x < 5 ? 7 : 3, 1, x));
        EXPECT_EQ(sum[x], count_of(2, 1, x) + count_of(3, 1, x));
    }
    EXPECT_EQ(one[4], count_of(5, 1, 4));
    EXPECT_TRUE(contains(io::describe(at("m.h5") + "::/entry/data/data"),
                         {"first frame  1 to 59, 6 of 60 pixels are not in the file"}));
}

TEST_F(LackingPixels, WhatIsThereIsWhole) {
    {
        TestFile file(at("m.h5"));
        std::vector<Part> parts;
        for (std::size_t k = 0; k < 4; ++k)
            parts.push_back({"w" + std::to_string(k) + ".h5", interleaved(k, 4), {2, height, width}});
        make_virtual(file, "/entry/data/data", {frames, height, width}, parts);
    }
    for (std::size_t k = 0; k < 4; ++k) write_source("w" + std::to_string(k) + ".h5", {k, k + 4});
    const auto source = master();
    EXPECT_FALSE(source->may_lack_pixels());
    expect_there(*source, [](std::size_t, std::size_t, std::size_t) { return true; });
}

TEST_F(LackingPixels, AFewChunksOfMillionsAreFoundAtOnce) {
    constexpr hsize_t declared = 8000000;
    {
        TestFile file(at("m.h5"));
        file.make("/entry/data/data", H5T_STD_U16LE, {declared, height, width}, nullptr, -1,
                  {1, height, width});
        const hid_t dataset = H5Dopen2(file.id(), "/entry/data/data", H5P_DEFAULT);
        const std::vector<std::uint16_t> ones(height * width, 1);
        for (const hsize_t t : {2U, 7U}) {
            const hsize_t offset[] = {t, 0, 0};
            EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, ones.size() * 2, ones.data()), 0);
        }
        H5Dclose(dataset);
    }
    const auto source = master();
    ASSERT_EQ(source->frames(), declared);
    const auto begin = std::chrono::steady_clock::now();
    std::size_t there = 0;
    for (std::size_t t = 0; t < declared; ++t) there += source->written(t) ? 1 : 0;
    EXPECT_EQ(there, 2U);
    EXPECT_TRUE(source->written(7));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, time_limit(std::chrono::seconds(2)));
}

}  // namespace
}  // namespace ks::tests::lacking_pixels
