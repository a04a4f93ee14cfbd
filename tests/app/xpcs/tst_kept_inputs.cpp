// No output of a command replaces a file that the command reads, whatever kind of input it is, whatever
// option names it, and by whatever name.

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace kept_inputs_test {

using ks::tests::Hdf5Fixture;
using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;
using Arguments = std::vector<std::string>;
namespace fs = std::filesystem;

const Arguments output_options{"--out", "--csv", "--fit-csv", "--stability-csv", "--aps-out"};

class KeptInputs : public testing::Test {
  protected:
    KeptInputs() {
        for (const char* name : {"a_1.h5", "a_2.h5", "a_3.h5", "raw.h5"}) generate(name);
        { Hdf5Fixture(at("master.h5")).external_link("data", "raw.h5", "/entry/data/data"); }
        for (const char* name : {"labels.h5", "mask.h5", "dark.h5", "flat.h5", "q.h5", "static.h5"})
            fs::copy_file(at("a_1.h5"), at(name));
        for (const char* name : {"img_1.tif", "img_2.tif", "img_3.tif"})
            std::ofstream(at(name)) << "frame " << name;
        std::ofstream(at("included.h")) << "#define NOTHING\n";
        std::ofstream(at("own.cl")) << "#include \"included.h\"\nkernel void nothing() {}\n";
        std::ofstream(at("detector.poni"))
            << "poni_version: 2\nDetector: Detector\n"
               "Detector_config: {\"pixel1\": 5.5e-05, \"pixel2\": 5.5e-05, \"max_shape\": [61, 61]}\n"
               "Distance: 5.0\nPoni1: 0.0016\nPoni2: 0.0016\nRot1: 0\nRot2: 0\nRot3: 0\nWavelength: "
               "1.55e-10\n";
    }
    std::string at(const std::string& name) const { return folder_ / name; }
    void generate(const std::string& name) const {
        const Outcome made = run_cli({"generate", "xpcs", "--kind", "speckle", "--frames", "40", "--height",
                                      "61", "--width", "61", "--ring-width", "8", "--out", at(name)});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    /// What the arguments below read, apart from the frames.
    Arguments others() const {
        return {"--qmask",         at("labels.h5") + "::/entry/qmask",
                "--mask",          at("mask.h5") + "::/entry/qmask",
                "--dark",          at("dark.h5"),
                "--flat",          at("flat.h5"),
                "--bin-q",         at("q.h5") + "::/entry/q",
                "--static-bins",   at("static.h5") + "::/entry/qmask",
                "--geometry",      at("detector.poni"),
                "--kernel-source", at("own.cl"),
                "--variant",       "seed.naive",
                "--fit",           "single",
                "--stability",     "4"};
    }
    Arguments repeats(const std::string& how) const {
        return {"xpcs",      at("a_1.h5"), at("a_2.h5"), at("a_3.h5"), at("master.h5") + "::/data",
                "--repeats", how};
    }
    static Arguments joined(Arguments all, const Arguments& more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    void expect_kept(const Arguments& command, const std::string& input, const std::string& option,
                     const std::string& output) const {
        SCOPED_TRACE(option + " " + output);
        const std::string before = read_file(at(input));
        ASSERT_FALSE(before.empty());
        const Outcome outcome = run_cli(joined(command, {option, output, "--overwrite"}));
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_NE(outcome.err.find(option + " would replace a file that is read as "), std::string::npos)
            << outcome.err;
        EXPECT_EQ(read_file(at(input)), before);
    }
    /// With every option, and under every name.
    void expect_kept_by_all(const Arguments& command, const std::string& input) const {
        for (const std::string& option : output_options) expect_kept(command, input, option, at(input));
        const std::string hard = at("hard_" + input), soft = at("soft_" + input);
        fs::create_directories(at("sub"));
        fs::create_hard_link(at(input), hard);
        fs::create_symlink(input, soft);
        for (const std::string& name : {hard, soft, at("./sub/../" + input)})
            expect_kept(command, input, "--out", name);
        fs::remove(hard);
        fs::remove(soft);
    }

    TemporaryFolder folder_;
};

TEST_F(KeptInputs, of_an_average_of_repeats) {
    const Arguments command = joined(repeats("average"), others());
    for (const char* input :
         {"a_1.h5", "a_2.h5", "a_3.h5", "master.h5", "raw.h5", "labels.h5", "mask.h5", "dark.h5", "flat.h5",
          "q.h5", "static.h5", "detector.poni", "own.cl", "included.h"})
        expect_kept_by_all(command, input);
}

TEST_F(KeptInputs, of_a_single_run) {
    const Arguments one = joined({"xpcs", at("master.h5") + "::/data"}, others());
    for (const char* input : {"master.h5", "raw.h5", "labels.h5", "mask.h5", "dark.h5", "flat.h5", "q.h5",
                              "static.h5", "own.cl", "included.h"})
        expect_kept_by_all(one, input);
    // The frames of a series, each in a file of its own.
    const Arguments series{"xpcs",      at("img_1.tif"), at("img_2.tif"), at("img_3.tif"), "--rings",
                           "2,2,0,1,1", "--fit",         "single",        "--stability",   "4"};
    for (const char* input : {"img_1.tif", "img_3.tif"}) expect_kept_by_all(series, input);
}

TEST_F(KeptInputs, of_a_geometry_file) {
    for (const std::string& option : output_options)
        expect_kept({"xpcs", at("a_1.h5"), "--qmask", at("labels.h5") + "::/entry/qmask", "--geometry",
                     at("detector.poni"), "--fit", "single", "--stability", "4"},
                    "detector.poni", option, at("detector.poni"));
}

TEST_F(KeptInputs, of_separate_repeats_whose_outputs_get_their_names) {
    generate("1.h5");
    generate("x_1.h5");
    const std::string before = read_file(at("x_1.h5"));
    const Arguments command{"xpcs", at("1.h5"),  at("x_1.h5"), "--rings", "30,30,4,8,3", "--device",
                            "host", "--repeats", "separate",   "--out",   at("x.h5"),    "--overwrite"};
    const Outcome outcome = run_cli(command);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find("x_1.h5: --out would replace a file that is read as frames of repeat 2"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(read_file(at("x_1.h5")), before);
    EXPECT_FALSE(fs::exists(at("x_x_1.h5")));  // nothing was run
    // Of two options, too.
    const Outcome same =
        run_cli({"xpcs", at("a_1.h5"), at("1.h5"), "--rings", "30,30,4,8,3", "--device", "host", "--repeats",
                 "separate", "--out", at("r.h5"), "--csv", at("r_a.h5"), "--overwrite"});
    EXPECT_EQ(same.code, 2) << same.out;
    EXPECT_NE(same.err.find("--csv of one repeat and --out of another one would be the same file"),
              std::string::npos)
        << same.err;
    EXPECT_FALSE(fs::exists(at("r_1.h5")));
}

TEST_F(KeptInputs, what_is_not_read_is_replaced) {
    std::ofstream(at("old.h5")) << "of no use";
    fs::create_hard_link(at("old.h5"), at("old.csv"));
    const Outcome done =
        run_cli({"xpcs", at("a_1.h5"), at("a_2.h5"), at("master.h5") + "::/data", "--rings", "30,30,4,8,3",
                 "--device", "host", "--repeats", "average", "--out", at("old.h5"), "--overwrite"});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_TRUE(read_file(at("old.h5")).starts_with("\x89HDF"));
    EXPECT_EQ(read_file(at("old.csv")), "of no use");
}

}  // namespace kept_inputs_test
