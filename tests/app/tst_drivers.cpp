// Drivers of OpenCL that hang or crash: they are named and left out, and runs on the host do not ask for
// them.

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace drivers_test {

namespace fs = std::filesystem;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

class Drivers : public testing::Test {
  protected:
    void SetUp() override {
        std::error_code failed;
        for (const auto& one : fs::directory_iterator("/etc/OpenCL/vendors", failed))
            fs::copy_file(one.path(), folder_.path() / one.path().filename(), failed);
        if (const char* const given = std::getenv("OCL_ICD_VENDORS")) before_ = given;
        setenv("OCL_ICD_VENDORS", folder_.path().c_str(), 1);
        setenv("KERNELSCOPE_DRIVER_LIMIT", "4", 1);
    }
    void TearDown() override {
        before_.empty() ? unsetenv("OCL_ICD_VENDORS") : setenv("OCL_ICD_VENDORS", before_.c_str(), 1);
        unsetenv("KERNELSCOPE_DRIVER_LIMIT");
    }
    /// The loader waits for who writes into it.
    void add_one_that_hangs() const { ASSERT_EQ(mkfifo((folder_ / "hangs.icd").c_str(), 0600), 0); }
    static std::size_t times(const std::string& text, const std::string& part) {
        std::size_t count = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
        return count;
    }

    ks::tests::OwnCache cache_;
    TemporaryFolder folder_;
    std::string before_;
};

TEST_F(Drivers, a_run_on_the_host_does_not_ask_for_drivers) {
    add_one_that_hangs();
    const Outcome run = run_cli({"vector_add", "--size", "10", "--device", "host", "--check", "full"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err.find("driver"), std::string::npos) << run.err;
}

TEST_F(Drivers, one_that_hangs_is_named_and_left_out_and_later_starts_know_it) {
    add_one_that_hangs();
    const Outcome first = run_cli({"devices"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(times(first.err, "hangs.icd is left out"), 1U) << first.err;
    EXPECT_NE(first.err.find("did not answer within 4 s"), std::string::npos) << first.err;
    const auto begin = std::chrono::steady_clock::now();
    const Outcome run = run_cli({"vector_add", "--size", "10", "--check", "full"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(times(run.err, "hangs.icd is left out"), 1U) << run.err;
    fs::remove(folder_.path() / "hangs.icd");
    EXPECT_EQ(run_cli({"vector_add", "--size", "10"}).err.find("left out"), std::string::npos);
}

TEST_F(Drivers, one_that_crashes_is_named_and_the_others_are_used) {
    std::ofstream(folder_ / "crash.c")
        << "#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { abort(); }\n";
    const std::string build = "cc -shared -fPIC -o " + (folder_ / "libcrash.so") + " " +
                              (folder_ / "crash.c") + " > /dev/null 2>&1";
    if (std::system(build.c_str()) != 0) GTEST_SKIP() << "no C compiler";
    std::ofstream(folder_ / "crash.icd") << folder_ / "libcrash.so"
                                         << "\n";
    const Outcome listed = run_cli({"devices"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_NE(listed.err.find("crash.icd is left out"), std::string::npos) << listed.err;
    EXPECT_NE(listed.err.find("signal 6"), std::string::npos) << listed.err;
    EXPECT_NE(listed.out.find("Host"), std::string::npos) << listed.out;
}

}  // namespace drivers_test
