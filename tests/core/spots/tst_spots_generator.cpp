#include "core/spots/synthetic/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>

#include "core/base/random.h"
#include "core/io/open_frames.h"
#include "core/spots/parameters.h"
#include "core/spots/results/spot_columns.h"
#include "tests/core/io/io_fixture.h"
#include "tests/core/spots/host_run.h"

namespace spots_generator_test {

using namespace ks;
using namespace ks::spots;

namespace ks::tests {
namespace {

SceneSpec small_scene() {
    SceneSpec spec;
    spec.frames = 3;
    spec.height = 64;
    spec.width = 80;
    spec.spots = 10;
    return spec;
}

std::vector<std::uint16_t> counts_of(const Scene& scene) {
    Progress progress;
    const Array stack = scene.stack(progress);
    const auto values = stack.as<std::uint16_t>();
    return {values.begin(), values.end()};
}

TEST(PoissonTable, has_the_probabilities_of_the_distribution) {
    for (const double mean : {0.01, 0.7, 5.0, 300.0}) {
        const PoissonTable table(mean);
        Random random(3, 1);
        std::map<std::uint32_t, double> counts;
        const double n = 400000;
        for (int i = 0; i < 400000; ++i) ++counts[table(static_cast<std::uint32_t>(random.next() >> 32))];
        double sum = 0, squares = 0;
        for (const auto& [k, times] : counts) {
            const double p = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
            EXPECT_NEAR(times, n * p, 6 * std::sqrt(n * p) + 6) << "mean " << mean << ", count " << k;
            sum += k * times;
            squares += double{1} * k * k * times;
        }
        EXPECT_NEAR(sum / n, mean, 5 * std::sqrt(mean / n)) << mean;
        EXPECT_NEAR(squares / n - sum / n * sum / n, mean, 0.02 * mean + 1e-3) << mean;
    }
    EXPECT_EQ(PoissonTable(0)(0xffffffff), 0u);
    EXPECT_EQ(PoissonTable(5)(0), 0u);
}

TEST(SpotsScene, is_the_same_for_the_same_seed_and_for_any_order_of_its_frames) {
    SceneSpec spec = small_scene();
    const auto first = counts_of(Scene(spec));
    EXPECT_EQ(counts_of(Scene(spec)), first);
    Progress progress;
    std::vector<std::byte> last(64 * 80 * 2);
    Scene(spec).frame(2, last, progress);
    EXPECT_TRUE(std::ranges::equal(last, std::as_bytes(std::span(first)).subspan(2 * last.size())));
    spec.seed = 1;
    EXPECT_NE(counts_of(Scene(spec)), first);
}

TEST(SpotsScene, has_the_mean_of_its_background_which_falls_from_the_beam) {
    SceneSpec spec = small_scene();
    spec.frames = 1;
    spec.height = spec.width = 400;
    spec.spots = 0;
    spec.background = 8;
    const auto mean_near = [&](double r0, double r1) {
        const auto counts = counts_of(Scene(spec));
        double sum = 0, n = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double r =
                std::hypot(static_cast<double>(i % 400) - 199.5, static_cast<double>(i / 400) - 199.5);
            if (r < r0 || r >= r1) continue;
            sum += counts[i];
            ++n;
        }
        return sum / n;
    };
    EXPECT_NEAR(mean_near(0, 300), 8, 5 * std::sqrt(8 / 160000.0));
    spec.falloff = 0.5;
    // Linear in r: half of it is lost in the corner, at r = 283.
    EXPECT_NEAR(mean_near(0, 20), 8 * (1 - 0.5 * 13.3 / 283), 0.3);
    EXPECT_NEAR(mean_near(180, 200), 8 * (1 - 0.5 * 190 / 283), 0.1);
}

TEST(SpotsScene, a_spot_has_its_counts_and_its_centre) {
    SceneSpec spec = small_scene();
    spec.frames = 5;
    spec.background = 0;
    spec.spots = 1;
    spec.grid = true;
    spec.counts_min = spec.counts_max = 40000;
    spec.rocking_sigma = 0.8;
    const Scene scene(spec);
    const auto counts = counts_of(scene);
    double sum = 0, x = 0, y = 0, in_first = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        sum += counts[i];
        x += counts[i] * (static_cast<double>(i % 80) + 0.5);
        y += counts[i] * (static_cast<double>(i / 80 % 64) + 0.5);
        if (i < 64 * 80) in_first += counts[i];
    }
    ASSERT_EQ(scene.truth().size(), 1u);
    EXPECT_EQ(scene.truth()[0].z, 0.5);
    // The series begins half a frame before it: P(z >= -0.5), and the first frame holds P(|z| < 0.5).
    const double all = 40000 * 0.5 * (1 + std::erf(0.5 / 0.8 / std::sqrt(2.0)));
    EXPECT_NEAR(sum, all, 5 * std::sqrt(all));
    EXPECT_NEAR(in_first, 40000 * std::erf(0.5 / 0.8 / std::sqrt(2.0)), 5 * std::sqrt(40000.0));
    EXPECT_NEAR(x / sum, scene.truth()[0].x, 5 / std::sqrt(all));
    EXPECT_NEAR(y / sum, scene.truth()[0].y, 5 / std::sqrt(all));
}

TEST(SpotsScene, gaps_and_dead_pixels_are_masked_and_hot_ones_are_not) {
    SceneSpec spec = small_scene();
    spec.modules = "30,40,4,0";
    spec.dead_pixels = 7;
    spec.hot_pixels = 3;
    for (const ElementType type : {ElementType::u16, ElementType::u32, ElementType::i32}) {
        spec.type = type;
        const Scene scene(spec);
        Progress progress;
        const std::vector<double> values = scene.stack(progress).to_doubles();
        const double none = type == ElementType::i32 ? -1 : type == ElementType::u16 ? 65535 : 4294967295.0;
        std::size_t gaps = 0, dead = 0;
        for (std::size_t i = 0; i < scene.mask().size(); ++i) {
            const bool gap = i / 80 >= 30 && i / 80 < 34;
            EXPECT_EQ((scene.mask()[i] & 1) != 0, gap) << i;
            gaps += gap ? 1 : 0;
            dead += (scene.mask()[i] & 2) != 0 ? 1 : 0;
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_EQ(values[k * 64 * 80 + i] == none, scene.mask()[i] != 0) << i;
        }
        EXPECT_EQ(gaps, 4u * 80);
        EXPECT_EQ(dead, 7u);
        ASSERT_EQ(scene.hot().size(), 3u);
        for (const std::uint32_t at : scene.hot()) {
            EXPECT_EQ(scene.mask()[at], 0u);
            EXPECT_GE(values[at], 1000);
        }
    }
}

class SpotsFile : public IoTest {
  protected:
    std::shared_ptr<const SpotProblem> generated(const ParameterSet& given) {
        Progress progress;
        const Analysis analysis = make_analyses().front();
        analysis.generate(given, at("scan.h5"), true, progress);
        Request request;
        request.analysis = "spots";
        request.inputs["frames"] = {at("scan.h5"), {}};
        return std::dynamic_pointer_cast<const SpotProblem>(analysis.load(request, progress, nullptr));
    }
    std::vector<double> truth(const char* name) {
        return io::read_array(at("scan.h5") + "::/entry/truth/" + name, 1).to_doubles();
    }
};

TEST_F(SpotsFile, tells_its_geometry_and_its_mask) {
    const auto problem = generated({{"height", std::int64_t{130}},
                                    {"width", std::int64_t{110}},
                                    {"frames", std::int64_t{2}},
                                    {"dead_pixels", std::int64_t{5}},
                                    {"wavelength", 1.25},
                                    {"distance", 150.0},
                                    {"pixel_size", 172.0},
                                    {"beam_x", 40.25},
                                    {"beam_y", 0.0}});
    EXPECT_TRUE(problem->located);
    const Geometry& g = problem->geometry;
    EXPECT_NEAR(g.wavelength, 1.25, 1e-12);
    EXPECT_NEAR(g.distance, 150, 1e-9);
    EXPECT_NEAR(g.pixel_size_x, 172, 1e-9);
    EXPECT_NEAR(g.beam_x, 40.25, 1e-9);
    EXPECT_NEAR(g.beam_y, 0, 1e-9);
    // A gap of 4 rows in the middle of 130, and the dead pixels.
    EXPECT_EQ(problem->masked_pixels(), 4u * 110 + 5);
    EXPECT_EQ(problem->type(), ElementType::u16);
    EXPECT_EQ(problem->frames(), 2u);
}

TEST_F(SpotsFile, spots_on_a_grid_are_found_where_they_were_put_and_no_others) {
    const auto problem = generated({{"height", std::int64_t{300}},
                                    {"width", std::int64_t{280}},
                                    {"frames", std::int64_t{6}},
                                    {"spots", std::int64_t{100}},
                                    {"layout", std::string("grid")},
                                    {"counts_min", 1500.0},
                                    {"hot_pixels", std::int64_t{0}},
                                    {"modules", std::string("whole")},
                                    {"dead_pixels", std::int64_t{20}}});
    const auto x = truth("x"), y = truth("y"), z = truth("z");
    ASSERT_EQ(x.size(), 100u);
    std::vector<Spot> kept;
    for (const Spot& spot : spots_of(host_run(*problem).result))
        if (spot.dropped == Dropped::kept) kept.push_back(spot);
    std::size_t found = 0;
    double error = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (const Spot& spot : kept) {
            const double off = std::hypot(spot.x - x[i], spot.y - y[i]);
            if (off > 0.5 || std::abs(spot.z - z[i]) > 0.5) continue;
            ++found;
            error += off * off;
        }
    EXPECT_GE(found, 99u) << "a dead pixel may split one";
    EXPECT_LE(kept.size(), found + 1) << "spots where none were put";
    // sigma / sqrt(1500) in x and y would be 0.04 without background and cut tails.
    EXPECT_LT(std::sqrt(error / static_cast<double>(found)), 0.12);
}

TEST_F(SpotsFile, contradictions_are_refused_and_leave_no_file) {
    Progress progress;
    const Analysis analysis = make_analyses().front();
    const auto refusal = [&](const ParameterSet& given) {
        return input_error([&] { analysis.generate(given, at("bad.h5"), false, progress); });
    };
    EXPECT_TRUE(contains(refusal({{"counts_min", 10.0}, {"counts_max", 5.0}}), {"counts_min", "10", "5"}));
    EXPECT_TRUE(contains(refusal({{"modules", std::string("9000,1,0,0")}}), {"modules", "9000"}));
    EXPECT_TRUE(contains(
        refusal(
            {{"height", std::int64_t{10}}, {"width", std::int64_t{10}}, {"hot_pixels", std::int64_t{90}}}),
        {"hot_pixels"}));
    EXPECT_TRUE(contains(refusal({{"frames", std::int64_t{0}}}), {"frames"}));
    EXPECT_FALSE(fs::exists(at("bad.h5")));
}

TEST(SpotsBenchmark, is_an_eiger_16m_frame_with_3000_spots_made_quickly) {
    const auto start = std::chrono::steady_clock::now();
    const auto made = make_analyses().front().benchmark_problem({});
    const auto& problem = dynamic_cast<const SpotProblem&>(*made);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(problem.height(), 4362u);
    EXPECT_EQ(problem.width(), 4148u);
    EXPECT_EQ(problem.frames(), 1u);
    EXPECT_EQ(problem.thresholds(), Thresholds{});
    EXPECT_EQ(problem.shared()->in_memory().size(), std::size_t{4362} * 4148 * 2);
    EXPECT_LT(seconds, 60) << "well under 2 s where nothing else runs";
    const auto extended =
        make_analyses().front().benchmark_problem({{"height", std::int64_t{40}},
                                                   {"width", std::int64_t{50}},
                                                   {"kernel", std::string("4,5")},
                                                   {"algorithm", std::string("dispersion_extended")}});
    const Thresholds t = dynamic_cast<const SpotProblem&>(*extended).thresholds();
    EXPECT_EQ(t.kernel_x, 4);
    EXPECT_EQ(t.kernel_y, 5);
    EXPECT_EQ(t.algorithm, Algorithm::dispersion_extended);
    const auto cut = make_analyses().front().benchmark_problem(
        {{"height", std::int64_t{41}}, {"width", std::int64_t{50}}, {"modules", std::string("20,50,1,0")}});
    const ModuleLayout& layout = dynamic_cast<const SpotProblem&>(*cut).layout();
    EXPECT_EQ(layout.modules(), 2U);
    EXPECT_EQ(layout.height, 20U);
    // The same counts in each type.
    const auto of_type = [](const char* type) {
        return make_analyses().front().benchmark_problem({{"height", std::int64_t{40}},
                                                          {"width", std::int64_t{50}},
                                                          {"type", std::string(type)},
                                                          {"saturation", 9.0}});
    };
    const auto counts = of_type("u16"), wide = of_type("u32"), floats = of_type("f32");
    const auto bytes_of = [](const std::shared_ptr<const Problem>& one) {
        return dynamic_cast<const SpotProblem&>(*one).shared()->in_memory();
    };
    for (std::size_t i = 0; i < std::size_t{40} * 50; ++i) {
        std::uint16_t count = 0;
        std::uint32_t as_wide = 0;
        float as_float = 0;
        std::memcpy(&count, bytes_of(counts).data() + i * sizeof count, sizeof count);
        std::memcpy(&as_wide, bytes_of(wide).data() + i * sizeof as_wide, sizeof as_wide);
        std::memcpy(&as_float, bytes_of(floats).data() + i * sizeof as_float, sizeof as_float);
        ASSERT_EQ(as_wide, count);
        ASSERT_EQ(as_float, static_cast<float>(count));
    }
    EXPECT_EQ(dynamic_cast<const SpotProblem&>(*counts).limit(), 9.0);
}

class SceneFile : public IoTest {
  protected:
    std::string made(const char* codec, const char* type) {
        ParameterSet parameters = defaults(generator_parameters());
        parameters["frames"] = std::int64_t{3};
        parameters["height"] = std::int64_t{75};
        parameters["width"] = std::int64_t{83};
        parameters["codec"] = std::string(codec);
        parameters["type"] = std::string(type);
        std::string file = at(std::string(codec) + "_" + type + ".h5");
        generate_file(parameters, file, false, quiet);
        return file;
    }
};

TEST_F(SceneFile, holds_the_same_frames_with_every_codec) {
    const auto frames_of = [this](const char* codec, const char* type) {
        const auto source = io::open_frames(made(codec, type));
        std::vector<std::byte> values(source->frames() * source->frame_bytes());
        source->read(0, source->frames(), values);
        return values;
    };
    for (const char* type : {"u16", "i32"}) {
        const std::vector<std::byte> plain = frames_of("none", type);
        for (const char* codec : {"gzip", "bslz4", "zstd"}) EXPECT_EQ(frames_of(codec, type), plain) << codec;
    }
}

/// Axes and centres as programs for crystallography read them: the corner of the first pixel is where the
/// beam would meet it from the module's offset.
TEST_F(SceneFile, says_where_the_detector_is_in_both_ways) {
    const std::string file = made("gzip", "u16");
    const Geometry geometry = io::read_geometry(file).value();
    const auto value = [&](const std::string& path) {
        return io::read_array(file + "::/entry/instrument/detector/module" + path, 1).to_doubles().front();
    };
    const double pixel = value("/fast_pixel_direction");
    EXPECT_DOUBLE_EQ(pixel, geometry.pixel_size_x / 1000);
    EXPECT_DOUBLE_EQ(value("/slow_pixel_direction"), geometry.pixel_size_y / 1000);
    EXPECT_NEAR(value("/module_offset"), pixel * std::hypot(geometry.beam_x, geometry.beam_y), 1e-12);
    const Array angles = io::read_array(file + "::/entry/sample/transformations/omega", 1);
    EXPECT_EQ(angles.size(), 3U);
}

}  // namespace
}  // namespace ks::tests

}  // namespace spots_generator_test
