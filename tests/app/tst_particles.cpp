// The particles command of the real program: sums, files, generated points, bad input, the bench.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"
#include "tests/reference_data.h"

namespace {

using ks::tests::Outcome;
using ks::tests::read_file;
using ks::tests::run_cli;
using ks::tests::TemporaryFolder;

class ParticlesCommand : public ::testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder / name, std::ios::binary) << text;
        return folder / name;
    }
    void refused(std::vector<std::string> arguments, const std::vector<std::string>& words) {
        arguments.insert(arguments.begin(), "particles");
        arguments.insert(arguments.end(), {"--device", "host", "--out", folder / "refused.h5"});
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
        EXPECT_FALSE(std::filesystem::exists(folder / "refused.h5"));
    }

    TemporaryFolder folder;
};

TEST_F(ParticlesCommand, potentials_at_points_are_written_as_csv_and_hdf5) {
    // 1 / (4 pi r) at r = 1, of weight 4 pi, and half a unit away from the second point.
    const std::string sources = write("s.csv", "z,weight,x,y\n0,12.566370614359172,0,0\n");
    const std::string targets = write("t.csv", "x,y,z\n1,0,0\n0,0.5,0\n0,0,0\n");
    for (const std::string variant : {"host.reference", "host.vector", ""}) {
        std::vector<std::string> arguments{"particles",     "--sources", sources,          "--targets",
                                           targets,         "--kernel",  "laplace",        "--precision",
                                           "f64",           "--csv",     folder / "f.csv", "--out",
                                           folder / "f.h5", "--check",   "full",           "--overwrite"};
        if (!variant.empty()) arguments.insert(arguments.end(), {"--variant", variant});
        const Outcome outcome = run_cli(arguments);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.err.find("1 pair of a source and a target at the same position"),
                  std::string::npos);
        EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
        std::istringstream rows(read_file(folder / "f.csv"));
        std::string line;
        std::getline(rows, line);
        EXPECT_EQ(line, "index,x,y,z,value");
        for (const auto& [places, expected] :
             {std::pair{"0,1,0,0,", 1.0}, std::pair{"1,0,0.5,0,", 2.0}, std::pair{"2,0,0,0,", 0.0}}) {
            std::getline(rows, line);
            EXPECT_TRUE(line.starts_with(places)) << line;
            EXPECT_NEAR(std::stod(line.substr(line.rfind(',') + 1)), expected, 1e-14) << line;
        }
        const Outcome info = run_cli({"info", folder / "f.h5::/entry/targets/y"});
        EXPECT_NE(info.out.find("f64"), std::string::npos) << info.out << info.err;
    }
}

TEST_F(ParticlesCommand, complex_sums_on_planes_are_two_images_each) {
    const std::string sources = write("s.csv", "x,y,z,weight,weight_im\n0.5,0.5,0.5,1,-2\n");
    const Outcome outcome =
        run_cli({"particles", "--sources", sources, "--kernel", "helmholtz", "--planes", "3", "--device",
                 "host", "--out", folder / "f.h5", "--csv", folder / "f.csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string text = read_file(folder / "f.csv");
    EXPECT_TRUE(text.starts_with("plane,i,j,x,y,z,value_re,value_im\nxy,0,0,0,0,0,")) << text.substr(0, 100);
    EXPECT_NE(text.find("\nxz,1,2,0.5,0,1,"), std::string::npos);
    EXPECT_NE(text.find("\nyz,2,1,0,1,0.5,"), std::string::npos);
    const Outcome info = run_cli({"info", folder / "f.h5"});
    for (const char* name : {"potential_xy_re", "potential_xz_im", "potential_yz_re"})
        EXPECT_NE(info.out.find(name), std::string::npos) << info.out;
}

TEST_F(ParticlesCommand, several_vectors_gradients_and_a_cube_go_to_the_file) {
    // 1 / (4 pi r) of weights 4 pi and 8 pi in the corner of a cube of two points a side.
    const std::string sources =
        write("s.csv", "x,y,z,weight,weight_2\n0,0,0,12.566370614359172,25.132741228718345\n");
    for (const std::string variant : {"host.reference", "host.vector", "vector.cpu", "target.tiled"}) {
        const Outcome outcome = run_cli({"particles",
                                         "--sources",
                                         sources,
                                         "--kernel",
                                         "laplace",
                                         "--grid",
                                         "2",
                                         "--gradient",
                                         "on",
                                         "--precision",
                                         "f64",
                                         "--variant",
                                         variant,
                                         "--check",
                                         "full",
                                         "--out",
                                         folder / "f.h5",
                                         "--csv",
                                         folder / "f.csv",
                                         "--overwrite"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("check: pass"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find(", largest error of gradients "), std::string::npos) << outcome.out;
        std::istringstream rows(read_file(folder / "f.csv"));
        std::string line;
        std::getline(rows, line);
        EXPECT_EQ(line,
                  "i,j,k,x,y,z,value,gradient_x,gradient_y,gradient_z,value_2,gradient_2_x,gradient_2_y,"
                  "gradient_2_z");
        while (std::getline(rows, line)) {
            std::replace(line.begin(), line.end(), ',', ' ');
            std::istringstream row(line);
            double i, j, k, x, y, z;
            row >> i >> j >> k >> x >> y >> z;
            const double r = std::sqrt(x * x + y * y + z * z), over = r > 0 ? 1 / r : 0;
            for (const double weight : {1.0, 2.0})
                for (const double expected :
                     {over, -x * over * over * over, -y * over * over * over, -z * over * over * over}) {
                    double value = 99;
                    row >> value;
                    EXPECT_NEAR(value, weight * expected, 1e-14) << variant << ": " << line;
                }
        }
    }
    const Outcome info = run_cli({"info", folder / "f.h5"});
    for (const char* name : {"potential ", "potential_2", "gradient_2_z", "[2, 2, 2]"})
        EXPECT_NE(info.out.find(name), std::string::npos) << info.out;
}

TEST_F(ParticlesCommand, what_is_wrong_is_named) {
    const std::string good = write("s.csv", "x,y,z,weight\n0,0,0,1\n");
    refused({"--sources", good, "--sigma", "0"}, {"sigma", "from 1e-12"});
    refused({"--sources", good, "--sigma", "-1"}, {"sigma"});
    refused({"--sources", good, "--kernel", "gauss"}, {"kernel"});
    refused({"--sources", good, "--planes", "3", "--targets", good},
            {"planes and targets cannot be used together"});
    refused({"--sources", write("n.csv", "x,y,z\n1,2,3\n1,NaN,3\n")}, {"n.csv, line 3", "column y"});
    refused({"--sources", write("e.csv", "x,y,z,weight\n")}, {"e.csv", "found none"});
    refused({"--sources", good, "--targets", write("t.csv", "x,y,z\n")}, {"t.csv", "found none"});
    refused({"--sources", write("c.csv", "x,y,weight\n1,2,3\n")}, {"c.csv", "x,y,z"});
    refused({"--sources", write("w.csv", "x,y,z,weight,weight_3\n0,0,0,1,2\n")},
            {"w.csv", "there is a column weight_3, but no column weight_2"});
    refused({"--sources", write("u.csv", "x,y,z,weight,weight2\n0,0,0,1,2\n")}, {"u.csv", "weight2"});
    refused({"--sources", write("v.csv", "x,y,z,weight,weight_2\n0,0,0,1,nan\n")},
            {"v.csv, line 2", "column weight_2", "nan"});
    refused({"--sources", good, "--grid", "3", "--targets", good},
            {"grid and targets cannot be used together"});
    refused({"--sources", good, "--grid", "3", "--planes", "3"}, {"planes and grid cannot be used together"});
    refused({"--sources", good, "--gradient", "some"}, {"gradient", "off, on"});
    for (const char* tolerance : {"0", "-1e-3", "1e-30", "nan"})
        refused({"--sources", good, "--variant", "host.treecode", "--tolerance", tolerance},
                {"tolerance", "1e-10"});
    refused({"--sources", good, "--variant", "host.treecode", "--tolerance", "1e-8"}, {"tolerance", "f64"});
    refused({"--sources", folder / "absent.csv"}, {"absent.csv", "no such file"});
    refused({"--planes", "3"}, {"--sources"});
}

TEST_F(ParticlesCommand, assumed_weights_and_lost_phases_are_said) {
    const Outcome outcome =
        run_cli({"particles", "--sources", write("s.csv", "x,y,z\n0,0,0.5\n"), "--planes", "4", "--kernel",
                 "helmholtz", "--wavenumber", "1e7", "--device", "host"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.err.find("1 is assumed"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("k r reaches"), std::string::npos) << outcome.err;
}

TEST_F(ParticlesCommand, generated_points_run_in_every_format) {
    for (const std::string name : {"p.csv", "p.npy", "p.h5"}) {
        EXPECT_EQ(
            run_cli({"generate", "particles", "--points", "40", "--seed", "3", "--out", folder / name}).code,
            0);
        const Outcome outcome =
            run_cli({"particles", "--sources", folder / name, "--planes", "20", "--device", "host", "--csv",
                     folder / (name + ".sums.csv"), "--check", "sample"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(read_file(folder / (name + ".sums.csv")), read_file(folder / "p.csv.sums.csv")) << name;
    }
}

TEST_F(ParticlesCommand, more_than_2_to_the_32_pairs_are_summed_and_counted) {
    const std::string points = folder / "many.npy";
    EXPECT_EQ(run_cli({"generate", "particles", "--points", "66000", "--out", points}).code, 0);
    for (const std::string device : {"host", ""}) {
        std::vector<std::string> arguments{"particles", "--sources", points,    "--targets", points,
                                           "--kernel",  "laplace",   "--check", "sample",    "--json"};
        if (!device.empty()) arguments.insert(arguments.end(), {"--device", device});
        const Outcome outcome = run_cli(arguments);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        for (const char* fact : {"\"pairs\": 4356000000", "\"skipped_pairs\": 66000"})
            EXPECT_NE(outcome.out.find(fact), std::string::npos) << outcome.out;
    }
}

TEST_F(ParticlesCommand, parameters_without_effect_are_said) {
    const std::string sources = write("s.csv", "x,y,z,weight\n0,0,0,1\n"),
                      targets = write("t.csv", "x,y,z\n1,0,0\n");
    const Outcome outcome = run_cli({"particles", "--sources", sources, "--targets", targets, "--kernel",
                                     "laplace", "--sigma", "0.2", "--xy-at", "3", "--device", "host"});
    EXPECT_EQ(outcome.code, 0);
    for (const char* words : {"warning: --sigma has no effect, because the kernel is laplace\n",
                              "warning: --xy-at has no effect, because the targets are points\n"})
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("wavenumber"), std::string::npos) << outcome.err;
    const Outcome quiet = run_cli({"particles", "--sources", sources, "--sigma", "0.2", "--xy-at", "3",
                                   "--planes", "3", "--device", "host"});
    EXPECT_EQ(quiet.err, "");
}

TEST_F(ParticlesCommand, the_columns_that_are_there_are_listed_where_none_is_a_weight) {
    const Outcome outcome = run_cli({"particles", "--sources", write("s.csv", "x,y,z,wieght\n0,0,0,1\n"),
                                     "--planes", "3", "--device", "host"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.err.find(
                  "has no column \"weight\" (its columns are x, y, z, wieght), so a weight of 1 is assumed"),
              std::string::npos)
        << outcome.err;
}

TEST_F(ParticlesCommand, an_existing_file_is_kept_and_the_option_that_replaces_it_named) {
    const std::string sources = write("s.csv", "x,y,z,weight\n0,0,0,1\n");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"particles", "--sources", sources, "--csv", write("old", "kept")},
          {"particles", "--sources", sources, "--out", folder / "old"},
          {"generate", "particles", "--out", folder / "old"},
          {"bench", "particles", "--json", folder / "old"}}) {
        const Outcome outcome = run_cli(arguments);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find("already exists; give --overwrite to replace it"), std::string::npos)
            << outcome.err;
        EXPECT_EQ(read_file(folder / "old"), "kept");
    }
}

TEST_F(ParticlesCommand, what_is_next_to_nothing_has_no_relative_error) {
    // The sum at 100 sigma is 0 in any precision, and of the two others one is lost in rounding.
    const std::string sources = write("s.csv", "x,y,z,weight\n0,0,0,1\n0,0,0,-1\n5,0,0,1\n");
    const std::string targets = write("t.csv", "x,y,z\n0,0,0\n5,0,0\n99,0,0\n");
    const Outcome outcome = run_cli({"particles", "--sources", sources, "--targets", targets, "--sigma",
                                     "0.5", "--check", "full", "--device", "host"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("check: pass: largest absolute error "), std::string::npos) << outcome.out;
    const std::size_t at = outcome.out.find("largest relative error ");
    ASSERT_NE(at, std::string::npos) << outcome.out;
    EXPECT_LT(std::stod(outcome.out.substr(at + 23)), 1e-5) << outcome.out;
    EXPECT_NE(outcome.out.find(" where the sum exceeds its rounding error"), std::string::npos)
        << outcome.out;
}

TEST_F(ParticlesCommand, a_benchmark_prints_what_it_sums_and_refuses_contradictions) {
    const std::vector<std::string> quick{"--variants", "host.vector", "--device", "host", "--repeat", "1"};
    const auto bench = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"bench", "particles"});
        arguments.insert(arguments.end(), quick.begin(), quick.end());
        return run_cli(arguments);
    };
    const Outcome points = bench({"--targets", "70", "--kernel", "laplace"});
    EXPECT_EQ(points.code, 0) << points.err;
    EXPECT_NE(points.out.find("targets = 70"), std::string::npos) << points.out;
    for (const char* absent : {"planes = ", "grid = ", "sigma = ", "wavenumber = ", "xy_at = "})
        EXPECT_EQ(points.out.find(absent), std::string::npos) << points.out;
    const Outcome planes = bench({});
    EXPECT_NE(planes.out.find("planes = 400"), std::string::npos) << planes.out;
    EXPECT_EQ(planes.out.find("targets = "), std::string::npos) << planes.out;
    for (const std::vector<std::string>& both : {std::vector<std::string>{"--targets", "9", "--planes", "4"},
                                                 {"--targets", "9", "--grid", "4"},
                                                 {"--grid", "3", "--planes", "4"}}) {
        const Outcome outcome = bench(both);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find("cannot be used together"), std::string::npos) << outcome.err;
    }
    EXPECT_NE(bench({"--planes", "8", "--wavenumber", "3"}).err.find("--wavenumber has no effect"),
              std::string::npos);
}

TEST_F(ParticlesCommand, help_names_all_kinds_of_targets) {
    const Outcome outcome = run_cli({"particles", "--help"});
    EXPECT_NE(outcome.out.find("on three planes, in a cube or at points from a file"), std::string::npos)
        << outcome.out;
}

TEST_F(ParticlesCommand, bench_times_and_checks_the_variants) {
    const Outcome outcome = run_cli({"bench", "particles", "--planes", "40", "--repeat", "2"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* word : {"seed.block", "vector.cpu", "host.vector", "pass"})
        EXPECT_NE(outcome.out.find(word), std::string::npos) << outcome.out;
}

TEST_F(ParticlesCommand, the_published_problem_has_the_published_sums) {
    const Outcome outcome =
        run_cli({"particles", "--sources", ks::tests::reference_data("particles_50.csv"), "--sigma", "0.1",
                 "--planes", "400", "--precision", "f64", "--check", "full"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* sum : {"10260.666122399", "40813.487571092", "17363.491721525"})
        EXPECT_NE(outcome.out.find(sum), std::string::npos) << outcome.out;
}

}  // namespace
