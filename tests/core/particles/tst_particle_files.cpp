#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <sstream>

#include "core/io/hdf5/hdf5.h"
#include "core/io/open_frames.h"
#include "core/io/points/point_file.h"
#include "core/particles/analysis.h"
#include "core/particles/generator.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/particles/particle_fixture.h"

using namespace ks;
using namespace ks::particles;
using namespace ks::tests;

namespace {

class SumFile : public IoTest {
  protected:
    static ks::Run run_of(const SumProblem& problem) {
        ks::Run run = host_sum(problem, "host.vector");
        run.request.parameters = {{"xy_at", 0.0}, {"xz_at", 0.0}, {"yz_at", 0.0}};
        return run;
    }
};

TEST_F(SumFile, a_saved_run_reads_back_in_double) {
    const SumProblem problems[] = {
        {random_points(5, 1), PlaneGrid{4, 0, 1, 0, 0, 0}, settings_of(Kernel::rbf, Precision::f32)},
        {random_points(5, 1, true), random_points(7, 2), settings_of(Kernel::helmholtz, Precision::f64)}};
    for (const SumProblem& problem : problems) {
        const ks::Run run = run_of(problem);
        write_run(run, at("run.h5"), true, quiet);
        const ks::Run back = read_run(at("run.h5"));
        EXPECT_EQ(sums_of(back.result, problem), sums_of(run.result, problem));
        EXPECT_EQ(back.result.facts, run.result.facts);
        EXPECT_EQ(back.variant.id, "host.vector");
    }
}

TEST_F(SumFile, each_plane_is_a_plot_with_axes_of_its_own) {
    const SumProblem problem(random_points(5, 1, true), PlaneGrid{4, 0, 1, 0, 0, 0},
                             settings_of(Kernel::rbf, Precision::f64));
    const ks::Run run = run_of(problem);
    write_run(run, at("run.h5"), true, quiet);
    for (const auto& [plane, axis] : {std::pair{"xy", "x"}, {"xz", "x"}, {"yz", "y"}}) {
        const std::string group = at("run.h5") + "::/entry/" + plane,
                          name = std::string("potential_") + plane;
        EXPECT_EQ(io::read_array(group + "/" + name + "_re", 2), run.result.at(name + "_re").values) << plane;
        EXPECT_EQ(io::read_array(group + "/" + name + "_im", 2), run.result.at(name + "_im").values) << plane;
        EXPECT_EQ(io::read_array(group + "/" + axis, 1), run.result.at(axis).values) << plane;
        const io::h5::Handle file(H5Fopen(at("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        const io::h5::Handle data(H5Oopen(file, ("/entry/" + std::string(plane)).c_str(), H5P_DEFAULT));
        EXPECT_EQ(io::h5::attribute(data, "signal"), name + "_re");
        EXPECT_EQ(io::h5::attribute(data, "axes"), axis);  // the first of two
        EXPECT_EQ(io::h5::attribute(data, "auxiliary_signals"), name + "_im");
    }
}

TEST_F(SumFile, a_table_has_a_column_for_each_sum) {
    const PointsPtr sources = with_vectors(random_points(3, 1, true), 2, true);
    SumSettings settings = settings_of(Kernel::rbf);
    settings.gradient = true;
    write_table(run_of({sources, random_points(2, 2), settings}), at("points.csv"), true, quiet);
    EXPECT_TRUE(read_bytes(at("points.csv"))
                    .starts_with("index,x,y,z,value_re,value_im,gradient_x_re,gradient_x_im,gradient_y_re,"
                                 "gradient_y_im,gradient_z_re,gradient_z_im,value_2_re,value_2_im,"
                                 "gradient_2_x_re,gradient_2_x_im,"));
    const ks::Run run = run_of({random_points(3, 1), PlaneGrid{2, 0, 1, 0, 0, 0}, settings});
    write_table(run, at("planes.csv"), true, quiet);
    const std::string text = read_bytes(at("planes.csv"));
    EXPECT_TRUE(text.starts_with("plane,i,j,x,y,z,value,gradient_x,gradient_y,gradient_z\n"));
    // The last row is the last of the yz plane, of every sum.
    std::istringstream row(text.substr(text.rfind("yz,1,1,0,1,1,") + 13));
    for (const char* name : {"potential_yz", "gradient_x_yz", "gradient_y_yz", "gradient_z_yz"}) {
        double value = 0;
        char comma = 0;
        row >> value >> std::noskipws >> comma >> std::skipws;
        EXPECT_EQ(value, run.result.at(name).values.to_doubles()[3]) << name;
    }
    EXPECT_EQ(std::ranges::count(text, '\n'), 13);
}

TEST_F(SumFile, points_stand_beside_their_sums) {
    const PointsPtr targets = random_points(7, 2);
    const ks::Run run = run_of({random_points(5, 1), targets, settings_of(Kernel::rbf, Precision::f64)});
    write_run(run, at("run.h5"), true, quiet);
    const std::string group = at("run.h5") + "::/entry/targets/";
    EXPECT_EQ(io::read_array(group + "x", 1).to_doubles(), targets->x);
    EXPECT_EQ(io::read_array(group + "y", 1).to_doubles(), targets->y);
    EXPECT_EQ(io::read_array(group + "z", 1).to_doubles(), targets->z);
    EXPECT_EQ(io::read_array(group + "potential", 1), run.result.at("potential").values);
    EXPECT_EQ(read_run(at("run.h5")).result.at("target_y").values.to_doubles(), targets->y);
    // They are points again, for a further run.
    EXPECT_EQ(io::read_points(at("run.h5") + "::/entry/targets", io::Weights::ignored, quiet).points.z,
              targets->z);
    write_table(run, at("points.csv"), true, quiet);
    EXPECT_EQ(io::read_points(at("points.csv"), io::Weights::ignored, quiet).points.x, targets->x);
}

TEST_F(SumFile, a_run_that_was_saved_without_the_places_of_its_targets_still_reads) {
    ks::Run run = run_of({random_points(5, 1), random_points(7, 2), settings_of(Kernel::rbf)});
    std::erase_if(run.result.datasets, [](const Dataset& dataset) { return dataset.kind == DataKind::axis; });
    write_run(run, at("old.h5"), true, quiet);
    const ks::Run back = read_run(at("old.h5"));
    EXPECT_EQ(back.result.datasets.size(), 1u);
    write_table(back, at("old.csv"), true, quiet);
    EXPECT_TRUE(read_bytes(at("old.csv")).starts_with("index,value\n0,"));
}

TEST_F(SumFile, what_is_stopped_leaves_no_file) {
    Progress stopped;
    stopped.cancel();
    for (const Targets& targets :
         {Targets(PlaneGrid{4, 0, 1, 0, 0, 0}), Targets(CubeGrid{3, 0, 1}), Targets(random_points(7, 2))}) {
        const ks::Run run = run_of({random_points(5, 1), targets, settings_of(Kernel::rbf)});
        EXPECT_THROW(write_run(run, at("run.h5"), false, stopped), Error);
        EXPECT_THROW(write_table(run, at("run.csv"), false, stopped), Error);
    }
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(SumFile, other_files_are_refused) {
    write_bytes(at("text.h5"), "no HDF5");
    EXPECT_TRUE(contains(input_error([&] { read_run(at("text.h5")); }), {"text.h5"}));
    ks::Run run = run_of({random_points(5, 1), random_points(7, 2), settings_of(Kernel::rbf)});
    run.request.analysis = "spots";
    write_run(run, at("spots.h5"), true, quiet);
    EXPECT_TRUE(contains(input_error([&] { read_run(at("spots.h5")); }), {"particles", "spots"}));
    EXPECT_TRUE(contains(input_error([&] { write_run(run, at("spots.h5"), false, quiet); }), {"spots.h5"}));
}

TEST(RepeatedPoints, follow_the_others_and_lie_at_their_places) {
    PointSpec spec{20, "random", "complex", 3, 2};
    const PointSet once = make_points(spec);
    spec.repeated = 9;
    const PointSet all = make_points(spec);
    ASSERT_EQ(all.size(), 29U);
    std::set<std::array<double, 3>> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::array<double, 3> place{all.x[i], all.y[i], all.z[i]};
        EXPECT_EQ(places.insert(place).second, i < 20) << i;
        if (i < 20) {
            EXPECT_EQ(place, (std::array{once.x[i], once.y[i], once.z[i]}));
        }
    }
    for (const auto* weights : {&all.weight, &all.weight_im, &all.more.at(0).re, &all.more.at(0).im})
        EXPECT_EQ(weights->size(), 29U);
    EXPECT_TRUE(std::ranges::equal(once.weight, std::span(all.weight).first(20)));
}

}  // namespace
