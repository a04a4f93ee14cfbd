#include <gtest/gtest.h>

#include <ctime>

#include "core/io/hdf5/hdf5_links.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"
#include "tests/time_limit.h"

namespace ks::tests {
namespace {

/// Seconds: what does not end takes much longer, and a busy machine less.
constexpr double without_end = time_limit(60);

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

TEST_F(Hdf5Links, TenTimesAsManyGroupsTakeTenTimesAsLong) {
    for (const bool newest : {false, true}) {
        const hid_t access = H5Pcreate(H5P_FILE_CREATE);
        if (newest) H5Pset_link_creation_order(access, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
        const auto written = [&](const std::string& name, int groups) {
            TestFile file(at(name), access);
            file.ramp("/zz", {2, 3, 4});
            for (int i = 0; i < groups; ++i) file.group("/g" + std::to_string(i));
            return at(name);
        };
        const std::string few = written("few.h5", 500), many = written("many.h5", 5000);
        H5Pclose(access);
        EXPECT_EQ(io::open_frames(many)->frames(), 2u);
        EXPECT_EQ(io::read_tree(many).children.size(), 5001u);
        const std::map<std::string, std::function<void(const std::string&)>> ways{
            {"open_frames", [](const std::string& file) { io::open_frames(file); }},
            {"read_tree", [](const std::string& file) { io::read_tree(file); }},
            {"describe", [](const std::string& file) { io::describe(file); }}};
        for (const auto& [name, way] : ways) {
            double least = std::numeric_limits<double>::infinity(), most = least;
            for (int i = 0; i < 2; ++i) {
                least = std::min(least, seconds_of([&] { way(few); }));
                most = std::min(most, seconds_of([&] { way(many); }));
            }
            // a pass for each group: 100
            EXPECT_LT(most / least, 35) << name << ' ' << newest << ": " << least << " s, " << most << " s";
            RecordProperty(name + (newest ? "_newest" : ""), std::to_string(most / least));
        }
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
    EXPECT_LT(seconds_of([&] { EXPECT_EQ(io::open_frames(at("twice.h5"))->frames(), 2u); }), without_end);
    std::string text;
    EXPECT_LT(seconds_of([&] { text = io::describe(at("twice.h5")); }), without_end);
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
    EXPECT_LT(seconds_of([&] { text = io::describe(at("one.h5")); }), without_end);
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
                  without_end)
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
    EXPECT_LT(seconds_of([&] { text = io::describe(at("deep.h5")); }), without_end);
    EXPECT_TRUE(contains(text, {"2 frames of 3 x 4", "deeper than 256 groups"}));
}

}  // namespace
}  // namespace ks::tests
