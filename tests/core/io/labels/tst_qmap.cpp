// Bins in the q maps of APS 8-ID: their labels, static labels, q and azimuth.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5_write.h"
#include "core/io/labels/label_file.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/files/aps_file.h"
#include "core/xpcs/problem.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/run_on_host.h"

namespace ks::tests::qmap {
namespace {

class QMap : public IoTest {
  protected:
    static constexpr std::size_t height = 6, width = 8;

    /// Labels 1 .. bins in columns; the first column is in no bin.
    static std::vector<std::int32_t> labels(std::int32_t bins) {
        std::vector<std::int32_t> all;
        for (std::size_t pixel = 0; pixel < height * width; ++pixel)
            all.push_back(static_cast<std::int32_t>(pixel % width) % (bins + 1));
        return all;
    }
    static Array image(const std::vector<std::int32_t>& values) {
        return Array::of<std::int32_t>({height, width}, values);
    }
    template <class T>
    static Array list(const std::vector<T>& values) {
        return Array::of<T>({values.size()}, values);
    }
    /// A map of three q and two azimuths, of which the pairs 0, 1, 3 and 4 have pixels.
    void write_map(const std::string& leaf, const std::string& group, const std::vector<std::int64_t>& index,
                   const std::vector<std::string>& axes = {"q", "phi"},
                   const std::vector<std::string>& units = {}) const {
        io::h5::Writer file(at(leaf), at(leaf), nullptr);
        file.array(group + "/dynamic_roi_map", image(labels(4)));
        file.array(group + "/static_roi_map", image(labels(7)));
        file.array(group + "/dynamic_v_list_dim0", list<double>({0.01, 0.02, 0.03}));
        file.array(group + "/dynamic_v_list_dim1", list<double>({-90, 90}));
        file.array(group + "/dynamic_index_mapping", list(index));
        file.texts(group + "/map_names", axes);
        if (!units.empty()) file.texts(group + "/map_units", units);
        file.close();
    }
};

TEST_F(QMap, the_map_of_a_file_gives_bins_with_q_and_azimuth) {
    for (const std::string group : {"/qmap", "/xpcs/qmap"}) {
        write_map("map.h5", group, {0, 1, 3, 4});
        for (const std::string& name :
             {at("map.h5"), at("map.h5") + "::" + group, at("map.h5") + "::" + group + "/",
              at("map.h5") + "::" + group + "/dynamic_roi_map"}) {
            const io::LabelFile found = io::read_labels(name);
            EXPECT_EQ(found.labels.labels(), labels(4)) << name;
            EXPECT_EQ(found.static_labels, labels(7)) << name;
            EXPECT_EQ(found.q, (std::vector<double>{0.01, 0.01, 0.02, 0.03})) << name;
            EXPECT_EQ(found.phi, (std::vector<double>{-90, 90, 90, -90})) << name;
            EXPECT_EQ(io::read_label_image(name).labels(), labels(4)) << name;
        }
        fs::remove(at("map.h5"));
    }
}

TEST_F(QMap, maps_of_earlier_years_are_read) {
    io::h5::Writer file(at("old.h5"), at("old.h5"), nullptr);
    file.array("/data/dynamicMap", image(labels(3)));
    file.array("/data/staticMap", image(labels(5)));
    file.array("/data/dqval", list<double>({0.1, 0.2, 0.3}));
    file.array("/data/dphival", list<double>({0}));
    file.close();
    const io::LabelFile found = io::read_labels(at("old.h5"));
    EXPECT_EQ(found.labels.labels(), labels(3));
    EXPECT_EQ(found.static_labels, labels(5));
    EXPECT_EQ(found.q, (std::vector<double>{0.1, 0.2, 0.3}));
    EXPECT_TRUE(found.phi.empty());
}

TEST_F(QMap, the_units_of_its_axes_are_converted_or_refused) {
    for (const auto& [unit, factor] : std::vector<std::pair<std::string, double>>{
             {"nm^-1", 0.1}, {"1/nm", 0.1}, {"\u00c5^-1", 1}, {"1/\u00c5", 1}, {"A^{-1}", 1}}) {
        write_map("map.h5", "/qmap", {0, 1, 3, 4}, {"q", "phi"}, {unit, "rad"});
        const io::LabelFile found = io::read_labels(at("map.h5"));
        ASSERT_EQ(found.q.size(), 4U);
        EXPECT_DOUBLE_EQ(found.q[2], 0.02 * factor) << unit;
        EXPECT_NEAR(found.phi[1], 90 * 57.29577951308232, 1e-9);
        fs::remove(at("map.h5"));
    }
    write_map("map.h5", "/qmap", {0, 1, 3, 4}, {"q", "phi"}, {"px", "deg"});
    EXPECT_TRUE(contains(input_error([&] { io::read_labels(at("map.h5")); }),
                         {"map.h5::/qmap/map_units", "1/angstrom or 1/nm, found \"px\""}));
    EXPECT_EQ(io::read_label_image(at("map.h5")).labels(), labels(4));
}

TEST_F(QMap, axes_other_than_q_are_not_taken_for_q) {
    write_map("map.h5", "/qmap", {0, 1, 3, 4}, {"x", "y"});
    const io::LabelFile found = io::read_labels(at("map.h5"));
    EXPECT_EQ(found.labels.labels(), labels(4));
    EXPECT_TRUE(found.q.empty());
    EXPECT_TRUE(found.phi.empty());
}

TEST_F(QMap, an_index_that_fits_no_value_is_refused_with_its_place) {
    write_map("map.h5", "/qmap", {0, 1, 3, 6});
    EXPECT_TRUE(contains(input_error([&] { io::read_labels(at("map.h5")); }),
                         {"map.h5::/qmap/dynamic_index_mapping", "bin 4 has the index 6", "3 x 2 values"}));
    fs::remove(at("map.h5"));
    write_map("map.h5", "/qmap", {0, 1, 3});
    EXPECT_TRUE(contains(input_error([&] { io::read_labels(at("map.h5")); }),
                         {"map.h5::/qmap/dynamic_index_mapping", "an index per bin, i.e. 4, found 3"}));
    // The labels alone can be used.
    EXPECT_EQ(io::read_label_image(at("map.h5")).labels(), labels(4));
}

class QMapRun : public QMap {
  protected:
    void write_frames() const {
        io::h5::Writer file(at("frames.h5"), at("frames.h5"), nullptr);
        std::vector<std::uint16_t> counts(5 * height * width);
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<std::uint16_t>(i * i % 11);
        file.array("/frames", Array::of<std::uint16_t>({5, height, width}, counts));
        file.close();
    }
    Request request() const {
        Request made;
        made.analysis = "xpcs";
        made.inputs["frames"] = {at("frames.h5") + "::/frames"};
        made.inputs["partition"] = {at("map.h5")};
        made.parameters = defaults(xpcs::make_analyses().front().info().parameters);
        return made;
    }
    Result run(const Request& of) {
        const auto problem = xpcs::make_analyses().front().load(of, quiet, nullptr);
        return run_on_host(xpcs::host_variants(), *problem, "host.gram").result;
    }
};

TEST_F(QMapRun, q_of_the_map_is_that_of_the_bins_where_the_geometry_is_unknown) {
    write_frames();
    write_map("map.h5", "/qmap", {0, 1, 3, 4});
    EXPECT_EQ(run(request()).at("q").values.to_doubles(), (std::vector<double>{0.01, 0.01, 0.02, 0.03}));
    EXPECT_EQ(run(request()).at("phi").values.to_doubles(), (std::vector<double>{-90, 90, 90, -90}));
    Request known = request();
    for (const auto& [id, value] : std::vector<std::pair<std::string, double>>{{"wavelength", 1.5},
                                                                               {"distance", 2000.0},
                                                                               {"pixel_size", 75.0},
                                                                               {"beam_x", 4.0},
                                                                               {"beam_y", 3.0}})
        known.parameters[id] = value;
    for (const double q : run(known).at("q").values.to_doubles()) {
        EXPECT_TRUE(std::isfinite(q));
        EXPECT_LT(q, 0.001) << "of the geometry, not of the map";
    }
}

TEST_F(QMapRun, a_map_whose_q_cannot_be_used_still_gives_its_bins) {
    write_frames();
    write_map("map.h5", "/qmap", {0, 1, 3, 6});
    const auto problem = xpcs::make_analyses().front().load(request(), quiet, nullptr);
    EXPECT_TRUE(std::ranges::any_of(problem->notices, [](const std::string& one) {
        return one.find("gives no usable q") != std::string::npos && one.find("index 6") != std::string::npos;
    }));
    const Result result = run_on_host(xpcs::host_variants(), *problem, "host.gram").result;
    EXPECT_TRUE(std::isnan(result.at("q").values.to_doubles().front()));
}

TEST_F(QMapRun, what_aps_out_writes_gives_the_same_bins_and_q_again) {
    write_frames();
    write_map("map.h5", "/qmap", {0, 1, 3, 4});
    Request known = request();
    for (const auto& [id, value] : std::vector<std::pair<std::string, double>>{{"frame_time", 0.1},
                                                                               {"wavelength", 1.5},
                                                                               {"distance", 2000.0},
                                                                               {"pixel_size", 75.0},
                                                                               {"beam_x", 4.0},
                                                                               {"beam_y", 3.0}})
        known.parameters[id] = value;
    const auto problem = xpcs::make_analyses().front().load(known, quiet, nullptr);
    ks::Run made = run_on_host(xpcs::host_variants(), *problem, "host.gram");
    made.request = known;
    xpcs::write_aps(made, at("result.hdf"), false, quiet);
    Request again = request();
    again.inputs["partition"] = {at("result.hdf")};
    const Result found = run(again);
    EXPECT_EQ(found.at("labels").values.to_doubles(), made.result.at("labels").values.to_doubles());
    EXPECT_EQ(found.at("q").values.to_doubles(), made.result.at("q").values.to_doubles());
    EXPECT_EQ(found.at("g2").values, made.result.at("g2").values);
}

}  // namespace
}  // namespace ks::tests::qmap
