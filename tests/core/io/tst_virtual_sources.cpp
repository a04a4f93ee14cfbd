#include <gtest/gtest.h>

#include "core/io/open_frames.h"
#include "tests/beamline_files.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

using io::open_frames;
using Shape = TestFile::Shape;

/// One source of a virtual dataset: frames [first, first + count) come from `path` in `file`, from its frame
/// 0.
struct Part {
    std::string file, path;
    hsize_t first, count;
};

void make_virtual(TestFile& file, const std::string& path, const Shape& shape,
                  const std::vector<Part>& parts) {
    file.make(path, H5T_STD_U16LE, shape, nullptr, -1, {}, [&](hid_t properties) {
        for (const Part& part : parts) {
            const hid_t space = H5Screate_simple(3, shape.data(), nullptr);
            const hsize_t start[3] = {part.first, 0, 0}, block[3] = {part.count, shape[1], shape[2]};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
            const hid_t source = H5Screate_simple(3, block, nullptr);
            EXPECT_GE(H5Pset_virtual(properties, space, part.file.c_str(), part.path.c_str(), source), 0);
            H5Sclose(source);
            H5Sclose(space);
        }
    });
}

/// Blocks of `block` frames from files with a printf-style name, as many as there are.
void make_printf(TestFile& file, const std::string& path, const std::string& name, hsize_t block) {
    const hsize_t now[3] = {0, 3, 4}, maximum[3] = {H5S_UNLIMITED, 3, 4}, one[3] = {block, 3, 4};
    const hsize_t start[3] = {0, 0, 0}, stride[3] = {block, 1, 1}, count[3] = {H5S_UNLIMITED, 1, 1};
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(3, now, maximum), source = H5Screate_simple(3, one, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, one);
    ASSERT_GE(H5Pset_virtual(properties, space, name.c_str(), "/data", source), 0);
    const hid_t dataset =
        H5Dcreate2(file.id(), path.c_str(), H5T_STD_U16LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    ASSERT_GE(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(source);
    H5Sclose(space);
    H5Pclose(properties);
}

std::vector<std::uint16_t> values_of(FrameSource& source, std::size_t first, std::size_t count) {
    std::vector<std::uint16_t> values(count * source.pixels());
    source.read(first, count, std::as_writable_bytes(std::span(values)));
    return values;
}

class VirtualSources : public IoTest {};

TEST_F(VirtualSources, WholeOnesAreRead) {
    {
        TestFile(at("a.h5")).ramp("/data", {2, 3, 4});
        TestFile(at("b.h5")).ramp("/data", {3, 3, 4}, {}, {}, 10);
        TestFile master(at("m.h5"));
        make_virtual(master, "/data", {5, 3, 4}, {{"a.h5", "/data", 0, 2}, {"b.h5", "/data", 2, 3}});
    }
    const auto source = open_frames(at("m.h5"));
    const auto values = values_of(*source, 1, 2);
    EXPECT_EQ(values.front(), 12);
    EXPECT_EQ(values.back(), 110);
    fs::last_write_time(at("b.h5"), fs::last_write_time(at("b.h5")) + std::chrono::seconds(1));
    EXPECT_NE(open_frames(at("m.h5"))->identity(), source->identity());
}

TEST_F(VirtualSources, AMissingFileIsNamed) {
    {
        TestFile(at("a.h5")).ramp("/data", {2, 3, 4});
        TestFile master(at("m.h5"));
        make_virtual(master, "/data", {4, 3, 4}, {{"a.h5", "/data", 0, 2}, {"lost.h5", "/data", 2, 2}});
    }
    EXPECT_TRUE(
        contains(input_error([&] { open_frames(at("m.h5")); }), {"m.h5::/data", "lost.h5", "missing"}));
    EXPECT_TRUE(contains(input_error([&] { io::read_array(at("m.h5"), 3); }), {"lost.h5"}));
}

TEST_F(VirtualSources, AMissingDatasetIsNamed) {
    {
        TestFile(at("a.h5")).ramp("/other", {2, 3, 4});
        TestFile master(at("m.h5"));
        make_virtual(master, "/data", {2, 3, 4}, {{"a.h5", "/data", 0, 2}});
    }
    EXPECT_TRUE(contains(input_error([&] { open_frames(at("m.h5")); }),
                         {"m.h5::/data", "a.h5::/data", "no such object"}));
}

TEST_F(VirtualSources, VirtualOfVirtual) {
    {
        TestFile master(at("m.h5")), middle(at("middle.h5"));
        make_virtual(master, "/data", {2, 3, 4}, {{"middle.h5", "/data", 0, 2}});
        make_virtual(middle, "/data", {2, 3, 4}, {{"deep.h5", "/data", 0, 2}});
    }
    EXPECT_TRUE(contains(input_error([&] { open_frames(at("m.h5")); }),
                         {"m.h5::/data", "middle.h5", "deep.h5", "missing"}));
    TestFile(at("deep.h5")).ramp("/data", {2, 3, 4});
    EXPECT_EQ(values_of(*open_frames(at("m.h5")), 1, 1).back(), 23);
}

TEST_F(VirtualSources, TheSameFile) {
    {
        TestFile master(at("m.h5"));
        make_virtual(master, "/good", {2, 3, 4}, {{".", "/raw/data", 0, 2}});
        make_virtual(master, "/bad", {2, 3, 4}, {{".", "/raw/none", 0, 2}});
        master.ramp("/raw/data", {2, 3, 4});
        make_virtual(master, "/loop", {2, 3, 4}, {{".", "/loop", 0, 2}});
    }
    EXPECT_EQ(values_of(*open_frames(at("m.h5") + "::/good"), 1, 1).back(), 23);
    EXPECT_TRUE(
        contains(input_error([&] { open_frames(at("m.h5") + "::/bad"); }), {"/raw/none", "no such object"}));
    EXPECT_TRUE(contains(input_error([&] { open_frames(at("m.h5") + "::/loop"); }), {"in an endless loop"}));
}

TEST_F(VirtualSources, FramesThatWereNeverWrittenInASource) {
    {
        TestFile(at("a.h5")).ramp("/data", {2, 3, 4});
        TestFile source(at("b.h5"));
        source.make("/data", H5T_STD_U16LE, {4, 3, 4}, nullptr, -1, {1, 3, 4});
        const hid_t dataset = H5Dopen2(source.id(), "/data", H5P_DEFAULT);
        const hid_t space = H5Dget_space(dataset);
        const hsize_t start[3] = {0, 0, 0}, block[3] = {2, 3, 4};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
        const hid_t memory = H5Screate_simple(3, block, nullptr);
        const std::vector<std::uint16_t> ones(24, 1);
        H5Dwrite(dataset, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, ones.data());
        H5Sclose(memory);
        H5Sclose(space);
        H5Dclose(dataset);
        TestFile master(at("m.h5"));
        make_virtual(master, "/data", {7, 3, 4}, {{"a.h5", "/data", 0, 2}, {"b.h5", "/data", 2, 4}});
    }
    const auto source = open_frames(at("m.h5"));
    EXPECT_EQ(values_of(*source, 2, 2), std::vector<std::uint16_t>(24, 1));
    EXPECT_TRUE(contains(input_error([&] { values_of(*source, 0, 6); }),
                         {"frame 4 was never written", "b.h5::/data"}));
    EXPECT_TRUE(contains(input_error([&] { values_of(*source, 5, 1); }), {"frame 5 was never written"}));
    EXPECT_TRUE(
        contains(input_error([&] { values_of(*source, 6, 1); }), {"frame 6 is in none of the sources"}));
    for (std::size_t frame = 0; frame < 7; ++frame) EXPECT_EQ(source->written(frame), frame < 4) << frame;
}

TEST_F(VirtualSources, PrintfNames) {
    {
        TestFile master(at("m.h5"));
        make_printf(master, "/data", "part_%b.h5", 2);
    }
    EXPECT_TRUE(contains(input_error([&] { open_frames(at("m.h5")); }), {"part_0.h5", "missing"}));
    TestFile(at("part_0.h5")).ramp("/data", {2, 3, 4});
    TestFile(at("part_1.h5")).ramp("/data", {2, 3, 4}, {}, {}, 2);
    const auto source = open_frames(at("m.h5"));
    EXPECT_EQ(source->frames(), 4u);
    EXPECT_EQ(values_of(*source, 1, 1).back(), 23);
    EXPECT_EQ(values_of(*source, 3, 1).back(), 46);
}

TEST_F(VirtualSources, TheEigerMasterWithoutItsData) {
    const std::string data = at("master.nxs");
    beamline::write_master(data);
    EXPECT_TRUE(contains(input_error([&] { open_frames(data); }),
                         {"master.nxs::/entry/data/data", beamline::absent, "missing"}));
    EXPECT_TRUE(contains(input_error([&] { open_frames(data + "::/entry/data/data_000001"); }),
                         {"/entry/data/data_000001", beamline::absent, "missing"}));
}

}  // namespace
}  // namespace ks::tests
