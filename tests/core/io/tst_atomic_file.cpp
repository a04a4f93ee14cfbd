#include "core/io/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>

#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class AtomicFileTest : public IoTest {
  protected:
    std::size_t files_in_folder() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
};

TEST_F(AtomicFileTest, AppearsOnlyWhenCommitted) {
    io::AtomicFile file(at("out.txt"), false);
    EXPECT_EQ(file.temporary().parent_path(), folder);
    write_bytes(file.temporary(), "whole");
    EXPECT_FALSE(fs::exists(at("out.txt")));
    file.commit();
    EXPECT_EQ(read_bytes(at("out.txt")), "whole");
    EXPECT_EQ(files_in_folder(), 1u);
    EXPECT_THROW(file.commit(), Error);
}

TEST_F(AtomicFileTest, WithoutCommitNothingIsLeft) {
    {
        const io::AtomicFile file(at("out.txt"), false);
        write_bytes(file.temporary(), "half");
        EXPECT_EQ(files_in_folder(), 1u);
    }
    EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(AtomicFileTest, WhatIsStoppedLeavesNothing) {
    Progress stopped;
    stopped.cancel();
    {
        io::AtomicFile file(at("out.txt"), false);
        write_bytes(file.temporary(), "whole");
        EXPECT_THROW(file.commit(stopped), Error);
    }
    EXPECT_THROW(io::write_text(at("out.txt"), "whole", false, stopped), Error);
    EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(AtomicFileTest, AnExistingFileStaysWithoutOverwrite) {
    write_bytes(at("out.txt"), "old");
    EXPECT_TRUE(
        contains(input_error([&] { io::AtomicFile(at("out.txt"), false); }), {"out.txt", "exists already"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::require_writable(at("out.txt"), false); }), {"exists already"}));
    EXPECT_EQ(read_bytes(at("out.txt")), "old");
    io::require_writable(at("out.txt"), true);
    EXPECT_EQ(read_bytes(at("out.txt")), "old");
    io::write_text(at("out.txt"), "new", true);
    EXPECT_EQ(read_bytes(at("out.txt")), "new");
    EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, AFileThatAppearsMeanwhileIsNotReplaced) {
    {
        io::AtomicFile file(at("out.txt"), false);
        write_bytes(file.temporary(), "ours");
        write_bytes(at("out.txt"), "theirs");
        EXPECT_TRUE(contains(input_error([&] { file.commit(); }), {"out.txt", "exists already"}));
    }
    EXPECT_EQ(read_bytes(at("out.txt")), "theirs");
    EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, PlacesThatCannotBeWritten) {
    EXPECT_TRUE(contains(input_error([&] { io::write_text(at("none/out.txt"), "x", false); }),
                         {"none/out.txt", "does not exist"}));
    EXPECT_TRUE(contains(input_error([&] { io::write_text(folder, "x", true); }), {"found a folder"}));
    write_bytes(at("file"), "x");
    EXPECT_TRUE(
        contains(input_error([&] { io::write_text(at("file/out.txt"), "x", true); }), {"file/out.txt"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::write_text("", "x", true); }), {"expected the name of a file"}));
}

TEST_F(AtomicFileTest, AReadOnlyFolder) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_TRUE(contains(input_error([&] { io::require_writable(at("out.txt"), false); }),
                         {"out.txt", "written to"}));
}

TEST_F(AtomicFileTest, ALinkStaysALink) {
    write_bytes(at("target.txt"), "old");
    fs::create_symlink(at("target.txt"), at("link.txt"));
    io::write_text(at("link.txt"), "new", true);
    EXPECT_TRUE(fs::is_symlink(at("link.txt")));
    EXPECT_EQ(read_bytes(at("target.txt")), "new");
}

}  // namespace
}  // namespace ks::tests
