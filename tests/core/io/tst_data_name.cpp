// Which part of "FILE::/path" is the file.

#include "core/io/files/data_name.h"

#include "core/run/problem_key.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class DataNames : public IoTest {
  protected:
    /// "FILE|OBJECT" of a name below the folder.
    std::string parts(const std::string& name) const {
        const io::DataName data = io::DataName::parse(at(name));
        return fs::relative(data.file, folder).string() + "|" + data.object;
    }
    void put(const std::string& name) const {
        fs::create_directories((folder / name).parent_path());
        write_bytes(at(name), "x");
    }
};

TEST_F(DataNames, OfFilesThatAreThere) {
    for (const char* name :
         {"f.h5", "a::/f.h5", "a::b/f.h5", "a::/b::c/d::/f.h5", "g::h.h5", "odd::/entry", "::/f.h5"})
        put(name);
    EXPECT_EQ(parts("f.h5"), "f.h5|");
    EXPECT_EQ(parts("f.h5::/entry/data"), "f.h5|/entry/data");
    EXPECT_EQ(parts("f.h5::entry/data/"), "f.h5|/entry/data");
    EXPECT_EQ(parts("f.h5::/entry::/data"), "f.h5|/entry::/data");
    EXPECT_EQ(parts("a::/f.h5"), "a::/f.h5|");
    EXPECT_EQ(parts("a::/f.h5::/entry"), "a::/f.h5|/entry");
    EXPECT_EQ(parts("a::/f.h5::entry"), "a::/f.h5|/entry");
    EXPECT_EQ(parts("a::b/f.h5"), "a::b/f.h5|");
    EXPECT_EQ(parts("a::b/f.h5::/entry/data"), "a::b/f.h5|/entry/data");
    EXPECT_EQ(parts("a::/b::c/d::/f.h5::/x"), "a::/b::c/d::/f.h5|/x");
    EXPECT_EQ(parts("g::h.h5"), "g::h.h5|");
    EXPECT_EQ(parts("g::h.h5::/x"), "g::h.h5|/x");
    EXPECT_EQ(parts("odd::/entry"), "odd::/entry|");
    EXPECT_EQ(parts("::/f.h5::/x"), "::/f.h5|/x");
}

TEST_F(DataNames, OfFilesThatAreNotThere) {
    fs::create_directory(folder / "a::");
    fs::create_directory(folder / "a::b");
    EXPECT_EQ(parts("none.h5::/entry/data"), "none.h5|/entry/data");
    EXPECT_EQ(parts("g::none.h5::/entry"), "g::none.h5|/entry");
    EXPECT_EQ(parts("a::/none.h5"), "a::/none.h5|");
    EXPECT_EQ(parts("a::/none.h5::/entry"), "a::/none.h5|/entry");
    EXPECT_EQ(parts("a::b/none.h5"), "a::b/none.h5|");
    EXPECT_EQ(parts("a::b/none.h5::entry"), "a::b/none.h5|/entry");
    EXPECT_EQ(io::DataName::parse("none.h5::").to_string(), "none.h5");
    EXPECT_EQ(io::DataName::parse("").to_string(), "");
}

TEST_F(DataNames, TheStateOfAProblemIsThatOfItsFile) {
    put("a::b/f.h5");
    Request request;
    request.inputs["frames"] = {at("a::b/f.h5") + "::/entry", {}};
    const std::string before = problem_key(request);
    write_bytes(at("a::b/f.h5"), "longer");
    EXPECT_NE(problem_key(request), before);
}

TEST_F(DataNames, SuffixesInAnyCase) {
    EXPECT_EQ(io::suffix_of("a.b/X.TIFF"), ".tiff");
    EXPECT_EQ(io::suffix_of("x"), "");
    EXPECT_EQ(io::suffix_of("x.h5.CSV"), ".csv");
}

}  // namespace
}  // namespace ks::tests
