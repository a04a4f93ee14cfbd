// A limit of address space (ulimit -v): each command works, or says in one sentence that it is too low; none
// hangs, as OpenBLAS does that gets no memory.

#include <sys/wait.h>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/app/cli_process.h"

namespace {

using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // which maps more than any limit allows
#else
constexpr bool is_sanitized = false;
#endif

class AddressSpace : public testing::Test {
  protected:
    AddressSpace() {
        if (is_sanitized) return;
        EXPECT_EQ(run_cli({"generate", "xpcs", "--frames", "20", "--height", "40", "--width", "50", "--out",
                           folder_ / "x.h5"})
                      .code,
                  0);
    }
    /// Exit code under a limit; 124 where it lasts longer than a command of this size may.
    int code(int kilobytes, const std::string& arguments) {
        const std::string command =
            fmt::format("ulimit -v {}; OCL_ICD_VENDORS=/nonexistent timeout -s KILL 20 {} {} >{} 2>{}",
                        kilobytes, KERNELSCOPE_CLI, arguments, folder_ / "out", folder_ / "err");
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    TemporaryFolder folder_;
};

TEST_F(AddressSpace, that_is_too_small_is_told_in_one_sentence_by_every_command) {
    if (is_sanitized) GTEST_SKIP() << "a sanitizer needs all address space";
    const std::string scan = folder_ / "x.h5";
    int told = 0;
    for (const int kilobytes : {100'000, 150'000, 250'000, 400'000, 1'000'000})
        for (const std::string& command :
             {std::string("--version"), "info " + scan, "xpcs " + scan + " --rings 25,20,0,5,4 --device host",
              "xpcs " + scan + " --rings 25,20,0,5,4 --variant host.gram", "spots " + scan + " --device host",
              std::string("variants xpcs --device host"),
              "generate xpcs --overwrite --out " + (folder_ / "y.h5")}) {
            const int result = code(kilobytes, command);
            const std::string err = read_file(folder_ / "err");
            EXPECT_TRUE(result == 0 || result == 1 || result == 2)
                << result << " of " << command << " with " << kilobytes << ": " << err;
            if (result == 0) continue;
            ++told;
            EXPECT_TRUE(err.starts_with("kernelscope-cli: ") || err.starts_with("timeout: "))
                << command << err;
            EXPECT_EQ(err.find('\n'), err.size() - 1) << command << " with " << kilobytes << ": " << err;
        }
    EXPECT_GT(told, 0);
    EXPECT_EQ(code(2'000'000, "info " + scan), 0);
}

TEST_F(AddressSpace, that_lacks_room_for_the_threads_of_blas_is_told_with_its_need) {
    if (is_sanitized) GTEST_SKIP() << "a sanitizer needs all address space";
    setenv("OPENBLAS_NUM_THREADS", "8", 1);  // whatever this machine has
    const int result = code(400'000, "--version");
    unsetenv("OPENBLAS_NUM_THREADS");
    EXPECT_EQ(result, 1);
    EXPECT_NE(read_file(folder_ / "err")
                  .find("MiB needed to start; raise the limit, or set OPENBLAS_NUM_THREADS=1"),
              std::string::npos)
        << read_file(folder_ / "err");
}

}  // namespace
