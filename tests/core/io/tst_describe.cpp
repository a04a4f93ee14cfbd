#include <gtest/gtest.h>

#include <cmath>

#include "core/io/open_frames.h"
#include "tests/beamline_files.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class Describe : public IoTest {
  protected:
    void make_file() {
        TestFile file(at("f.h5"));
        file.group("/entry", "NXentry");
        file.ramp("/entry/data/data", {2, 3, 4}, {1, 3, 4}, [](hid_t p) {
            H5Pset_shuffle(p);
            H5Pset_deflate(p, 1);
        });
        file.ramp("/entry/line", {5});
        file.number("/entry/instrument/detector/distance", 213.5, "mm");
        file.number("/entry/instrument/detector/beam_center_x", 7, "pixel");
        file.number("/entry/instrument/detector/beam_center_y", -2, "pixel");
        file.external_link("/entry/away", "gone.h5", "/data");
        file.soft_link("/entry/same", "/entry/data/data");
    }
    static const io::FileNode& child(const io::FileNode& node, const std::string& name) {
        for (const io::FileNode& one : node.children)
            if (one.name == name) return one;
        throw std::runtime_error("no child " + name);
    }
};

TEST_F(Describe, TreeHoldsWhatTheFileHolds) {
    make_file();
    const io::FileNode root = io::read_tree(at("f.h5"));
    EXPECT_EQ(root.path, "/");
    const io::FileNode& entry = child(root, "entry");
    EXPECT_EQ(entry.nx_class, "NXentry");
    ASSERT_EQ(entry.children.size(), 5u);
    const io::FileNode& data = child(child(entry, "data"), "data");
    EXPECT_EQ(data.kind, io::FileNode::Kind::dataset);
    EXPECT_EQ(data.path, "/entry/data/data");
    EXPECT_EQ(data.type, "u16");
    EXPECT_EQ(data.shape, (std::vector<std::size_t>{2, 3, 4}));
    EXPECT_EQ(data.layout, "chunked 1x3x4, shuffle, gzip");
    EXPECT_TRUE(data.frames);
    EXPECT_TRUE(child(entry, "same").frames);
    EXPECT_FALSE(child(entry, "line").frames);
    EXPECT_EQ(child(entry, "away").kind, io::FileNode::Kind::missing);
    EXPECT_EQ(child(entry, "away").type, "gone.h5::/data");
    EXPECT_EQ(child(child(child(entry, "instrument"), "detector"), "distance").value, "213.5 mm");
}

TEST_F(Describe, AFileAndItsDefaultFrames) {
    make_file();
    EXPECT_TRUE(
        contains(io::describe(at("f.h5")), {"opens as     /entry/data/data, 2 frames of 3 x 4 u16", "entry/",
                                            "NXentry", "213.5 mm", "missing: gone.h5::/data", "[2, 3, 4]"}));
    EXPECT_TRUE(contains(io::describe(at("f.h5") + "::/entry/instrument"),
                         {"object       /entry/instrument", "213.5 mm"}));
}

TEST_F(Describe, OneDataset) {
    make_file();
    EXPECT_TRUE(
        contains(io::describe(at("f.h5") + "::/entry/data/data"),
                 {"u16", "[2, 3, 4]", "shuffle, gzip", "2 frames of 3 x 4", "frame time   not in the file",
                  "first frame  0 to 11", "x 7.500, y -1.500", "distance     213.5 mm"}));
    EXPECT_TRUE(contains(io::describe(at("f.h5") + "::/entry/line"), {"found 1 dimension [5]"}));
}

TEST_F(Describe, WhatAGeometryLacksIsSaid) {
    make_file();
    for (const std::string& name : {at("f.h5"), at("f.h5") + "::/entry/data/data"})
        EXPECT_TRUE(
            contains(io::describe(name),
                     {"distance     213.5 mm", "pixel size   not in the file", "wavelength   not in the file",
                      "q            unknown until pixel size, distance and wavelength are known"}));
}

TEST_F(Describe, AFaultOfTheGeometryIsToldBesideTheRest) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/entry/data/data", {2, 3, 4});
        file.number("/entry/instrument/detector/beam_center_x", 7, "pixel");
        file.number("/entry/instrument/detector/beam_center_y", -2, "pixel");
        file.number("/entry/instrument/detector/distance", 0, "mm");
    }
    EXPECT_TRUE(contains(
        io::describe(at("f.h5")),
        {"x 7.500, y -1.500", "distance     unknown, see below",
         "f.h5::/entry/instrument/detector/distance: expected a sample-to-detector distance", "found 0 mm"}));
}

TEST_F(Describe, AFileWithoutFramesTellsWhatItHolds) {
    {
        TestFile file(at("sums.h5"));
        file.ramp("/entry/data/x", {3});
        file.ramp("/entry/data/cube", {2, 3, 4, 5});
    }
    const std::string text = io::describe(at("sums.h5"));
    EXPECT_TRUE(contains(text, {"contents     no frames, but cube [2, 3, 4, 5], x [3]", "entry/"}));
    for (const char* word : {"expected", "geometry", "run of"}) EXPECT_EQ(text.find(word), std::string::npos);
    EXPECT_TRUE(contains(io::describe(at("sums.h5") + "::/entry/data"), {"no frames, but cube"}));
    { TestFile file(at("empty.h5")); }
    EXPECT_TRUE(contains(io::describe(at("empty.h5")), {"contents     no frames and no other numbers"}));
}

TEST_F(Describe, ARecordedRunIsNamed) {
    {
        TestFile file(at("run.h5"));
        file.ramp("/entry/data/x", {3});
        // An image that is no stack of frames, beside data that the file shows first.
        const std::vector<int> labels(6, 1);
        file.make("/entry/masks/labels", H5T_STD_I32LE, {2, 3}, labels.data(), H5T_NATIVE_INT);
        const std::vector<double> curves(6, 1);
        file.make("/entry/data/g2", H5T_IEEE_F64LE, {2, 3}, curves.data(), H5T_NATIVE_DOUBLE);
        file.text_attribute("/", "default", "entry");
        file.text_attribute("/entry", "default", "data");
        file.text_attribute("/entry/data", "signal", "g2");
        const std::string variant = R"({"analysis": "particles", "id": "vector.cpu"})";
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, variant.size());
        file.make("/entry/kernelscope/variant", type, {}, variant.data(), type);
        H5Tclose(type);
    }
    EXPECT_TRUE(contains(io::describe(at("run.h5")),
                         {"run of       particles, by vector.cpu", "contents     no frames, but", "x [3]"}));
    EXPECT_EQ(io::describe(at("run.h5")).find("expected"), std::string::npos);
}

TEST_F(Describe, ACsvHasColumnsAndRows) {
    write_bytes(at("digis.csv"), "index,name,x,adc\n0,a,-3,1.5\n1,b,12,\n\n2,7,+2,2e3\n");
    EXPECT_TRUE(contains(io::describe(at("digis.csv")),
                         {"digis.csv, 48 bytes", "contents     3 rows of 4 columns", "index  0 to 2\n",
                          "name   text\n", "x      -3 to 12\n", "adc    1.5 to 2000, 1 empty\n"}));
    write_bytes(at("short.csv"), "x,y\n1,2\n3\n");
    EXPECT_TRUE(contains(input_error([&] { io::describe(at("short.csv")); }),
                         {"short.csv, line 3", "expected 2 values, found 1"}));
    EXPECT_TRUE(contains(input_error([&] { io::describe(at("none.csv")); }), {"no such file"}));
}

TEST_F(Describe, Errors) {
    make_file();
    EXPECT_TRUE(contains(input_error([&] { io::describe(at("no.h5")); }), {"no such file"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::describe(at("f.h5") + "::/no"); }), {"::/no", "/ contains entry"}));
}

TEST_F(Describe, AMasterWithoutItsData) {
    const std::string data = at("master.nxs");
    beamline::write_master(data);
    EXPECT_TRUE(
        contains(io::describe(data), {beamline::absent, "virtual, 1 source", "NXdetector", "0.21395"}));
}

TEST_F(Describe, ANumPyFileSaysItsTypeItsShapeAndWhatItCanBe) {
    const auto npy = [&](const std::string& name, const std::string& descr, const std::string& shape,
                         const std::string& values) {
        std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
        header.resize(118 - 1, ' ');
        write_bytes(at(name), "\x93NUMPY\x01" + std::string(1, '\0') + '\x76' + std::string(1, '\0') +
                                  header + '\n' + values);
        return io::describe(at(name));
    };
    const double rows[] = {0, 1, 2, 5, std::nan(""), 1, 3, -7};
    const std::string doubles(reinterpret_cast<const char*>(rows), sizeof rows);
    EXPECT_TRUE(
        contains(npy("points.npy", "<f8", "2, 4", doubles),
                 {"type         f8\n", "shape        [2, 4]\n", "2 points, or an image of 2 x 4 pixels",
                  "x       0 to 0, 1 NaN\n", "weight  -7 to 5\n"}));
    const std::string labels = npy("labels.npy", "|u1", "2, 6", std::string("\1\2\3\4\5\6\1\2\3\4\5\7", 12));
    EXPECT_TRUE(contains(labels, {"type         u1\n", "an image of 2 x 6 pixels: labels of bins, or a mask",
                                  "values  1 to 7\n"}));
    EXPECT_EQ(labels.find("points"), std::string::npos);
    EXPECT_TRUE(contains(npy("line.npy", "<f8", "8,", doubles),
                         {"[8]", "nothing in Kernelscope", "this array has 1"}));
    write_bytes(at("text.npy"), "no NumPy");
    EXPECT_TRUE(contains(input_error([&] { io::describe(at("text.npy")); }), {"text.npy", "NumPy"}));
}

TEST_F(Describe, ACsvFileCountsWhatIsNoFiniteNumber) {
    write_bytes(at("f.csv"), "x,y,z\n1,nan,inf\n2,nan,5\n3,4,-inf\n");
    const std::string text = io::describe(at("f.csv"));
    EXPECT_TRUE(contains(text, {"x  1 to 3\n", "y  4 to 4, 2 NaN\n", "z  5 to 5, 2 infinite\n"}));
}

}  // namespace
}  // namespace ks::tests
