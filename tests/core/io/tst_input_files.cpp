#include "core/input/input_files.h"

#include <gtest/gtest.h>

#include "core/record/names_read.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class InputFiles : public IoTest {
  protected:
    void SetUp() override { write_bytes(at("other.h5"), "nothing to do with it"); }
    std::string way(const std::string& name, const std::string& file) const {
        return io::way_to(name, at(file)).value_or("none");
    }
};

TEST_F(InputFiles, TheFileItselfByAnyName) {
    { TestFile(at("scan.h5")).ramp("/entry/data", {2, 3, 4}); }
    fs::create_hard_link(at("scan.h5"), at("hard.h5"));
    fs::create_symlink(at("scan.h5"), at("soft.h5"));
    for (const char* name : {"scan.h5", "hard.h5", "soft.h5"}) {
        EXPECT_EQ(way(at("scan.h5") + "::/entry/data", name), "");
        EXPECT_EQ(way(at(name), "scan.h5"), "");
    }
    EXPECT_EQ(way(at("scan.h5"), "other.h5"), "none");
    EXPECT_EQ(way(at("scan.h5"), "missing.h5"), "none");
    EXPECT_EQ(way("rings:1,2,3,4,5", "other.h5"), "none");
}

TEST_F(InputFiles, BehindALinkIntoAFolderWithDoubleColons) {
    fs::create_directory(at("raw::1"));
    { TestFile(at("raw::1/data.h5")).ramp("/data", {2, 3, 4}); }
    { TestFile(at("master.h5")).external_link("/data", "raw::1/data.h5", "/data"); }
    EXPECT_EQ(way(at("master.h5"), "raw::1/data.h5"), at("master.h5") + "::/data");
}

TEST_F(InputFiles, BehindExternalLinksAndFurtherFiles) {
    fs::create_directory(at("raw"));
    { TestFile(at("raw/data_1.h5")).ramp("/data", {2, 3, 4}); }
    { TestFile(at("raw/middle.h5")).external_link("/data", "data_1.h5", "/data"); }
    {
        TestFile master(at("master.h5"));
        master.external_link("/entry/data/data_000001", "raw/middle.h5", "/data");
        master.external_link("/entry/data/lost", "lost.h5", "/data");
        master.soft_link("/entry/loop", "/entry");
    }
    const std::string through = at("master.h5") + "::/entry/data/data_000001";
    EXPECT_EQ(way(at("master.h5"), "raw/middle.h5"), through);
    EXPECT_EQ(way(at("master.h5"), "raw/data_1.h5"), through);
    EXPECT_EQ(way(at("master.h5"), "other.h5"), "none");
    EXPECT_EQ(way(at("raw/data_1.h5"), "master.h5"), "none");
}

TEST_F(InputFiles, FilesThatLeadToEachOther) {
    { TestFile(at("a.h5")).external_link("/to", "b.h5", "/"); }
    { TestFile(at("b.h5")).external_link("/to", "a.h5", "/"); }
    EXPECT_EQ(way(at("a.h5"), "b.h5"), at("a.h5") + "::/to");
    EXPECT_EQ(way(at("a.h5"), "other.h5"), "none");
}

TEST_F(InputFiles, BehindVirtualDatasetsAndRawFiles) {
    for (const char* name : {"part_0.h5", "part_1.h5"}) {
        TestFile(at(name)).ramp("/data", {1, 3, 4});
    }
    write_bytes(at("values.raw"), std::string(24, '\1'));
    {
        TestFile master(at("master.h5"));
        master.make("/entry/virtual", H5T_STD_U16LE, {2, 3, 4}, nullptr, -1, {}, [](hid_t properties) {
            const hsize_t whole[3] = {2, 3, 4}, one[3] = {1, 3, 4};
            const hid_t to = H5Screate_simple(3, whole, nullptr), from = H5Screate_simple(3, one, nullptr);
            for (const hsize_t i : {0, 1}) {
                const hsize_t start[3] = {i, 0, 0};
                H5Sselect_hyperslab(to, H5S_SELECT_SET, start, nullptr, one, nullptr);
                H5Pset_virtual(properties, to, ("part_" + std::to_string(i) + ".h5").c_str(), "/data", from);
            }
            H5Sclose(to);
            H5Sclose(from);
        });
        const std::string raw = at("values.raw");
        master.make("/entry/raw", H5T_STD_U16LE, {3, 4}, nullptr, -1, {},
                    [&](hid_t properties) { H5Pset_external(properties, raw.c_str(), 0, 24); });
    }
    EXPECT_EQ(way(at("master.h5"), "part_1.h5"), at("master.h5") + "::/entry/virtual");
    EXPECT_EQ(way(at("master.h5"), "values.raw"), at("master.h5") + "::/entry/raw");
    EXPECT_EQ(way(at("master.h5"), "other.h5"), "none");
}

TEST_F(InputFiles, BothRolesAreNamed) {
    { TestFile(at("data.h5")).ramp("/data", {2, 3, 4}); }
    { TestFile(at("master.h5")).external_link("/entry/data", "data.h5", "/data"); }
    Request request;
    request.inputs["frames"] = {at("master.h5") + "::/entry/data"};
    request.inputs["mask"] = {};
    EXPECT_TRUE(
        contains(input_error([&] { io::require_not_read("--out", at("data.h5"), names_read(request)); }),
                 {"data.h5", "--out would replace a file that is read as frames",
                  "master.h5::/entry/data leads to it"}));
    io::require_not_read("--out", at("other.h5"), names_read(request));
    io::require_not_read("--out", at("new.h5"), names_read(request));
}

}  // namespace
}  // namespace ks::tests
