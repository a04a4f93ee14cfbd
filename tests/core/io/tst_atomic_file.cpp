#include "core/io/files/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
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
        contains(input_error([&] { io::AtomicFile(at("out.txt"), false); }), {"out.txt", "already exists"}));
    EXPECT_TRUE(
        contains(input_error([&] { io::require_writable(at("out.txt"), false); }), {"already exists"}));
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
        EXPECT_TRUE(contains(input_error([&] { file.commit(); }), {"out.txt", "already exists"}));
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

/// A process that has begun to write `file`. @return its temporary file; the process waits to be killed
fs::path begun_elsewhere(const fs::path& file, pid_t& process) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    process = ::fork();
    if (process == 0) {
        const io::AtomicFile writing(file, true);
        const std::string name = writing.temporary().string();
        (void)!::write(ends[1], name.data(), name.size());
        for (;;) ::pause();
    }
    std::string name(4096, '\0');
    const ssize_t got = ::read(ends[0], name.data(), name.size());
    name.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    ::close(ends[0]);
    ::close(ends[1]);
    return name;
}

TEST_F(AtomicFileTest, WhatAKilledProcessLeftGoesAtTheNextWriteAndWhatALivingOneWritesStays) {
    pid_t killed = 0, living = 0;
    const fs::path left = begun_elsewhere(at("out.txt"), killed);
    const fs::path written = begun_elsewhere(at("out.txt"), living);
    ::kill(killed, SIGKILL);
    ::waitpid(killed, nullptr, 0);
    ASSERT_TRUE(fs::exists(left));
    io::write_text(at("other.txt"), "x", true);
    EXPECT_TRUE(fs::exists(left)) << "of another file";
    io::write_text(at("out.txt"), "x", true);
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(written));
    ::kill(living, SIGKILL);
    ::waitpid(living, nullptr, 0);
    io::require_writable(at("out.txt"), true);
    EXPECT_FALSE(fs::exists(written));
    EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(AtomicFileTest, NamesOf255BytesCanBeWritten) {
    const std::string name(255, 'n');
    io::write_text(at(name), "x", false);
    EXPECT_EQ(read_bytes(at(name)), "x");
    EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, AProcessThatEndsAtOnceTakesItsUnfinishedFilesAway) {
    io::AtomicFile first(at("a.txt"), false), second(at("b.txt"), false);
    first.write("half");
    io::remove_unfinished();
    EXPECT_EQ(files_in_folder(), 0u);
    EXPECT_THROW(first.commit(), Error);
    EXPECT_EQ(files_in_folder(), 0u);
}

}  // namespace
}  // namespace ks::tests
