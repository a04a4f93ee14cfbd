// Standard output and error that cannot be written.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/wire/wire.h"
#include "tests/app/cli_process.h"

namespace {

using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

struct Ended {
    int code;
    std::string err;
};

/// The program with its standard streams as `streams` leaves them; 128 + signal where one ends it.
Ended run_with(Arguments arguments, const std::function<void()>& streams) {
    const TemporaryFolder folder;
    const std::string err = folder / "err";
    arguments.insert(arguments.begin(), KERNELSCOPE_CLI);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        std::signal(SIGPIPE, SIG_DFL);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        streams();
        execv(KERNELSCOPE_CLI, argv.data());
        _exit(127);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(err)};
}

void full_output() {
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
}
void output_that_nobody_reads() {
    int ends[2];
    if (pipe(ends) != 0) _exit(126);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
}
void full_errors() {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    dup2(open("/dev/full", O_WRONLY), STDERR_FILENO);
}

class OutputTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder = new TemporaryFolder;
        ASSERT_EQ(run_cli({"generate", "xpcs", "--frames", "6", "--height", "40", "--width", "40", "--out",
                           *folder / "x.h5"})
                      .code,
                  0);
        std::ofstream(*folder / "digis.csv") << "index,module,x,y,adc\n0,0,1,1,5\n1,1,30,20,7\n";
        ASSERT_EQ(run_cli({"generate", "spots", "--frames", "1", "--height", "80", "--width", "80",
                           "--modules", "whole", "--out", *folder / "s.h5"})
                      .code,
                  0);
        ASSERT_EQ(run_cli({"generate", "particles", "--out", *folder / "p.csv"}).code, 0);
    }
    static void TearDownTestSuite() { delete folder; }

    /// Every command that prints, with the least to do.
    static std::vector<Arguments> commands() {
        const std::string scan = *folder / "x.h5";
        const Arguments xpcs{"xpcs", scan, "--qmask", scan + "::/entry/qmask", "--device", "host"};
        Arguments json = xpcs;
        json.push_back("--json");
        return {
            {"--help"},
            {"--version"},
            {"xpcs", "--help"},
            {"devices"},
            {"devices", "--json"},
            {"info", scan},
            {"generate", "xpcs", "--frames", "6", "--height", "40", "--width", "40", "--out",
             *folder / "again.h5", "--overwrite"},
            {"convert", *folder / "digis.csv", "--shape", "30,40", "--out", *folder / "f.h5", "--overwrite"},
            xpcs,
            json,
            {"spots", *folder / "s.h5", "--device", "host"},
            {"clusters", *folder / "digis.csv", "--device", "host"},
            {"particles", "--sources", *folder / "p.csv", "--planes", "4", "--device", "host"},
            {"bench", "xpcs", "--frames", "6", "--height", "41", "--width", "41", "--device", "host",
             "--variants", "host.gram", "--repeat", "1"}};
    }
    static TemporaryFolder* folder;
};
TemporaryFolder* OutputTest::folder = nullptr;

TEST_F(OutputTest, that_does_not_fit_is_one_sentence_and_1) {
    for (const Arguments& arguments : commands()) {
        const Ended ended = run_with(arguments, full_output);
        EXPECT_EQ(ended.code, 1) << testing::PrintToString(arguments);
        EXPECT_TRUE(ended.err.ends_with(
            "kernelscope-cli: standard output could not be written: No space left on device\n"))
            << testing::PrintToString(arguments) << ended.err;
    }
}

TEST_F(OutputTest, that_nobody_reads_is_141_without_a_word) {
    for (const Arguments& arguments : commands()) {
        const Ended ended = run_with(arguments, output_that_nobody_reads);
        EXPECT_EQ(ended.code, 141) << testing::PrintToString(arguments);
        EXPECT_EQ(ended.err.find("output"), std::string::npos) << ended.err;
    }
}

TEST_F(OutputTest, that_is_closed_is_1_and_no_file_takes_its_place) {
    const std::string scan = *folder / "closed.h5";
    const Ended ended =
        run_with({"generate", "xpcs", "--frames", "6", "--height", "40", "--width", "40", "--out", scan}, [] {
            close(STDOUT_FILENO);
            close(STDIN_FILENO);
        });
    EXPECT_EQ(ended.code, 1);
    EXPECT_NE(ended.err.find("standard output could not be written"), std::string::npos) << ended.err;
    EXPECT_EQ(run_cli({"info", scan}).code, 0);
}

TEST_F(OutputTest, of_errors_that_does_not_fit_changes_no_exit_code) {
    EXPECT_EQ(run_with({"info", "missing.h5"}, full_errors).code, 2);
    EXPECT_EQ(run_with({"no-such-command"}, full_errors).code, 2);
    EXPECT_EQ(run_with({"generate", "xpcs", "--frames", "6", "--height", "40", "--width", "40", "--out",
                        *folder / "quiet.h5", "--progress"},
                       full_errors)
                  .code,
              0);
}

TEST_F(OutputTest, of_a_worker_that_does_not_fit_is_1) {
    ks::wire::Message question;
    question.header["type"] = "nothing that it knows";
    const std::vector<std::byte> bytes = ks::wire::encode(question);
    const std::string asked = *folder / "asked";
    std::ofstream(asked, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    const Ended ended = run_with({"worker"}, [&] {
        dup2(open(asked.c_str(), O_RDONLY), STDIN_FILENO);
        full_output();
    });
    EXPECT_EQ(ended.code, 1);
    EXPECT_NE(ended.err.find("answers could not be written"), std::string::npos) << ended.err;
}

}  // namespace
