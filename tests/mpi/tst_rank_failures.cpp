// What several processes say, write and return where something is wrong with one of them.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/mpi/mpi_process.h"
#include "tests/reference_data.h"

namespace ks::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class RankFailures : public testing::Test {
  protected:
    /// A run that takes minutes on a processor, in pieces that each take far less than a second: that long
    /// mpirun waits for processes that it wants to end.
    Arguments long_run() {
        const Outcome made =
            run_cli({"generate", "particles", "--points", "20000", "--out", folder_ / "points.npy"});
        EXPECT_EQ(made.code, 0) << made.err;
        return {"particles",  "--sources", folder_ / "points.npy",
                "--planes",   "4000",      "--kernel",
                "helmholtz",  "--device",  "host",
                "--progress", "--out",     folder_ / "run.h5"};
    }
    /// Nothing of the run: neither under its name nor unfinished.
    void expect_nothing_written() const {
        for (const std::string& name : folder_.names())
            EXPECT_EQ(name.find("run"), std::string::npos) << name;
    }
    TemporaryFolder folder_;
};

TEST_F(RankFailures, a_rank_that_is_killed_ends_all_within_10_s_and_leaves_no_file) {
    KS_REQUIRE_MPI();
    for (const std::size_t killed : {2, 0}) {
        SCOPED_TRACE(killed);
        MpiProcess process(4, long_run());
        ASSERT_TRUE(process.wait_for_error_text("sum")) << process.err();
        const auto rank = process.process_of(killed);
        ASSERT_TRUE(rank);
        const auto begin = Clock::now();
        ASSERT_EQ(kill(*rank, SIGKILL), 0);
        EXPECT_NE(process.wait(), 0);
        EXPECT_LT(Clock::now() - begin, 10s);
        expect_nothing_written();
        fs::remove(folder_ / "points.npy");
    }
}

TEST_F(RankFailures, ctrl_c_ends_all_with_one_sentence) {
    KS_REQUIRE_MPI();
    MpiProcess process(3, long_run());
    ASSERT_TRUE(process.wait_for_error_text("sum")) << process.err();
    const auto begin = Clock::now();
    process.interrupt();
    EXPECT_NE(process.wait(), 0);
    EXPECT_LT(Clock::now() - begin, 10s);
    EXPECT_EQ(own_lines(process.err()), Arguments{"kernelscope-cli: interrupted; nothing was written"});
    expect_nothing_written();
}

TEST_F(RankFailures, a_signal_to_one_rank_ends_all_with_one_sentence) {
    KS_REQUIRE_MPI();
    MpiProcess process(3, long_run());
    ASSERT_TRUE(process.wait_for_error_text("sum")) << process.err();
    const auto begin = Clock::now();
    const auto rank = process.process_of(1);
    ASSERT_TRUE(rank);
    ASSERT_EQ(kill(*rank, SIGTERM), 0);
    EXPECT_NE(process.wait(), 0);
    EXPECT_LT(Clock::now() - begin, 10s);
    EXPECT_EQ(own_lines(process.err()), Arguments{"kernelscope-cli: interrupted; nothing was written"});
    expect_nothing_written();
}

TEST_F(RankFailures, an_error_that_all_have_is_told_once_as_one_process_tells_it) {
    KS_REQUIRE_MPI();
    for (const Arguments& arguments :
         {Arguments{"spots", folder_ / "none.h5"}, Arguments{"spots", "--no-such-option"},
          Arguments{"spots", reference_data("spots_rotation.h5"), "--variant", "none"},
          Arguments{"particles", "--sources", reference_data("particles_50.csv"), "--check", "nonsense"}}) {
        const Outcome alone = run_cli(arguments), ranks = run_ranks(3, arguments);
        EXPECT_EQ(ranks.code, alone.code);
        EXPECT_EQ(own_lines(ranks.err), own_lines(alone.err)) << ranks.err;
        EXPECT_EQ(ranks.out, "");
    }
}

TEST_F(RankFailures, unequal_files_requests_and_lists_are_named_with_rank_and_both_values) {
    KS_REQUIRE_MPI();
    const std::string first = reference_data("particles_50.csv");
    fs::copy_file(first, folder_ / "other.csv");
    const auto run = [&](const std::string& file, const Arguments& more = {}) {
        Arguments all{"particles", "--sources", file, "--out", folder_ / "run.h5"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const Outcome files = run_ranks({run(first), run(first), run(folder_ / "other.csv")});
    EXPECT_EQ(files.code, 2);
    ASSERT_EQ(own_lines(files.err).size(), 1U) << files.err;
    EXPECT_NE(files.err.find("other.csv"), std::string::npos) << files.err;
    EXPECT_NE(files.err.find("for rank 2 on "), std::string::npos) << files.err;
    EXPECT_NE(files.err.find("for rank 0 on "), std::string::npos) << files.err;
    const Outcome requests = run_ranks({run(first), run(first, {"--memory-limit", "1GiB"})});
    EXPECT_EQ(requests.code, 2);
    EXPECT_NE(requests.err.find("memory_limit of the request differs: 1073741824 for rank 1 on "),
              std::string::npos)
        << requests.err;
    expect_nothing_written();
}

TEST_F(RankFailures, more_ranks_than_units_leave_some_idle_and_say_so) {
    KS_REQUIRE_MPI();
    const Outcome made = run_cli({"generate", "spots", "--frames", "3", "--height", "80", "--width", "90",
                                  "--spots", "20", "--out", folder_ / "three.h5"});
    ASSERT_EQ(made.code, 0) << made.err;
    const Outcome outcome = run_ranks(8, {"spots", folder_ / "three.h5", "--check", "full"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("ranks: 8 ("), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("; 5 have nothing to do: there are too few units"), std::string::npos)
        << outcome.out;
    EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
}

TEST_F(RankFailures, what_cannot_be_shared_is_refused_with_the_reason) {
    KS_REQUIRE_MPI();
    const Outcome exercise = run_ranks(2, {"vector_add"});
    EXPECT_EQ(exercise.code, 2);
    EXPECT_EQ(own_lines(exercise.err).size(), 1U) << exercise.err;
    EXPECT_NE(exercise.err.find("cannot be divided"), std::string::npos) << exercise.err;
    const Outcome other = run_ranks(2, {"devices"});
    EXPECT_EQ(other.code, 2);
    EXPECT_EQ(own_lines(other.err).size(), 1U) << other.err;
    EXPECT_NE(other.err.find("this command runs as a single process, but 2 were started"), std::string::npos)
        << other.err;
}

TEST_F(RankFailures, a_result_that_cannot_be_written_is_told_once_and_ends_all) {
    KS_REQUIRE_MPI();
    const Outcome outcome = run_ranks(3, {"particles", "--sources", reference_data("particles_50.csv"),
                                          "--out", folder_ / "no_folder/run.h5"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(own_lines(outcome.err).size(), 1U) << outcome.err;
    expect_nothing_written();
}

/// Runs in every build: a program without the module is one, wherever it was built.
TEST_F(RankFailures, without_the_module_one_sentence_tells_so) {
    fs::create_directory(folder_ / "bin");
    fs::copy_file(KERNELSCOPE_CLI, folder_ / "bin/kernelscope-cli");
    std::string errors;
    int failed = 0;
    for (const char* rank : {"0", "1", "2"}) {
        const std::string command =
            std::string("OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=") + rank +
            " OMPI_COMM_WORLD_LOCAL_RANK=" + rank + " " + (folder_ / "bin/kernelscope-cli") + " particles " +
            reference_data("particles_50.csv") + " >>" + (folder_ / "out") + " 2>>" + (folder_ / "err");
        failed += std::system(command.c_str()) != 0 ? 1 : 0;
    }
    EXPECT_EQ(failed, 1);
    EXPECT_EQ(read_file(folder_ / "out"), "");
    const Arguments lines = own_lines(read_file(folder_ / "err"));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(
        lines[0],
        "kernelscope-cli: mpirun started 3 processes, but this program was built or installed without MPI; "
        "start it alone, or install the package kernelscope-mpi");
}

/// An ordinary run has nothing of MPI in its memory.
TEST_F(RankFailures, a_process_that_runs_alone_does_not_load_mpi) {
    const std::string command = "ldd " KERNELSCOPE_CLI " >" + (folder_ / "libraries");
    ASSERT_EQ(std::system(command.c_str()), 0);
    const std::string libraries = read_file(folder_ / "libraries");
    EXPECT_NE(libraries.find("libOpenCL"), std::string::npos) << libraries;
    EXPECT_EQ(libraries.find("libmpi"), std::string::npos) << libraries;
    CliProcess worker({"worker"});
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(read_file("/proc/" + std::to_string(worker.pid()) + "/maps").find("libmpi"), std::string::npos);
}

}  // namespace
}  // namespace ks::tests
