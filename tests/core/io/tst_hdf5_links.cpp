#include <gtest/gtest.h>

#include <ctime>

#include "core/io/hdf5/hdf5_links.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/time_limit.h"

namespace ks::tests {
namespace {

class Hdf5Links : public IoTest {
  protected:
    /// Of processors: other programs may be busy.
    static double seconds_of(const std::function<void()>& call) {
        const std::clock_t start = std::clock();
        call();
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    static void hard_link(const TestFile& file, const std::string& from, const std::string& to) {
        EXPECT_GE(H5Lcreate_hard(file.id(), from.c_str(), file.id(), to.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                  0);
    }
};

TEST_F(Hdf5Links, TenThousandGroupsAreListedInOnePass) {
    for (const bool newest : {false, true}) {
        const hid_t access = H5Pcreate(H5P_FILE_CREATE);
        if (newest) H5Pset_link_creation_order(access, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
        {
            TestFile file(at("many.h5"), access);
            file.ramp("/zz", {2, 3, 4});
            for (int i = 0; i < 10000; ++i) file.group("/g" + std::to_string(i));
        }
        H5Pclose(access);
        EXPECT_LT(seconds_of([&] { EXPECT_EQ(io::open_frames(at("many.h5"))->frames(), 2u); }), time_limit(8))
            << newest;
        EXPECT_LT(seconds_of([&] { EXPECT_EQ(io::read_tree(at("many.h5")).children.size(), 10001u); }),
                  time_limit(8));
        EXPECT_LT(seconds_of([&] { io::describe(at("many.h5")); }), time_limit(5));
    }
}

TEST_F(Hdf5Links, NamesComeInTheOrderOfTheirBytes) {
    TestFile file(at("f.h5"));
    for (const char* name : {"/b", "/a10", "/a9", "/B", "/\xc3\xa4"}) file.group(name);
    EXPECT_EQ(io::h5::names_in(file.id()), (std::vector<std::string>{"B", "a10", "a9", "b", "\xc3\xa4"}));
    file.soft_link("/c", "/a9");
    const auto links = io::h5::links_in(file.id());
    ASSERT_EQ(links.size(), 6u);
    EXPECT_EQ(links[4].name, "c");
    EXPECT_FALSE(links[4].hard);
    EXPECT_TRUE(links[3].hard);
}

TEST_F(Hdf5Links, AGroupReachedTwiceIsWalkedOnce) {
    {
        TestFile file(at("twice.h5"));
        for (int i = 0; i < 24; ++i) file.group("/g" + std::to_string(i));
        for (int i = 0; i + 1 < 24; ++i)
            for (const char* name : {"a", "b"})
                hard_link(file, "/g" + std::to_string(i + 1), "/g" + std::to_string(i) + "/" + name);
        file.ramp("/g23/data", {2, 3, 4});
    }
    EXPECT_LT(seconds_of([&] { EXPECT_EQ(io::open_frames(at("twice.h5"))->frames(), 2u); }), time_limit(5));
    std::string text;
    EXPECT_LT(seconds_of([&] { text = io::describe(at("twice.h5")); }), time_limit(5));
    EXPECT_TRUE(contains(text, {"data", "[2, 3, 4]", "same as /g0/a"}));
    EXPECT_TRUE(contains(io::describe(at("twice.h5") + "::/g5/b"), {"same as /g5/b/a", "[2, 3, 4]"}));
}

TEST_F(Hdf5Links, LinksThatLeadBackEndTheWalk) {
    {
        TestFile file(at("one.h5"));
        file.group("/entry/deep");
        for (const char* name : {"x", "y", "z"}) {
            file.soft_link(std::string("/entry/deep/up_") + name, "/entry");
            file.external_link(std::string("/entry/deep/out_") + name, "two.h5", "/there");
        }
        file.ramp("/entry/other/data", {2, 3, 4});
        TestFile other(at("two.h5"));
        for (const char* name : {"x", "y", "z"})
            other.external_link(std::string("/there/back_") + name, "./one.h5", "/entry");
    }
    std::string text;
    EXPECT_LT(seconds_of([&] { text = io::describe(at("one.h5")); }), time_limit(5));
    EXPECT_TRUE(contains(text, {"same as /entry\n", "same as /entry/deep/out_x", "[2, 3, 4]"}));
}

TEST_F(Hdf5Links, LinksThatLeadToEachOtherAreRefusedAtOnce) {
    { TestFile(at("self.h5")).external_link("/entry", "self.h5", "/entry"); }
    { TestFile(at("there.h5")).external_link("/entry", "back.h5", "/entry/data"); }
    { TestFile(at("back.h5")).external_link("/entry", "there.h5", "/entry"); }
    { TestFile(at("soft.h5")).soft_link("/entry", "/entry"); }
    for (const char* name : {"self.h5", "there.h5", "soft.h5"}) {
        const std::string file = at(name);
        EXPECT_LT(seconds_of([&] {
                      EXPECT_TRUE(contains(input_error([&] { io::open_frames(file + "::/entry"); }),
                                           {name, "/entry", "through more than 16 links"}));
                      EXPECT_EQ(io::read_tree(file).children.size(), 1u);
                      io::describe(file);
                  }),
                  time_limit(2))
            << name;
    }
}

TEST_F(Hdf5Links, GroupsInGroupsEndTheWalkToo) {
    {
        TestFile file(at("deep.h5"));
        file.ramp("/data", {2, 3, 4});
        hid_t group = H5Gcreate2(file.id(), "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int i = 0; i < 20000; ++i) {
            const hid_t next = H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            H5Gclose(group);
            group = next;
        }
        H5Gclose(group);
    }
    std::string text;
    EXPECT_LT(seconds_of([&] { text = io::describe(at("deep.h5")); }), time_limit(8));
    EXPECT_TRUE(contains(text, {"2 frames of 3 x 4", "deeper than 256 groups"}));
}

}  // namespace
}  // namespace ks::tests
