// A saved run is run again: the same bytes, or the first array that differs by name.

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "tests/app/cli_process.h"
#include "tests/core/run/own_cache.h"

namespace repeat_test {

using ks::tests::Outcome;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

/// Adds 1 to the first value of a dataset of f64.
void change_first_value(const std::string& file, const char* dataset) {
    const hid_t open = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t values = H5Dopen2(open, dataset, H5P_DEFAULT);
    const hid_t space = H5Dget_space(values);
    std::vector<double> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    all.front() += 1;
    H5Dwrite(values, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    H5Sclose(space);
    H5Dclose(values);
    H5Fclose(open);
}

class Repeat : public testing::Test {
  protected:
    void expect_done(const Arguments& arguments) {
        const Outcome outcome = run_cli(arguments);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    /// Generated data of an analysis, and a run of them.
    void make(const std::string& analysis, const Arguments& sizes, const Arguments& options) {
        Arguments generate{"generate", analysis, "--out", folder_ / "in.h5"};
        generate.insert(generate.end(), sizes.begin(), sizes.end());
        expect_done(generate);
        Arguments run{analysis, folder_ / "in.h5", "--out", run_};
        run.insert(run.end(), options.begin(), options.end());
        expect_done(run);
    }
    void expect_same_bytes(const Arguments& more = {}) {
        Arguments arguments{"repeat", run_};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(outcome.out.ends_with("the same bytes\n")) << outcome.out;
    }

    TemporaryFolder folder_;
    const std::string run_ = folder_ / "run.h5";
};

const Arguments series{"--frames", "20", "--height", "40", "--width", "50"};

TEST_F(Repeat, a_saved_run_is_no_frame_of_a_detector) {
    make("xpcs", series, {"--rings", "25,20,2,5,3", "--device", "host"});
    const std::string sentence = run_ + " is a saved run of xpcs and contains no frames";
    for (const Arguments& arguments : {Arguments{"xpcs", run_, "--rings", "2,2,0,1,1", "--device", "host"},
                                       Arguments{"spots", run_, "--device", "host"},
                                       Arguments{"convert", run_, "--out", folder_ / "stack.h5"},
                                       Arguments{"xpcs", folder_ / "in.h5", "--rings", "25,20,2,5,3",
                                                 "--device", "host", "--dark", run_}}) {
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2) << testing::PrintToString(arguments);
        EXPECT_EQ(outcome.err, "kernelscope-cli: " + sentence + "\n");
    }
    EXPECT_FALSE(fs::exists(folder_ / "stack.h5"));
    const Outcome repeats =
        run_cli({"xpcs", run_, folder_ / "in.h5", "--rings", "2,2,0,1,1", "--repeats", "average"});
    EXPECT_EQ(repeats.code, 2);
    EXPECT_NE(repeats.err.find(sentence), std::string::npos) << repeats.err;
    // What is named is used.
    expect_done({"convert", run_ + "::/entry/data/g2", "--out", folder_ / "stack.h5"});
    expect_done({"info", run_});
}

TEST_F(Repeat, data_that_are_not_those_of_then_are_named) {
    const std::string points = folder_ / "points.csv", run = folder_ / "sums.h5";
    const auto write = [&](const char* first) {
        std::ofstream(points) << "x,y,z,w\n" << first << "\n0.6,0.2,0.7,-1\n0.3,0.8,0.5,2\n";
    };
    write("0.1,0.2,0.3,1");
    expect_done({"particles", "--sources", points, "--planes", "5", "--device", "host", "--out", run});
    write("0.9,0.2,0.3,1");
    const Outcome other = run_cli({"repeat", run});
    EXPECT_EQ(other.code, 1);
    EXPECT_NE(other.err.find("points.csv has changed since"), std::string::npos) << other.err;
}

TEST_F(Repeat, finds_inputs_whose_names_are_no_utf_8) {
    // Latin 1, beside what looks like an escape of the record.
    const std::string scan = folder_ / "scan_\xfc_\\x41.h5";
    expect_done({"generate", "xpcs", "--frames", "20", "--height", "40", "--width", "50", "--out", scan});
    expect_done({"xpcs", scan, "--rings", "25,20,0,5,4", "--device", "host", "--out", run_});
    expect_same_bytes();
}

TEST_F(Repeat, a_run_of_each_analysis_gives_the_same_bytes) {
    make("xpcs", series, {"--rings", "25,20,0,5,4"});
    expect_same_bytes();
    fs::remove(folder_ / "in.h5");
    fs::remove(run_);
    make("spots", {"--frames", "3", "--height", "200", "--width", "210"},
         {"--algorithm", "dispersion_extended"});
    expect_same_bytes();
    fs::remove(folder_ / "in.h5");
    fs::remove(run_);
    make("clusters", {"--digis", "500"}, {});
    expect_same_bytes();
    fs::remove(folder_ / "in.h5");
    fs::remove(run_);
    expect_done({"generate", "particles", "--out", folder_ / "in.h5"});
    expect_done({"particles", "--sources", folder_ / "in.h5", "--planes", "16", "--out", run_});
    expect_same_bytes();
}

TEST_F(Repeat, a_kernel_of_ones_own_and_defines_are_used_again) {
    const std::string kernel = folder_ / "mine.cl";
    fs::copy_file(KERNELSCOPE_SOURCE_DIR "/gpu/xpcs/seed_ordered.cl", kernel);
    make("xpcs", series, {"--rings", "25,20,0,5,4", "--variant", "seed.ordered", "--kernel-source", kernel});
    fs::remove(kernel);  // its text is in the run
    expect_same_bytes();
}

TEST_F(Repeat, the_first_array_that_differs_is_named) {
    make("xpcs", series, {"--rings", "25,20,0,5,4"});
    change_first_value(run_, "/entry/data/g2");
    const Outcome outcome = run_cli({"repeat", run_});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(
        outcome.err.find("run.h5: the result is not the same: g2 differs in 1 of 80 values, first at [0][0]"),
        std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.out.find("the same bytes"), std::string::npos);
}

TEST_F(Repeat, an_input_that_moved_is_found_beside_the_run_or_named) {
    make("xpcs", series, {"--rings", "25,20,0,5,4"});
    fs::create_directory(folder_ / "a");
    fs::rename(folder_ / "in.h5", folder_ / "a/in.h5");
    fs::copy_file(run_, folder_ / "a/run.h5");
    EXPECT_EQ(run_cli({"repeat", folder_ / "a/run.h5"}).code, 0);
    const Outcome lost = run_cli({"repeat", run_});
    EXPECT_EQ(lost.code, 2);
    EXPECT_NE(lost.err.find("the input \"frames\" of the run does not exist"), std::string::npos) << lost.err;
    EXPECT_NE(lost.err.find("--input frames=FILE"), std::string::npos) << lost.err;
    expect_same_bytes({"--input", "frames=" + (folder_ / "a/in.h5")});
    const Outcome role = run_cli({"repeat", run_, "--input", "none=" + (folder_ / "a/in.h5")});
    EXPECT_EQ(role.code, 2);
    EXPECT_NE(role.err.find("the run has no input \"none\""), std::string::npos) << role.err;
}

TEST_F(Repeat, of_a_folder_that_was_copied_takes_the_files_of_the_copy_and_says_so) {
    const auto write = [&](const std::string& file, const char* first) {
        std::ofstream(file) << "x,y,z,w\n" << first << "\n0.6,0.2,0.7,-1\n0.3,0.8,0.5,2\n";
    };
    fs::create_directories(folder_ / "a/p_runs");
    fs::create_directories(folder_ / "a/data");
    const std::string then = folder_ / "a/data/points.csv", now = folder_ / "b/data/points.csv";
    write(then, "0.1,0.2,0.3,1");
    expect_done({"particles", "--sources", then, "--planes", "5", "--device", "host", "--out",
                 folder_ / "a/p_runs/run-1.h5"});
    fs::copy(folder_ / "a", folder_ / "b", fs::copy_options::recursive);
    // The file of the old place is the recorded one.
    EXPECT_EQ(run_cli({"repeat", folder_ / "b/p_runs/run-1.h5"}).out.find("not from"), std::string::npos);
    write(then, "0.9,0.9,0.9,1");
    // Nobody has read a file in a folder beside that of the run yet.
    const Outcome foreign = run_cli({"repeat", folder_ / "b/p_runs/run-1.h5"});
    EXPECT_EQ(foreign.code, 2);
    EXPECT_NE(foreign.err.find(now + " is outside the folder"), std::string::npos) << foreign.err;
    for (const bool gone : {false, true}) {
        if (gone) fs::remove(then);
        const Outcome moved = run_cli({"repeat", folder_ / "b/p_runs/run-1.h5", "--trust"});
        EXPECT_EQ(moved.code, 0) << moved.err;
        EXPECT_NE(moved.out.find("sources is read from " + now + ", not from " + then + "\n"),
                  std::string::npos)
            << moved.out;
    }
    write(now, "0.9,0.9,0.9,1");
    const Outcome other = run_cli({"repeat", folder_ / "b/p_runs/run-1.h5"});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find(now + " has different content"), std::string::npos) << other.err;
}

TEST_F(Repeat, the_new_run_is_written_and_replaces_nothing_that_is_read) {
    make("xpcs", series, {"--rings", "25,20,0,5,4"});
    expect_same_bytes({"--out", folder_ / "new.h5"});
    EXPECT_EQ(run_cli({"repeat", folder_ / "new.h5"}).code, 0);
    for (const char* name : {"in.h5", "run.h5"})
        EXPECT_EQ(run_cli({"repeat", run_, "--out", folder_ / name, "--overwrite"}).code, 2) << name;
}

TEST_F(Repeat, what_is_no_saved_run_is_refused) {
    expect_done({"generate", "xpcs", "--out", folder_ / "in.h5", "--frames", "4"});
    const Outcome outcome = run_cli({"repeat", folder_ / "in.h5"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("expected a saved run"), std::string::npos) << outcome.err;
    EXPECT_EQ(run_cli({"repeat", folder_ / "none.h5"}).code, 2);
    // Of the first format; its input was never kept.
    const Outcome old = run_cli({"repeat", KERNELSCOPE_SOURCE_DIR "/tests/data/run_format_1.h5"});
    EXPECT_EQ(old.code, 2);
    EXPECT_NE(old.err.find("input \"frames\" of the run does not exist"), std::string::npos) << old.err;
}

/// What another user has: nothing is known to them.
using OtherUser = ks::tests::OwnCache;

TEST_F(Repeat, code_from_elsewhere_is_compiled_with_trust_alone) {
    const std::string kernel = folder_ / "mine.cl";
    std::ofstream(kernel) << ks::tests::read_file(KERNELSCOPE_SOURCE_DIR "/gpu/xpcs/seed_ordered.cl")
                          << "// changed\n";
    make("xpcs", series, {"--rings", "25,20,0,5,4", "--variant", "seed.ordered", "--kernel-source", kernel});
    expect_same_bytes();  // who ran it is not asked
    const std::string text = run_cli({"info", run_}).out;
    EXPECT_TRUE(std::regex_search(text, std::regex("variant +seed.ordered, other source [0-9a-f]{6} on ")))
        << text;
    const OtherUser other("KERNELSCOPE_DATA");
    const Outcome refused = run_cli({"repeat", run_});
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(refused.out.empty()) << refused.out;
    const std::string sentence = refused.err.substr(0, refused.err.find('\n'));
    for (const std::string& part :
         {run_, std::string("xpcs, seed.ordered, other source"), std::string("--trust")})
        EXPECT_NE(sentence.find(part), std::string::npos) << part << " in\n" << sentence;
    EXPECT_NE(refused.err.find("    // changed\n"), std::string::npos) << "its text is shown";
    expect_same_bytes({"--trust"});
    expect_same_bytes();  // asked once
}

TEST_F(Repeat, a_shipped_kernel_is_known_to_everybody) {
    make("xpcs", series,
         {"--rings", "25,20,0,5,4", "--variant", "seed.ordered", "--kernel-source",
          KERNELSCOPE_SOURCE_DIR "/gpu/xpcs/seed_ordered.cl"});
    const std::string text = run_cli({"info", run_}).out;
    EXPECT_NE(text.find("variant      seed.ordered on "), std::string::npos) << text;
    const OtherUser other("KERNELSCOPE_DATA");
    expect_same_bytes();
}

TEST_F(Repeat, expressions_that_are_more_than_arithmetic_are_code) {
    const auto run = [this](const Arguments& expressions) {
        Arguments arguments{"expression", "--x", "range:4", "--y", "range:4", "--out", run_, "--overwrite"};
        arguments.insert(arguments.end(), expressions.begin(), expressions.end());
        expect_done(arguments);
    };
    run({"--map-expression", "2*x[i]+y[i]"});
    {
        const OtherUser other("KERNELSCOPE_DATA");
        expect_same_bytes();
    }
    run({"--map-expression", "twice(x[i])", "--preamble", "float twice(float v) { return 2 * v; }"});
    expect_same_bytes();
    const OtherUser other("KERNELSCOPE_DATA");
    const Outcome refused = run_cli({"repeat", run_});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("it contains code that has never run here: expression, expressions"),
              std::string::npos)
        << refused.err;
    expect_same_bytes({"--trust"});
}

TEST_F(Repeat, inputs_elsewhere_are_read_where_this_user_opened_them_or_says_so) {
    make("xpcs", series, {"--rings", "25,20,0,5,4"});
    fs::create_directory(folder_ / "sent");
    fs::rename(run_, folder_ / "sent/run.h5");
    const std::string sent = folder_ / "sent/run.h5";
    EXPECT_EQ(run_cli({"repeat", sent}).code, 0) << "whose own it is";
    const OtherUser other("KERNELSCOPE_DATA");
    const Outcome refused = run_cli({"repeat", sent});
    EXPECT_EQ(refused.code, 2);
    for (const std::string& part :
         {folder_ / "in.h5", std::string("is outside the folder of"), std::string("--trust")})
        EXPECT_NE(refused.err.find(part), std::string::npos) << part << " in\n" << refused.err;
    EXPECT_EQ(run_cli({"repeat", sent, "--input", "frames=" + (folder_ / "in.h5")}).code, 0);
    EXPECT_EQ(run_cli({"repeat", sent}).code, 0) << "it was named by hand";
}

TEST_F(Repeat, code_is_shown_also_where_the_inputs_lie_elsewhere) {
    const std::string kernel = folder_ / "mine.cl";
    std::ofstream(kernel) << ks::tests::read_file(KERNELSCOPE_SOURCE_DIR "/gpu/xpcs/seed_ordered.cl")
                          << "// changed\n";
    make("xpcs", series, {"--rings", "25,20,0,5,4", "--variant", "seed.ordered", "--kernel-source", kernel});
    fs::create_directory(folder_ / "sent");
    fs::rename(run_, folder_ / "sent/run.h5");
    const std::string sent = folder_ / "sent/run.h5";
    const OtherUser other("KERNELSCOPE_DATA");
    for (int time = 0; time < 2; ++time) {  // a refusal makes nothing known
        const Outcome refused = run_cli({"repeat", sent});
        EXPECT_EQ(refused.code, 2);
        EXPECT_TRUE(refused.out.empty()) << refused.out;
        const std::string sentence = refused.err.substr(0, refused.err.find('\n'));
        for (const std::string& part : {std::string("xpcs, seed.ordered, other source"), folder_ / "in.h5",
                                        std::string("is outside the folder of"),
                                        std::string("--trust if you trust the code and in.h5")})
            EXPECT_NE(sentence.find(part), std::string::npos) << part << " in\n" << sentence;
        EXPECT_NE(refused.err.find("    // changed\n"), std::string::npos) << "its text is shown";
    }
    // Allowing the data alone allows no code.
    const Outcome code = run_cli({"repeat", sent, "--input", "frames=" + (folder_ / "in.h5")});
    EXPECT_EQ(code.code, 2);
    EXPECT_NE(code.err.find("    // changed\n"), std::string::npos) << code.err;
    EXPECT_EQ(code.err.find("is outside the folder of"), std::string::npos) << code.err;
    EXPECT_EQ(run_cli({"repeat", sent, "--trust"}).code, 0);
    EXPECT_EQ(run_cli({"repeat", sent}).code, 0);
}

TEST_F(Repeat, info_describes_a_saved_run) {
    make("xpcs", series, {"--rings", "25,20,0,5,4", "--last-frame", "9", "--check", "sample"});
    const std::string text = run_cli({"info", run_}).out;
    for (const char* part : {"variant      gram.tiled on ", "rings:25,20,0,5,4",
                             "parameters   last_frame 9\n", "check        pass", "gram tiles"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

}  // namespace repeat_test
