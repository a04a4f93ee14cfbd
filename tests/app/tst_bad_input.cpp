// Whatever is wrong with what the user gives: exit code 2, one sentence that names it, and no file left
// behind.

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"
#include "tests/beamline_files.h"

namespace {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;

class BadInput : public testing::Test {
  protected:
    void SetUp() override {
        file_ = folder_ / "scan.h5";
        Hdf5Fixture file(file_);
        file.counts("data", {8, 6, 10}, [](std::size_t i) { return static_cast<std::uint16_t>(i * 7 % 11); });
        file.counts("qmask", {6, 10}, [](std::size_t i) { return static_cast<std::uint16_t>(i % 3); });
        file.counts("other_shape", {6, 9}, [](std::size_t i) { return static_cast<std::uint16_t>(i % 3); });
        file.counts("zeros", {6, 10}, [](std::size_t) { return std::uint16_t{0}; });
        file.counts("line", {10}, [](std::size_t i) { return static_cast<std::uint16_t>(i); });
        file.counts("hyper", {2, 3, 4, 5}, [](std::size_t i) { return static_cast<std::uint16_t>(i); });
        file.counts("no_frames", {0, 6, 10}, [](std::size_t) { return std::uint16_t{0}; });
        file.strings("words", {8, 6, 10});
        file.external_link("elsewhere", "not_there.h5", "/data");
    }

    /// A correlation of `input` whose outputs go into the folder of outputs.
    Outcome correlate(const std::string& input, const Arguments& more = {},
                      const std::string& qmask = "qmask") {
        std::filesystem::create_directory(folder_ / "out");
        Arguments all{"xpcs",    input,
                      "--qmask", file_ + "::/" + qmask,
                      "--out",   folder_ / "out/run.h5",
                      "--csv",   folder_ / "out/g2.csv"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }

    /// Exit code 2, one sentence on standard error that holds all `words` with its details indented below it,
    /// nothing on standard output, nothing written.
    void expect_refused(const Outcome& outcome, const Arguments& words) {
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("kernelscope-cli: ")) << outcome.err;
        std::istringstream lines(outcome.err);
        std::string sentence;
        std::getline(lines, sentence);
        for (std::string line; std::getline(lines, line);)
            EXPECT_TRUE(line.starts_with("    ")) << "a second sentence: " << line;
        for (const std::string& word : words)
            EXPECT_NE(sentence.find(word), std::string::npos) << "no '" << word << "' in: " << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(!std::filesystem::exists(folder_ / "out") || std::filesystem::is_empty(folder_ / "out"))
            << "a file was left behind";
    }

    TemporaryFolder folder_;
    std::string file_;
};

TEST_F(BadInput, the_fixture_itself_is_good) {
    const Outcome outcome = correlate(file_ + "::/data");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out/run.h5"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out/g2.csv"));
}

TEST_F(BadInput, no_such_file) {
    expect_refused(correlate(folder_ / "absent.h5"), {"absent.h5"});
}

TEST_F(BadInput, a_file_that_is_not_hdf5) {
    std::ofstream(folder_ / "text.h5") << "these are words and no HDF5\n";
    expect_refused(correlate(folder_ / "text.h5"), {"text.h5", "HDF5"});
}

TEST_F(BadInput, a_truncated_file) {
    std::filesystem::copy_file(file_, folder_ / "cut.h5");
    std::filesystem::resize_file(folder_ / "cut.h5", std::filesystem::file_size(file_) * 2 / 3);
    expect_refused(correlate(folder_ / "cut.h5::/data"), {"cut.h5"});
}

TEST_F(BadInput, a_missing_dataset) {
    expect_refused(correlate(file_ + "::/nowhere"), {"scan.h5", "/nowhere"});
    expect_refused(correlate(file_ + "::/data", {}, "nowhere"), {"scan.h5", "/nowhere"});
}

TEST_F(BadInput, a_dataset_of_strings) {
    expect_refused(correlate(file_ + "::/words"), {"scan.h5", "/words"});
}
TEST_F(BadInput, a_dataset_of_one_dimension) {
    expect_refused(correlate(file_ + "::/line"), {"scan.h5", "/line"});
}
TEST_F(BadInput, a_dataset_of_four_dimensions) {
    expect_refused(correlate(file_ + "::/hyper"), {"scan.h5", "/hyper"});
}
TEST_F(BadInput, a_dataset_without_frames) {
    expect_refused(correlate(file_ + "::/no_frames"), {"scan.h5", "/no_frames"});
}

TEST_F(BadInput, a_dangling_external_link) {
    expect_refused(correlate(file_ + "::/elsewhere"), {"scan.h5", "/elsewhere", "not_there.h5"});
}

TEST_F(BadInput, a_master_file_whose_data_are_missing) {
    const std::string master = folder_ / "master.nxs";
    ks::tests::beamline::write_master(master);
    // The virtual dataset reads as zeros without an error, and the link beside it dangles: neither may pass.
    for (const std::string object : {"::/entry/data/data", "::/entry/data/data_000001"})
        expect_refused(correlate(master + object), {"master.nxs", "/entry/data/data"});
}

TEST_F(BadInput, a_partition_of_another_shape) {
    expect_refused(correlate(file_ + "::/data", {}, "other_shape"), {"6", "10", "9"});
}

TEST_F(BadInput, a_partition_whose_labels_are_all_zero) {
    expect_refused(correlate(file_ + "::/data", {}, "zeros"), {"0"});
}

TEST_F(BadInput, partitions_given_twice_or_not_at_all) {
    expect_refused(correlate(file_ + "::/data", {"--rings", "5,3,0,1,3"}), {"--qmask", "--rings"});
    expect_refused(run_cli({"xpcs", file_ + "::/data"}),
                   {"the input \"Bins\" is missing; give it with --qmask or --rings"});
    expect_refused(run_cli({"xpcs", file_ + "::/data", "--rings", "5,3,zero,1,3"}), {"zero"});
}

TEST_F(BadInput, empty_or_reversed_frame_ranges) {
    expect_refused(correlate(file_ + "::/data", {"--first-frame", "8"}), {"8"});
    expect_refused(correlate(file_ + "::/data", {"--first-frame", "5", "--last-frame", "3"}), {"5", "3"});
    expect_refused(correlate(file_ + "::/data", {"--last-frame", "8"}), {"8"});
    expect_refused(correlate(file_ + "::/data", {"--first-frame", "-1"}), {"--first-frame", "-1"});
}

TEST_F(BadInput, parameters_that_are_no_numbers) {
    expect_refused(correlate(file_ + "::/data", {"--first-frame", "two"}), {"--first-frame", "two"});
}

TEST_F(BadInput, a_device_name_that_matches_none) {
    expect_refused(correlate(file_ + "::/data", {"--device", "no such device"}), {"no such device"});
    expect_refused(correlate(file_ + "::/data", {"--device", "99"}), {"99"});
}

TEST_F(BadInput, a_device_name_that_matches_several) {
    // PoCL makes two devices of one processor where it is told so.
    setenv("POCL_DEVICES", "pthread basic", 1);
    const auto devices = nlohmann::json::parse(run_cli({"devices", "--json"}).out);
    const Outcome outcome = correlate(file_ + "::/data", {"--device", "a"});
    unsetenv("POCL_DEVICES");
    std::size_t named = 0;
    for (const auto& device : devices)
        if (device.at("backend") == "opencl" &&
            device.at("name").get<std::string>().find('a') != std::string::npos)
            ++named;
    if (named < 2) GTEST_SKIP() << "fewer than two OpenCL devices with an 'a' in their names";
    expect_refused(outcome, {"\"a\""});
}

TEST_F(BadInput, unknown_variants_defines_and_check_modes) {
    expect_refused(correlate(file_ + "::/data", {"--variant", "no.such"}), {"no.such"});
    expect_refused(correlate(file_ + "::/data", {"--define", "NO_VALUE"}), {"NO_VALUE"});
    expect_refused(correlate(file_ + "::/data", {"--variant", "seed.naive", "--define", "NO_SUCH=1"}),
                   {"NO_SUCH"});
    expect_refused(correlate(file_ + "::/data", {"--check", "maybe"}), {"maybe"});
}

TEST_F(BadInput, what_is_not_expected_is_named_in_its_order_with_the_help_that_tells_what_is) {
    expect_refused(run_cli({"xpcs", file_ + "::/data", "--qmaks", "x"}),
                   {"xpcs: --qmaks was not", "kernelscope-cli xpcs --help lists the options"});
    expect_refused(run_cli({"particles", file_}),
                   {"scan.h5", "kernelscope-cli particles --help lists the options"});
    expect_refused(run_cli({"correlate", file_}),
                   {"correlate /", "kernelscope-cli --help lists the commands"});
    expect_refused(run_cli({"bench", "correlate"}),
                   {"correlate", "kernelscope-cli bench --help lists the commands"});
    // The beginning of a name is probably meant to be that name.
    expect_refused(run_cli({"expression", "--reduce", "a+b", "--map=x[i]", "--reduce", "a"}),
                   {"expression: --reduce a+b --map=x[i] --reduce a was not expected; kernelscope-cli "
                    "expression --help lists the options, such as --reduce-expression and --map-expression"});
}

TEST_F(BadInput, memory_limits_that_are_too_small_are_told_in_bytes) {
    for (const std::string variant : {"host.gram", "host.reference"})
        expect_refused(correlate(file_ + "::/data", {"--variant", variant, "--memory-limit", "1000"}),
                       {variant, "needs ", "but the limit is 1000 bytes"});
}

TEST_F(BadInput, memory_limits_that_are_no_sizes) {
    for (const std::string size : {"much", "-1", "0", "12 parsecs", "1e", "M"})
        expect_refused(correlate(file_ + "::/data", {"--memory-limit=" + size}), {"--memory-limit", size});
}

TEST_F(BadInput, an_output_folder_that_is_missing) {
    const Outcome outcome = run_cli(
        {"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--out", folder_ / "no/folder/run.h5"});
    expect_refused(outcome, {"run.h5"});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "no"));
}

TEST_F(BadInput, an_output_folder_that_is_read_only) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
    std::filesystem::create_directory(folder_ / "locked");
    std::filesystem::permissions(folder_ / "locked",
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    expect_refused(run_cli({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--out",
                            folder_ / "locked/run.h5"}),
                   {"locked"});
}

TEST_F(BadInput, an_existing_output_is_kept_without_overwrite) {
    const std::string kept = folder_ / "kept.h5";
    std::ofstream(kept) << "precious";
    const Arguments arguments{"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--out", kept};
    expect_refused(run_cli(arguments), {"kept.h5"});
    EXPECT_EQ(ks::tests::read_file(kept), "precious");
    expect_refused(run_cli({"generate", "xpcs", "--out", kept}), {"kept.h5"});
    EXPECT_EQ(ks::tests::read_file(kept), "precious");

    Arguments again = arguments;
    again.emplace_back("--overwrite");
    EXPECT_EQ(run_cli(again).code, 0);
    EXPECT_TRUE(ks::tests::read_file(kept).starts_with("\x89HDF"));
}

TEST_F(BadInput, what_is_read_is_not_replaced) {
    const std::string before = ks::tests::read_file(file_);
    for (const char* option : {"--out", "--csv"})
        expect_refused(
            run_cli({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", option, file_, "--overwrite"}),
            {option, std::filesystem::path(file_).filename().string()});
    EXPECT_EQ(ks::tests::read_file(file_), before);
}

TEST_F(BadInput, what_is_read_behind_a_link_or_from_text_is_not_replaced) {
    const std::string master = folder_ / "master.h5";
    { Hdf5Fixture(master).external_link("data", std::filesystem::path(file_).filename(), "/data"); }
    const std::string before = ks::tests::read_file(file_);
    expect_refused(
        run_cli({"xpcs", master + "::/data", "--rings", "2,2,0,1,1", "--out", file_, "--overwrite"}),
        {"--out would replace a file that is read as frames", "master.h5::/data leads to it"});
    EXPECT_EQ(ks::tests::read_file(file_), before);
    const std::string digis = folder_ / "digis.csv", kernel = folder_ / "own.cl";
    std::ofstream(digis) << "index,module,x,y,adc\n0,0,1,1,5\n";
    std::ofstream(kernel) << "kernel void nothing() {}\n";
    expect_refused(run_cli({"convert", digis, "--shape", "4,4", "--out", digis, "--overwrite"}),
                   {"--out would replace a file that is read as digis"});
    expect_refused(run_cli({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--kernel-source",
                            kernel, "--csv", kernel, "--overwrite"}),
                   {"--csv would replace a file that is read as kernel source"});
    expect_refused(run_cli({"bench", "xpcs", "--kernel-source", "seed.naive=" + kernel, "--json", kernel,
                            "--overwrite"}),
                   {"--json would replace a file that is read as kernel source of seed.naive"});
    expect_refused(run_cli({"assembly", "xpcs", "--variant", "seed.naive", "--kernel-source", kernel, "--out",
                            kernel, "--overwrite"}),
                   {"--out would replace a file that is read as kernel source"});
    EXPECT_TRUE(ks::tests::read_file(digis).starts_with("index,"));
    EXPECT_TRUE(ks::tests::read_file(kernel).starts_with("kernel void"));
}

TEST_F(BadInput, one_file_for_two_outputs) {
    namespace fs = std::filesystem;
    const auto refused = [this](const std::string& out, const std::string& csv) {
        const Outcome outcome = run_cli({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--out",
                                         out, "--csv", csv, "--overwrite"});
        expect_refused(outcome, {"--out and --csv name the same file"});
    };
    refused(folder_ / "same", folder_ / "same");
    fs::create_directories(folder_ / "sub/inner");
    refused(folder_ / "same", folder_ / "sub/../same");
    // By links to what is not there yet, one after another, of a file and of its folder.
    fs::create_symlink("run.h5", folder_ / "first.csv");
    fs::create_symlink("first.csv", folder_ / "second.csv");
    refused(folder_ / "run.h5", folder_ / "first.csv");
    refused(folder_ / "second.csv", folder_ / "run.h5");
    fs::create_directory_symlink(".", folder_ / "here");
    refused(folder_ / "run.h5", folder_ / "here/run.h5");
    EXPECT_FALSE(fs::exists(folder_ / "run.h5"));
    // And where it is there: another name of it.
    std::ofstream(folder_ / "there") << "before";
    fs::create_hard_link(folder_ / "there", folder_ / "also");
    refused(folder_ / "there", folder_ / "also");
    EXPECT_EQ(ks::tests::read_file(folder_ / "there"), "before");
}

TEST_F(BadInput, an_output_that_is_a_link_to_what_is_not_there_becomes_what_it_leads_to) {
    namespace fs = std::filesystem;
    fs::create_symlink("made.h5", folder_ / "link.h5");
    const Outcome outcome =
        run_cli({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--out", folder_ / "link.h5"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(fs::is_symlink(folder_ / "link.h5"));
    EXPECT_TRUE(ks::tests::read_file(folder_ / "made.h5").starts_with("\x89HDF"));
    fs::create_symlink("no/where.h5", folder_ / "lost.h5");
    expect_refused(
        run_cli({"xpcs", file_ + "::/data", "--qmask", file_ + "::/qmask", "--out", folder_ / "lost.h5"}),
        {"lost.h5", "does not exist"});
}

TEST_F(BadInput, a_kernel_that_does_not_build_shows_the_log) {
    std::ofstream(folder_ / "broken.cl")
        << "kernel void broken(global int *a) { a[0] = undeclared_thing; }\n";
    Outcome outcome =
        correlate(file_ + "::/data", {"--variant", "seed.naive", "--kernel-source", folder_ / "broken.cl"});
    // The compiler of a driver may have printed a line of its own before.
    const std::size_t ours = outcome.err.find("kernelscope-cli: ");
    ASSERT_NE(ours, std::string::npos) << outcome.err;
    outcome.err.erase(0, ours);
    expect_refused(outcome, {"broken.cl", "build"});
    EXPECT_NE(outcome.err.find("\n    "), std::string::npos) << "no log";
    EXPECT_NE(outcome.err.find("undeclared_thing"), std::string::npos) << outcome.err;
}

TEST_F(BadInput, kernel_sources_that_are_absent_or_empty) {
    expect_refused(correlate(file_ + "::/data", {"--kernel-source", folder_ / "absent.cl"}), {"absent.cl"});
    std::ofstream(folder_ / "empty.cl").flush();
    expect_refused(correlate(file_ + "::/data", {"--kernel-source", folder_ / "empty.cl"}), {"empty.cl"});
}

/// Nothing is waited for: who would write into the pipe?
TEST_F(BadInput, a_pipe_is_refused_wherever_a_file_is_named) {
    const std::string pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const Arguments& arguments :
         {Arguments{"info", pipe}, Arguments{"repeat", pipe}, Arguments{"spots", pipe},
          Arguments{"spots", file_ + "::data", "--mask", pipe},
          Arguments{"xpcs", file_ + "::data", "--qmask", pipe},
          Arguments{"spots", file_ + "::data", "--variant", "sliding", "--kernel-source", pipe},
          Arguments{"batch", "spots", pipe, "--out", folder_ / "runs"},
          Arguments{"bench", "vector_add", "--size", "100", "--variants", "host.reference", "--baseline",
                    pipe},
          Arguments{"tune", "vector_add", "--variant", "seed.add", "--json", pipe}}) {
        ks::tests::CliProcess process(arguments);
        for (int i = 0; i < 1200 && !process.ended(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ASSERT_TRUE(process.ended()) << arguments[0] << " " << arguments[1] << " waits";
        EXPECT_EQ(process.wait(), 2) << arguments[0] << ": " << process.err();
        EXPECT_NE(process.err().find("is a pipe"), std::string::npos)
            << arguments[0] << ": " << process.err();
    }
}

TEST_F(BadInput, commands_and_options_that_do_not_exist) {
    expect_refused(run_cli({}), {"command"});
    expect_refused(run_cli({"frobnicate"}), {"frobnicate"});
    expect_refused(run_cli({"bench"}), {"analysis"});
    expect_refused(run_cli({"bench", "frobnicate"}), {"frobnicate"});
    expect_refused(run_cli({"generate"}), {"analysis"});
    expect_refused(correlate(file_ + "::/data", {"--frobnicate"}), {"--frobnicate"});
    expect_refused(run_cli({"bench", "xpcs", "--variants", "no.such"}), {"no.such"});
    expect_refused(run_cli({"bench", "xpcs", "--define", "NO_SUCH=1"}), {"--define", "NO_SUCH"});
}

TEST_F(BadInput, info_of_what_is_not_there) {
    expect_refused(run_cli({"info", folder_ / "absent.h5"}), {"absent.h5"});
    expect_refused(run_cli({"info", file_ + "::/nowhere"}), {"scan.h5", "/nowhere"});
}

TEST_F(BadInput, hits_that_cannot_be_converted) {
    std::filesystem::create_directory(folder_ / "out");
    const auto convert = [this](const std::string& csv, const std::string& shape) {
        std::ofstream(folder_ / "digis.csv") << csv;
        return run_cli(
            {"convert", folder_ / "digis.csv", "--shape", shape, "--out", folder_ / "out/stack.h5"});
    };
    expect_refused(convert("index,module,x,y,adc\n0,0,1,1,5\n", "4"), {"--shape", "4"});
    expect_refused(convert("index,module,x,y,adc\n0,0,1,1,5\n", "4,0"), {"--shape", "4,0"});
    expect_refused(convert("index,module,x,y,adc\n0,0,1,9,5\n", "4,4"), {"digis.csv", "9"});
    expect_refused(convert("index,module,x,y,adc\n0,0,1,one,5\n", "4,4"), {"digis.csv", "one"});
}

}  // namespace
