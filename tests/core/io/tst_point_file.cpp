#include <gtest/gtest.h>

#include <cmath>

#include "core/io/csv/csv.h"
#include "core/io/points/point_file.h"
#include "tests/core/io/io_fixture.h"

using namespace ks;
using namespace ks::io;
using namespace ks::tests;

namespace {

class Points : public IoTest {
  protected:
    PointFile read(const std::string& name, Weights weights = Weights::wanted) {
        Progress progress;
        return read_points(name, weights, progress);
    }
    std::string refusal(const std::string& name, Weights weights = Weights::wanted) {
        return input_error([&] { read(name, weights); });
    }
    PointFile csv(const std::string& text, Weights weights = Weights::wanted) {
        write_bytes(at("points.csv"), text);
        return read(at("points.csv"), weights);
    }
    std::string csv_refusal(const std::string& text) {
        write_bytes(at("points.csv"), text);
        return refusal(at("points.csv"));
    }
};

TEST_F(Points, the_columns_tell_points) {
    EXPECT_TRUE(io::are_columns_of_points({"weight", "z", "y", "x"}));
    EXPECT_FALSE(io::are_columns_of_points({"index", "module", "x", "y", "adc"}));
    EXPECT_FALSE(io::are_columns_of_points({}));
}

TEST_F(Points, columns_are_found_by_name_in_any_order) {
    const PointFile file = csv("weight,z,other,y,x\n4,3,9,2,1\n8,7,9,6,5\n");
    EXPECT_EQ(file.points, (PointSet{{1, 5}, {2, 6}, {3, 7}, {4, 8}, {}}));
    EXPECT_TRUE(file.warnings.empty());
    EXPECT_EQ(csv("x,y,z,weight,weight_im\n1,2,3,4,5\n").points, (PointSet{{1}, {2}, {3}, {4}, {5}}));
}

TEST_F(Points, missing_weights_are_1_and_told_where_they_are_wanted) {
    const PointFile sources = csv("x,y,z\n1,2,3\n");
    EXPECT_EQ(sources.points.weight, std::vector<double>{1});
    ASSERT_EQ(sources.warnings.size(), 1u);
    EXPECT_TRUE(contains(sources.warnings[0], {"points.csv", "weight", "1 is assumed"}));
    const PointFile targets = csv("x,y,z\n1,2,3\n", Weights::ignored);
    EXPECT_FALSE(targets.points.has_weights());
    EXPECT_TRUE(targets.warnings.empty());
    EXPECT_FALSE(csv("x,y,z,weight\n1,2,3,nan\n", Weights::ignored).points.has_weights());
}

TEST_F(Points, an_end_that_may_be_cut_off_does_not_make_weights_assumed) {
    const PointFile cut = csv("x,y,z,weight\n1,2,3,0.5");
    EXPECT_EQ(cut.warnings.size(), 1U);
    EXPECT_FALSE(cut.weights_assumed);
    EXPECT_EQ(csv_end_warning(at("points.csv")), cut.warnings.front());
    EXPECT_TRUE(csv("x,y,z\n1,2,3\n").weights_assumed);
    EXPECT_EQ(csv_end_warning(at("points.csv")), "");
    EXPECT_EQ(csv_end_warning(at("none.csv")), "");
}

TEST_F(Points, carry_any_number_of_vectors_of_weights) {
    const PointFile file =
        csv("weight_2,x,weight_3_im,y,z,weight,weight_3\n2,10,33,11,12,1,3\n-2,20,-33,21,22,-1,-3\n");
    EXPECT_EQ(file.points.n_vectors(), 3u);
    EXPECT_TRUE(file.points.is_complex());
    EXPECT_EQ(file.points.weight, (std::vector<double>{1, -1}));
    EXPECT_TRUE(file.points.weight_im.empty());
    EXPECT_EQ(file.points.more, (std::vector<WeightVector>{{{2, -2}, {}}, {{3, -3}, {33, -33}}}));
    EXPECT_EQ(csv("x,y,z,weight,weight_2\n1,2,3,4,nan\n", Weights::ignored).points.n_vectors(), 0u);
}

TEST_F(Points, ragged_or_unknown_columns_of_weights_are_named) {
    const auto of = [&](const std::string& columns) {
        return csv_refusal("x,y,z," + columns + "\n1,2,3,4,5\n");
    };
    EXPECT_TRUE(contains(of("weight,weight_3"),
                         {"points.csv", "there is a column weight_3, but no column weight_2"}));
    EXPECT_TRUE(contains(of("weight_2,weight_2_im"), {"there is a column weight_2, but no column weight"}));
    EXPECT_TRUE(
        contains(of("weight,weight_2_im"), {"there is a column weight_2_im, but no column weight_2"}));
    for (const char* name :
         {"weights", "weight_1", "weight_02", "weight_im_2", "weight2", "weight_", "weight__2"})
        EXPECT_TRUE(contains(of(std::string("weight,") + name), {"weight_2_im and so on", name})) << name;
    EXPECT_TRUE(contains(of("weight,weight"), {"one column weight", "two"}));
    EXPECT_TRUE(
        contains(csv_refusal("x,y,z,weight,weight_2\n1,2,3,4,inf\n"), {"line 2", "column weight_2", "inf"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,z,weight,weight_2\n1,2,3,4\n"), {"line 2", "5 values", "4"}));
    const double rows[] = {1, 2, NAN};
    {
        TestFile file(at("several.h5"));
        for (const char* name : {"x", "y", "z", "weight", "weight_2"})
            file.make(std::string("/p/") + name, H5T_IEEE_F64LE, {2}, rows, H5T_NATIVE_DOUBLE);
        for (const char* name : {"x", "y", "z", "weight", "weight_2"})
            file.make(std::string("/nan/") + name, H5T_IEEE_F64LE, {2},
                      rows + (std::string(name) == "weight_2" ? 1 : 0), H5T_NATIVE_DOUBLE);
        for (const char* name : {"x", "y", "z", "weight_2"})
            file.make(std::string("/q/") + name, H5T_IEEE_F64LE, {2}, rows, H5T_NATIVE_DOUBLE);
    }
    EXPECT_EQ(read(at("several.h5") + "::/p").points.n_vectors(), 2u);
    EXPECT_TRUE(
        contains(refusal(at("several.h5") + "::/nan"), {"several.h5::/nan, row 1", "weight_2", "nan"}));
    EXPECT_TRUE(
        contains(refusal(at("several.h5") + "::/q"), {"several.h5::/q", "weight_2, but no column weight"}));
}

TEST_F(Points, what_is_no_finite_number_is_named_by_its_line_or_row) {
    EXPECT_TRUE(contains(csv_refusal("x,y,z\n1,2,3\n1,nan,3\n"), {"points.csv, line 3", "column y", "nan"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,z,weight\n1,2,3,inf\n"), {"line 2", "column weight", "inf"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,z\n1,2,here\n"), {"line 2", "a number", "column z", "here"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,z\n1,2\n"), {"line 2", "3 values", "2"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,weight\n1,2,3\n"), {"x,y,z"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,z,weight_im\n1,2,3,4\n"), {"weight", "weight_im"}));
    EXPECT_TRUE(contains(csv_refusal("x,y,z\n"), {"found none"}));
    EXPECT_TRUE(contains(refusal(at("absent.csv")), {"absent.csv", "no such file"}));
    const double rows[] = {1, 2, 3, 4, NAN, 6};
    {
        TestFile file(at("bad.h5"));
        file.make("/entry/points/x", H5T_IEEE_F64LE, {2}, rows, H5T_NATIVE_DOUBLE);
        file.make("/entry/points/y", H5T_IEEE_F64LE, {2}, rows + 3, H5T_NATIVE_DOUBLE);
        file.make("/entry/points/z", H5T_IEEE_F64LE, {2}, rows, H5T_NATIVE_DOUBLE);
        file.make("/short/x", H5T_IEEE_F64LE, {2}, rows, H5T_NATIVE_DOUBLE);
        file.make("/short/y", H5T_IEEE_F64LE, {1}, rows, H5T_NATIVE_DOUBLE);
        file.make("/wide", H5T_IEEE_F64LE, {1, 6}, rows, H5T_NATIVE_DOUBLE);
    }
    EXPECT_TRUE(contains(refusal(at("bad.h5")), {"row 1", "column y", "nan"}));
    EXPECT_TRUE(contains(refusal(at("bad.h5") + "::/short"), {"/short/y", "expected 2", "found 1"}));
    EXPECT_TRUE(contains(refusal(at("bad.h5") + "::/wide"), {"/wide", "[1, 6]"}));
    EXPECT_TRUE(contains(refusal(at("bad.h5") + "::/absent"), {"absent"}));
}

TEST_F(Points, a_matrix_of_hdf5_holds_a_point_a_row) {
    const float rows[] = {1, 2, 3, 4, 5, 6, 7, 8};
    {
        TestFile file(at("rows.h5"));
        file.make("/m", H5T_IEEE_F32LE, {2, 4}, rows, H5T_NATIVE_FLOAT);
    }
    EXPECT_EQ(read(at("rows.h5") + "::/m").points, (PointSet{{1, 5}, {2, 6}, {3, 7}, {4, 8}, {}}));
}

TEST_F(Points, files_that_are_written_read_back_as_they_were) {
    const PointSet points{{0.1, 0.2}, {1.0 / 3, -4}, {5e-300, 6}, {7, 8}, {9, -0.5}};
    const PointSet real{points.x, points.y, points.z, points.weight, {}},
        bare{points.x, points.y, points.z, {}, {}},
        several{points.x, points.y, points.z, points.weight, {}, {{{1, 2}, {3, 4}}, {{5, 6}, {}}}};
    Progress progress;
    for (const char* name : {"p.csv", "p.npy", "p.h5"}) {
        for (const PointSet& set : {points, real}) {
            write_points(set, at(name), true, progress);
            EXPECT_EQ(read(at(name)).points, set) << name;
        }
        if (std::string(name) != "p.npy") {
            write_points(several, at(name), true, progress);
            EXPECT_EQ(read(at(name)).points, several) << name;
        } else {
            EXPECT_TRUE(contains(input_error([&] { write_points(several, at(name), true, progress); }),
                                 {"p.npy", "one vector", "3"}));
        }
        write_points(bare, at(name), true, progress);
        EXPECT_EQ(read(at(name), Weights::ignored).points, bare) << name;
    }
}

}  // namespace
