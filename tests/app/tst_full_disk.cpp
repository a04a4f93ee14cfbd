// A disk that is full at some point of the writing, by tests/full_disk: one sentence, exit code 1, the file
// of that name as it was, nothing else left behind.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace {

using ks::tests::CliProcess;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

const std::string old_content = "what was there before\n";

/// Processes that are started meanwhile find such a disk below a folder.
class FullDisk {
  public:
    FullDisk(const std::filesystem::path& folder, std::int64_t bytes, const std::string& report = {}) {
        setenv("LD_PRELOAD", FULL_DISK_LIBRARY, 1);
        setenv("FULL_DISK_FOLDER", folder.c_str(), 1);
        setenv("FULL_DISK_BYTES", std::to_string(bytes).c_str(), 1);
        if (!report.empty()) setenv("FULL_DISK_REPORT", report.c_str(), 1);
    }
    ~FullDisk() {
        for (const char* name : {"LD_PRELOAD", "FULL_DISK_FOLDER", "FULL_DISK_BYTES", "FULL_DISK_REPORT"})
            unsetenv(name);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
};

/// A command that writes; OUT in its arguments is the file, IN the folder of inputs.
struct Writes {
    const char* name;
    const char* file;
    Arguments arguments;
    int levels = 100;
};
void PrintTo(const Writes& writes, std::ostream* out) {
    *out << writes.name;
}

/// Data for all commands, made once.
const TemporaryFolder& inputs() {
    static const TemporaryFolder folder;
    static const bool made = [] {
        for (const Arguments& arguments :
             {Arguments{"generate", "xpcs", "--frames", "12", "--height", "60", "--width", "60", "--out",
                        folder / "x.h5"},
              Arguments{"generate", "spots", "--frames", "3", "--height", "120", "--width", "120",
                        "--modules", "whole", "--out", folder / "s.h5"},
              Arguments{"generate", "clusters", "--digis", "800", "--clusters", "300", "--out",
                        folder / "c.csv"},
              Arguments{"generate", "particles", "--out", folder / "p.csv"},
              Arguments{"clusters", folder / "c.csv", "--device", "host", "--out", folder / "run.h5"}})
            EXPECT_EQ(run_cli(arguments).code, 0);
        std::ofstream(folder / "digis.csv") << "index,module,x,y,adc\n0,0,1,1,5\n1,1,30,20,7\n2,9,39,29,9\n";
        return true;
    }();
    EXPECT_TRUE(made);
    return folder;
}

Arguments arguments_for(const Writes& writes, const std::string& out) {
    Arguments arguments = writes.arguments;
    for (std::string& argument : arguments) {
        if (argument.starts_with("IN/")) argument.replace(0, 2, inputs().path().string());
        if (argument == "OUT") argument = out;
    }
    arguments.push_back("--overwrite");
    return arguments;
}

/// What is on standard error but warnings.
std::vector<std::string> sentences(const std::string& err) {
    std::vector<std::string> lines;
    std::istringstream in(err);
    for (std::string line; std::getline(in, line);)
        if (!line.starts_with("kernelscope-cli: warning: ")) lines.push_back(line);
    return lines;
}

class FullDiskTest : public testing::TestWithParam<Writes> {
  protected:
    // No devices of OpenCL: looking for them takes longer than all else.
    void SetUp() override { setenv("OCL_ICD_VENDORS", "/nonexistent", 1); }
    void TearDown() override { unsetenv("OCL_ICD_VENDORS"); }
};

/// One level of filling.
class Attempt {
  public:
    Attempt(const Writes& writes, std::int64_t bytes) : file_(folder_ / writes.file), bytes_(bytes) {
        std::ofstream(file_) << old_content;
        const FullDisk disk(folder_.path(), bytes);
        process_ = std::make_unique<CliProcess>(arguments_for(writes, file_));
    }
    void judge() {
        SCOPED_TRACE("disk full after " + std::to_string(bytes_) + " bytes");
        EXPECT_EQ(process_->wait(), 1);
        const std::vector<std::string> said = sentences(process_->err());
        ASSERT_EQ(said.size(), 1u) << process_->err();
        EXPECT_EQ(said[0], "kernelscope-cli: " + file_ +
                               ": the file could not be written: no space left on the device");
        EXPECT_EQ(read_file(file_), old_content);
        EXPECT_EQ(folder_.names().size(), 1u) << testing::PrintToString(folder_.names());
    }

  private:
    TemporaryFolder folder_;
    std::string file_;
    std::int64_t bytes_;
    std::unique_ptr<CliProcess> process_;
};

TEST_P(FullDiskTest, is_one_sentence_and_the_old_file_stays) {
    const Writes& writes = GetParam();
    std::int64_t whole = 0;
    {
        const TemporaryFolder folder;
        const std::string report = inputs() / "report";
        std::unique_ptr<CliProcess> process;
        {
            const FullDisk disk(folder.path(), INT64_MAX, report);
            process = std::make_unique<CliProcess>(arguments_for(writes, folder / writes.file));
        }
        ASSERT_EQ(process->wait(), 0) << process->err();
        EXPECT_GT(std::filesystem::file_size(folder / writes.file), 0u);
        std::ifstream(report) >> whole;
        ASSERT_GT(whole, 200);
    }
    // What is told of times makes some files longer or shorter by a few bytes.
    const std::int64_t maximum = whole - whole / 30;
    std::deque<Attempt> running;
    for (int level = 0; level < writes.levels && !HasFailure(); ++level) {
        running.emplace_back(writes, maximum * level / (writes.levels - 1));
        if (running.size() < 3) continue;
        running.front().judge();
        running.pop_front();
    }
    for (Attempt& attempt : running) attempt.judge();
}

INSTANTIATE_TEST_SUITE_P(
    Commands, FullDiskTest,
    testing::ValuesIn(std::vector<Writes>{
        {"generate_xpcs",
         "x.h5",
         {"generate", "xpcs", "--frames", "12", "--height", "60", "--width", "60", "--out", "OUT"}},
        {"generate_spots",
         "s.h5",
         {"generate", "spots", "--frames", "3", "--height", "80", "--width", "80", "--modules", "whole",
          "--out", "OUT"}},
        {"generate_clusters",
         "c.h5",
         {"generate", "clusters", "--digis", "800", "--clusters", "300", "--out", "OUT"}},
        {"generate_clusters_csv",
         "c.csv",
         {"generate", "clusters", "--digis", "800", "--clusters", "300", "--out", "OUT"}},
        {"generate_particles", "p.h5", {"generate", "particles", "--out", "OUT"}},
        {"generate_particles_csv", "p.csv", {"generate", "particles", "--out", "OUT"}},
        {"generate_particles_npy", "p.npy", {"generate", "particles", "--out", "OUT"}},
        {"xpcs",
         "r.h5",
         {"xpcs", "IN/x.h5", "--qmask", "IN/x.h5::/entry/qmask", "--device", "host", "--out", "OUT"}},
        {"xpcs_csv",
         "r.csv",
         {"xpcs", "IN/x.h5", "--qmask", "IN/x.h5::/entry/qmask", "--device", "host", "--csv", "OUT"}},
        {"spots", "r.h5", {"spots", "IN/s.h5", "--device", "host", "--save-signal", "--out", "OUT"}},
        {"spots_csv", "r.csv", {"spots", "IN/s.h5", "--device", "host", "--csv", "OUT"}},
        {"clusters", "r.h5", {"clusters", "IN/c.csv", "--device", "host", "--out", "OUT"}},
        {"clusters_labels", "r.csv", {"clusters", "IN/c.csv", "--device", "host", "--out", "OUT"}},
        {"clusters_csv", "r.csv", {"clusters", "IN/c.csv", "--device", "host", "--csv", "OUT"}},
        {"particles",
         "r.h5",
         {"particles", "--sources", "IN/p.csv", "--planes", "10", "--device", "host", "--out", "OUT"}},
        {"particles_csv",
         "r.csv",
         {"particles", "--sources", "IN/p.csv", "--planes", "10", "--device", "host", "--csv", "OUT"}},
        {"repeat", "r.h5", {"repeat", "IN/run.h5", "--out", "OUT"}, 30},
        {"convert", "f.h5", {"convert", "IN/digis.csv", "--shape", "30,40", "--out", "OUT"}},
        {"bench",
         "b.json",
         {"bench", "xpcs", "--frames", "12", "--height", "41", "--width", "41", "--device", "host",
          "--variants", "host.gram", "--repeat", "1", "--json", "OUT"}},
    }),
    [](const testing::TestParamInfo<Writes>& row) { return std::string(row.param.name); });

TEST(FullDiskOutputs, the_sentence_names_a_run_that_was_written_before) {
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
    const TemporaryFolder room, full;
    const FullDisk disk(full.path(), 0);
    const ks::tests::Outcome outcome = run_cli({"clusters", inputs() / "c.csv", "--device", "host", "--out",
                                                room / "r.h5", "--csv", full / "r.csv"});
    unsetenv("OCL_ICD_VENDORS");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "kernelscope-cli: " + full / "r.csv" +
                               ": the file could not be written: no space left on the device; " +
                               room / "r.h5" + " was already written and is complete\n");
    EXPECT_TRUE(full.names().empty());
    EXPECT_EQ(room.names().size(), 1u);
}

TEST(FullDiskBatch, makes_failures_of_runs_that_cannot_be_written_and_leaves_no_part_of_them) {
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
    const TemporaryFolder folder;
    std::ofstream(folder / "list") << inputs() / "c.csv"
                                   << "\n";
    for (const std::int64_t bytes : {0, 1000, 20'000}) {
        const FullDisk disk(folder.path(), bytes);
        const ks::tests::Outcome outcome = run_cli(
            {"batch", "clusters", folder / "list", "--device", "host", "--out", folder / "runs", "--csv"});
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        EXPECT_NE(outcome.out.find("the file could not be written: no space left on the device"),
                  std::string::npos)
            << outcome.out;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "runs"))
            EXPECT_EQ(entry.path().filename(), "c.csv") << "a part of a file, or of two that belong together";
    }
    unsetenv("OCL_ICD_VENDORS");
}

/// The folder in which PoCL compiles is on the full disk.
class FullKernelCache : public testing::Test {
  protected:
    void SetUp() override {
        if (run_cli({"devices"}).out.find("PoCL") == std::string::npos) GTEST_SKIP() << "there is no PoCL";
    }
    /// @param bytes that still fit into the folder of PoCL
    ks::tests::Outcome outcome(std::int64_t bytes, const Arguments& arguments,
                               const std::filesystem::path& temporary) const {
        Arguments command{KERNELSCOPE_CLI};
        command.insert(command.end(), arguments.begin(), arguments.end());
        return ks::tests::outcome_of(ks::tests::Process(command, {},
                                                        {{"LD_PRELOAD", FULL_DISK_LIBRARY},
                                                         {"FULL_DISK_FOLDER", cache_.path().string()},
                                                         {"FULL_DISK_BYTES", std::to_string(bytes)},
                                                         {"TMPDIR", temporary.string()}}));
    }
    const ks::tests::OwnCache cache_{"POCL_CACHE_DIR"}, own_;
    const Arguments run_{"vector_add", "--size", "1001", "--check", "full"};
    const Arguments judge_{"judge", "vector_add", "--variant", "seed.add"};
};

TEST_F(FullKernelCache, is_a_warning_and_kernels_are_compiled_elsewhere) {
    const TemporaryFolder temporary;
    const ks::tests::Outcome run = outcome(0, run_, temporary.path()),
                             judged = outcome(0, judge_, temporary.path());
    for (const ks::tests::Outcome* one : {&run, &judged}) {
        EXPECT_EQ(one->code, 0) << one->out << one->err;
        EXPECT_TRUE(sentences(one->err).empty()) << one->err;
        const std::string begin = "kernelscope-cli: warning: PoCL cannot keep compiled kernels in " +
                                  cache_.path().string() + " (No space left on device)";
        const std::size_t found = one->err.find(begin);
        EXPECT_NE(found, std::string::npos) << one->err;
        EXPECT_EQ(one->err.find(begin, found + 1), std::string::npos) << "said twice: " << one->err;
    }
    EXPECT_NE(run.out.find("pass"), std::string::npos) << run.out;
    EXPECT_NE(judged.out.find("values: right"), std::string::npos) << judged.out;
    EXPECT_TRUE(temporary.names().empty()) << testing::PrintToString(temporary.names());
}

TEST_F(FullKernelCache, is_one_sentence_where_there_is_no_other_folder_and_no_kernel_is_called_wrong) {
    for (const Arguments& arguments : {run_, judge_}) {
        const ks::tests::Outcome full = outcome(0, arguments, cache_.path());
        EXPECT_EQ(full.code, 1) << full.out << full.err;
        const std::vector<std::string> said = sentences(full.err);
        ASSERT_EQ(said.size(), 1U) << full.err;
        EXPECT_NE(said[0].find(cache_.path().string() + " (No space left on device)"), std::string::npos)
            << said[0];
        EXPECT_EQ(full.err.find("wrong"), std::string::npos) << full.err;
        EXPECT_EQ(full.out.find("builds: no"), std::string::npos) << full.out;
    }
}

TEST_F(FullKernelCache, an_error_in_the_text_is_still_one_of_the_text) {
    const TemporaryFolder folder;
    std::ofstream(folder / "bad.cl") << "// kernelscope variant\n// base: seed.add\n"
                                        "kernel void add(const ulong n, global const float* a, global const "
                                        "float* b, global float* c) { c[0] = nothing_of_that_name; }\n";
    Arguments arguments = run_;
    arguments.insert(arguments.end(), {"--variant", "seed.add", "--kernel-source", folder / "bad.cl"});
    const ks::tests::Outcome bad = outcome(0, arguments, folder.path());
    EXPECT_EQ(bad.code, 2) << bad.err;
    EXPECT_NE(bad.err.find("nothing_of_that_name"), std::string::npos) << bad.err;
}

TEST_F(FullKernelCache, of_a_disk_that_fills_up_meanwhile_calls_no_kernel_wrong) {
    // Behind what is written to try the disk.
    for (const std::int64_t more : {0, 3'000, 30'000, 60'000}) {
        SCOPED_TRACE(std::to_string(more));
        const TemporaryFolder temporary;
        const ks::tests::Outcome full = outcome((std::int64_t{1} << 16) + more, judge_, temporary.path());
        EXPECT_EQ(full.err.find("wrong"), std::string::npos) << full.err;
        EXPECT_EQ(full.out.find(": no,"), std::string::npos) << full.out;
    }
}

/// Ceilings are measured by kernels only: each attempt takes a second.
TEST(FullDiskCeilings, is_one_sentence_and_the_old_file_stays) {
    const Writes writes{"ceilings", "c.json", {"ceilings", "--repeat", "1", "--json", "OUT"}};
    const TemporaryFolder folder;
    const ks::tests::Outcome whole = run_cli(arguments_for(writes, folder / writes.file));
    if (whole.code != 0) GTEST_SKIP() << whole.err;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(folder / writes.file));
    for (const std::int64_t percent : {0, 1, 50, 95}) Attempt(writes, size * percent / 100).judge();
}

}  // namespace
