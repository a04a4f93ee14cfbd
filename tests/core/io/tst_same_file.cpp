// Names of one file are known as such: links, also to what is not there yet, hard links, relative names.

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/io/files/same_file.h"
#include "core/io/files/temporary_folder.h"

namespace same_file_test {

namespace fs = std::filesystem;
using ks::io::is_same_file;

class SameFile : public testing::Test {
  protected:
    fs::path at(const std::string& name) const { return folder_.path() / name; }
    ks::io::TemporaryFolder folder_{"kernelscope-same-file"};
};

TEST_F(SameFile, of_a_file_that_is_there) {
    std::ofstream(at("a")) << "a";
    std::ofstream(at("b")) << "a";
    fs::create_hard_link(at("a"), at("hard"));
    fs::create_symlink("a", at("soft"));
    fs::create_directory(at("sub"));
    for (const fs::path& name : {at("a"), at("hard"), at("soft"), at("sub/../a"), at("./a")}) {
        EXPECT_TRUE(is_same_file(at("a"), name)) << name;
        EXPECT_FALSE(is_same_file(at("b"), name)) << name;
    }
}

TEST_F(SameFile, of_a_file_that_is_not_there_yet) {
    fs::create_symlink("made", at("one"));
    fs::create_symlink(at("one"), at("two"));
    fs::create_directory(at("sub"));
    fs::create_directory_symlink("sub", at("link"));
    EXPECT_TRUE(is_same_file(at("made"), at("one")));
    EXPECT_TRUE(is_same_file(at("two"), at("made")));
    EXPECT_TRUE(is_same_file(at("link/made"), at("sub/made")));
    EXPECT_FALSE(is_same_file(at("sub/made"), at("made")));
    EXPECT_FALSE(is_same_file(at("made"), at("other")));
    const fs::path before = fs::current_path();
    fs::current_path(folder_.path());
    EXPECT_TRUE(is_same_file("made", at("one")));
    fs::current_path(before);
}

TEST_F(SameFile, is_never_said_of_an_empty_name_and_ends_where_links_go_round) {
    EXPECT_FALSE(is_same_file("", ""));
    EXPECT_FALSE(is_same_file("", at("a")));
    fs::create_symlink("round", at("round"));
    EXPECT_TRUE(is_same_file(at("round"), at("round")));
    EXPECT_FALSE(is_same_file(at("round"), at("a")));
}

}  // namespace same_file_test
