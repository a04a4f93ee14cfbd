// Datasets of four dimensions: [frame][1][y][x] is a series, of [scan][frame][y][x] one scan is picked.

#include <gtest/gtest.h>

#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

struct Layout {
    const char* name;
    TestFile::Shape chunk;
    bool gzip = false;
};

class Scans : public IoTest, public ::testing::WithParamInterface<Layout> {
  protected:
    void write(const TestFile::Shape& shape) {
        TestFile file(at("f.h5"));
        file.ramp("/data", shape, GetParam().chunk, [](hid_t p) {
            if (GetParam().gzip) H5Pset_deflate(p, 1);
        });
    }
    std::vector<std::uint16_t> read(const std::string& name, std::size_t first, std::size_t count) const {
        const auto source = io::open_frames(name);
        std::vector<std::uint16_t> values(count * source->pixels());
        source->read(first, count, std::as_writable_bytes(std::span(values)));
        return values;
    }
    static std::vector<std::uint16_t> ramp(std::size_t first, std::size_t count) {
        std::vector<std::uint16_t> values(count);
        std::iota(values.begin(), values.end(), static_cast<std::uint16_t>(first));
        return values;
    }
};

TEST_P(Scans, one_is_picked) {
    write({3, 4, 5, 6});
    for (std::size_t scan = 0; scan < 3; ++scan) {
        const std::string name = at("f.h5") + "::/data[" + std::to_string(scan) + "]";
        const auto source = io::open_frames(name);
        EXPECT_EQ(source->name(), name);
        ASSERT_EQ(source->frames(), 4U);
        EXPECT_EQ(read(name, 0, 4), ramp(scan * 120, 120));
        EXPECT_EQ(read(name, 2, 1), ramp(scan * 120 + 60, 30));
        EXPECT_TRUE(source->written(3));
        EXPECT_TRUE(contains(io::describe(name), {"4 frames of 5 x 6 u16"}));
    }
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("f.h5") + "::/data"); }),
                         {"found 3 scans of 4 frames [3, 4, 5, 6]", "FILE::/path[0]"}));
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("f.h5") + "::/data[3]"); }),
                         {"expected a scan from 0 to 2, found 3"}));
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("f.h5") + "::/data[x]"); }),
                         {"there is no such object"}));
}

TEST_P(Scans, a_second_dimension_of_one_is_none) {
    write({7, 1, 5, 6});
    const std::string name = at("f.h5") + "::/data";
    ASSERT_EQ(io::open_frames(name)->frames(), 7U);
    EXPECT_EQ(read(name, 0, 7), ramp(0, 210));
    EXPECT_EQ(read(name, 3, 2), ramp(90, 60));
}

INSTANTIATE_TEST_SUITE_P(Layouts, Scans,
                         ::testing::Values(Layout{"contiguous", {}}, Layout{"a_frame", {1, 1, 5, 6}, true},
                                           Layout{"several_scans", {2, 1, 3, 6}, true}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(IoTest, a_scan_is_picked_of_four_dimensions_only) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/stack", {3, 4, 5});
        file.ramp("/named[1]", {3, 4, 5});
    }
    EXPECT_TRUE(contains(input_error([&] { io::open_frames(at("f.h5") + "::/stack[1]"); }),
                         {"expected [scan, frame, y, x], found 3 dimensions [3, 4, 5]"}));
    EXPECT_EQ(io::open_frames(at("f.h5") + "::/named[1]")->frames(), 3U);
}

TEST_F(IoTest, frames_of_a_scan_that_were_never_written_are_missing) {
    {
        TestFile file(at("f.h5"));
        file.make("/data", H5T_STD_U16LE, {2, 3, 4, 5}, nullptr, -1, {1, 1, 4, 5});
        const hid_t dataset = H5Dopen2(file.id(), "/data", H5P_DEFAULT);
        const std::vector<std::uint16_t> values(20, 7);
        for (hsize_t frame = 0; frame < 3; ++frame) {
            const hsize_t offset[4] = {1, frame, 0, 0};
            ASSERT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, 40, values.data()), 0);
        }
        H5Dclose(dataset);
    }
    EXPECT_TRUE(io::open_frames(at("f.h5") + "::/data[1]")->written(2));
    const auto gap = io::open_frames(at("f.h5") + "::/data[0]");
    EXPECT_FALSE(gap->written(0));
    std::vector<std::byte> frame(40);
    EXPECT_TRUE(contains(input_error([&] { gap->read(0, 1, frame); }), {"frame 0 was never written"}));
}

}  // namespace
}  // namespace ks::tests
