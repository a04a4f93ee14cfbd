#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "core/data/calibration/calibration.h"
#include "core/io/open_frames.h"
#include "tests/beamline_files.h"

namespace ks::tests {
namespace {

const Calibrant silver = Calibrant::named("silver behenate");

Array frame_of(const std::string& name, std::size_t at = 0) {
    const auto source = io::open_frames(name);
    Array frame(source->type(), {source->height(), source->width()});
    source->read(at, 1, frame.bytes());
    return frame;
}

/// What a made-up image holds besides its rings.
struct Scene {
    Geometry truth{0.9, 300, 260.3, 170.8, 100, 100};
    std::size_t height = 400, width = 480;
    double background = 20;  ///< counts
    double rings = 60;       ///< counts over the background at the top
    double sigma = 1.5;      ///< pixel
    double decay = 1e9;      ///< pixels over which all falls to 1/e
    bool gaps = true, hot = true;
};

/// Rings of the true geometry, written without ks::Geometry: Bragg's law and Pythagoras.
Array image_of(const Scene& scene, std::vector<std::uint8_t>* mask = nullptr) {
    const Geometry& g = scene.truth;
    std::mt19937 random(11);
    std::vector<double> radius;  // mm
    for (int n = 1; n <= 12; ++n)
        radius.push_back(g.distance * std::tan(2 * std::asin(n * g.wavelength / (2 * 58.380))));
    std::vector<std::int32_t> counts(scene.height * scene.width);
    if (mask != nullptr) mask->assign(counts.size(), 0);
    for (std::size_t i = 0; i < scene.height; ++i)
        for (std::size_t j = 0; j < scene.width; ++j) {
            const double u = (static_cast<double>(j) + 0.5 - g.beam_x) * g.pixel_size_x / 1000;
            const double v = (static_cast<double>(i) + 0.5 - g.beam_y) * g.pixel_size_y / 1000;
            const double r = std::sqrt(u * u + v * v);
            double expected = scene.background;
            for (const double ring : radius)
                expected += scene.rings * std::exp(-std::pow((r - ring) / (scene.sigma * 0.1), 2) / 2);
            expected *= std::exp(-r / (0.1 * scene.decay));
            std::int32_t& count = counts[i * scene.width + j];
            count = std::poisson_distribution<std::int32_t>(expected)(random);
            if (scene.gaps && (i / 13 % 12 == 7 || j / 9 % 25 == 14)) count = -1;  // as Pilatus marks gaps
            if (scene.hot && random() % 500 == 0) count = 1'000'000;
            if (scene.hot && random() % 500 == 0) count = 0;
            if (mask != nullptr && i > 230 && i < 280 &&
                j > 300) {  // a bright shadow's edge that has to be masked
                (*mask)[i * scene.width + j] = 1;
                count = 5000 + static_cast<std::int32_t>(j) * 20;
            }
        }
    return Array::of({scene.height, scene.width}, counts);
}

Geometry off(Geometry geometry, double x, double y, double distance) {
    geometry.beam_x += x;
    geometry.beam_y += y;
    geometry.distance *= distance;
    return geometry;
}

TEST(Calibrant, SilverBehenateHasTwelveOrders) {
    ASSERT_EQ(silver.q.size(), 12u);
    for (int n = 1; n <= 12; ++n) {
        EXPECT_NEAR(silver.q[static_cast<std::size_t>(n - 1)], n * 0.1076, n * 5e-5);
        EXPECT_NEAR(2 * std::numbers::pi / silver.q[static_cast<std::size_t>(n - 1)] * n, 58.380, 1e-9);
    }
    EXPECT_EQ(Calibrant::names(), std::vector<std::string>{"silver behenate"});
    EXPECT_TRUE(
        contains(input_error([] { Calibrant::named("salt"); }), {"silver behenate", "found \"salt\""}));
}

TEST(RefineGeometry, FindsTheTruthOfNoisyRingsWithGapsHotPixelsAndAMask) {
    std::vector<std::uint8_t> mask;
    const Scene scene;
    const Array image = image_of(scene, &mask);
    for (const Geometry& start : {off(scene.truth, 4, -3, 1.01), off(scene.truth, -7, 7, 0.97)}) {
        const Calibration found = refine_geometry(image, &mask, start, silver, 0, 4);
        EXPECT_NEAR(found.geometry.beam_x, scene.truth.beam_x, 0.05);
        EXPECT_NEAR(found.geometry.beam_y, scene.truth.beam_y, 0.05);
        EXPECT_NEAR(found.geometry.distance / scene.truth.distance, 1, 3e-4);
        EXPECT_EQ(found.geometry.wavelength, scene.truth.wavelength);
        EXPECT_EQ(found.geometry.pixel_size_x, scene.truth.pixel_size_x);
        EXPECT_LT(found.rms_pixels, 0.5);
        ASSERT_EQ(found.rings.size(), 5u);
        for (const RingFit& ring : found.rings) {
            EXPECT_LT(std::abs(ring.residual()), 1e-3) << ring.ring;
            EXPECT_GT(ring.points, 20u) << ring.ring;
        }
    }
}

TEST(RefineGeometry, FindsTheTruthOfOblongPixels) {
    Scene scene;
    scene.truth.pixel_size_y = 130;
    const Calibration found =
        refine_geometry(image_of(scene), nullptr, off(scene.truth, 5, 2, 1.02), silver, 0, 3);
    EXPECT_NEAR(found.geometry.beam_x, scene.truth.beam_x, 0.05);
    EXPECT_NEAR(found.geometry.beam_y, scene.truth.beam_y, 0.05);
    EXPECT_NEAR(found.geometry.distance / scene.truth.distance, 1, 5e-4);
}

TEST(RefineGeometry, AnEnvelopeDoesNotDrawTheRingsInwards) {
    Scene scene;
    scene.background = 4000;
    scene.rings = 12000;
    scene.decay = 25;
    const Calibration found =
        refine_geometry(image_of(scene), nullptr, off(scene.truth, 3, 3, 0.99), silver, 0, 2);
    // Without its weight each ring would lie 1.5^2 / 25 = 0.09 pixels inwards: 0.2% of the first ring.
    EXPECT_NEAR(found.geometry.distance / scene.truth.distance, 1, 3e-4);
    for (const RingFit& ring : found.rings) EXPECT_LT(std::abs(ring.residual()), 6e-4) << ring.ring;
}

TEST(RefineGeometry, ArcsBesideTheImageAreEnough) {
    Scene scene;
    scene.truth.beam_x = -30.6;  // rings cover up to 150 degrees of the circle, the outer ones less
    const Calibration found =
        refine_geometry(image_of(scene), nullptr, off(scene.truth, 6, -6, 0.98), silver, 0, 5);
    EXPECT_NEAR(found.geometry.beam_x, scene.truth.beam_x, 0.15);
    EXPECT_NEAR(found.geometry.beam_y, scene.truth.beam_y, 0.1);
    EXPECT_NEAR(found.geometry.distance / scene.truth.distance, 1, 1e-3);
}

TEST(RefineGeometry, RefusesAnImageWithoutTheRings) {
    Scene flat;
    flat.rings = 0;
    EXPECT_TRUE(
        contains(input_error([&] { refine_geometry(image_of(flat), nullptr, flat.truth, silver, 0, 4); }),
                 {" maxima were found on ", ", but at least ", "rings found: none"}));
    // The 12th ring lies outside of the image.
    const Scene scene;
    EXPECT_TRUE(
        contains(input_error([&] { refine_geometry(image_of(scene), nullptr, scene.truth, silver, 2, 11); }),
                 {"rings found: 3, 4, 5"}));
    const Array blank(ElementType::u16, {100, 100});
    EXPECT_TRUE(contains(input_error([&] { refine_geometry(blank, nullptr, scene.truth, silver, 0, 1); }),
                         {"rings found: none"}));
}

TEST(RefineGeometry, RefusesWhatCannotBeRefined) {
    const Array blank(ElementType::u16, {10, 10});
    const Geometry truth = Scene{}.truth;
    const auto refused = [&](const Geometry& start, std::size_t first, std::size_t last) {
        return input_error([&] { refine_geometry(blank, nullptr, start, silver, first, last); });
    };
    Geometry incomplete = truth;
    incomplete.distance = 0;
    EXPECT_TRUE(contains(refused(incomplete, 0, 1), {"distance", "unknown"}));
    EXPECT_TRUE(contains(refused(truth, 3, 1), {"last ring must not be before the first", "4 to 2"}));
    EXPECT_TRUE(contains(refused(truth, 0, 12), {"rings 1 to 12", "ring 13"}));
    Geometry soft = truth;
    soft.wavelength = 80;  // beyond 58.38 sqrt(2) / n
    EXPECT_TRUE(contains(refused(soft, 0, 3), {"beyond 90 degrees"}));
}

using CalibrationOfFiles = IoTest;

TEST_F(CalibrationOfFiles, SilverBehenateFromTheSwappedCentreOfTheFile) {
    const std::string data = at("rings.h5");
    beamline::write_rings(data);
    const Array frame = frame_of(data);
    const Geometry file = io::read_geometry(data)->swapped();
    const Calibration found = refine_geometry(frame, nullptr, file, silver, 0, 4);
    ASSERT_EQ(found.rings.size(), 5u);
    for (const RingFit& ring : found.rings) EXPECT_LT(std::abs(ring.residual()), 1e-3) << ring.ring;
    EXPECT_NEAR(found.geometry.distance / file.distance, beamline::rings_beyond, 5e-4);
    EXPECT_NEAR(found.geometry.beam_x, beamline::rings_setup.column + 0.5, 0.1);
    EXPECT_NEAR(found.geometry.beam_y, beamline::rings_setup.row + 0.5, 0.1);
    // Ten pixels and 3% away, in all directions, the same is found.
    for (const double distance : {0.97, 1.0, 1.03})
        for (int turn = 0; turn < 8; ++turn) {
            const double at = turn * std::numbers::pi / 4;
            const Calibration again = refine_geometry(
                frame, nullptr, off(file, 10 * std::cos(at), 10 * std::sin(at), distance), silver, 0, 4);
            EXPECT_NEAR(again.geometry.beam_x, found.geometry.beam_x, 0.01) << distance << ", " << turn;
            EXPECT_NEAR(again.geometry.beam_y, found.geometry.beam_y, 0.01);
            EXPECT_NEAR(again.geometry.distance / found.geometry.distance, 1, 5e-5);
            for (const RingFit& ring : again.rings) EXPECT_LT(std::abs(ring.residual()), 1e-3) << ring.ring;
        }
}

TEST_F(CalibrationOfFiles, WhereTheCentreIsSwappedTheOtherWayIsSharper) {
    const std::string data = at("rings.h5"), series = at("series.h5");
    beamline::write_rings(data);
    beamline::write_series(series);
    const Geometry rings = *io::read_geometry(data), saxs = *io::read_geometry(series);
    EXPECT_LT(sharper_than_swapped(frame_of(data), nullptr, rings), 1);
    EXPECT_GT(sharper_than_swapped(frame_of(data), nullptr, rings.swapped()), 1);
    for (const std::size_t at : {0u, 4u, 9u}) {
        const Array frame = frame_of(series + "::/entry/data/frames", at);
        EXPECT_LT(sharper_than_swapped(frame, nullptr, saxs), 1) << at;
        EXPECT_GT(sharper_than_swapped(frame, nullptr, saxs.swapped()), 1) << at;
    }
}

TEST(SharperThanSwapped, KnowsTheRingsOfAMadeUpImage) {
    Scene scene;
    scene.hot = false;
    const Array image = image_of(scene);
    EXPECT_GT(sharper_than_swapped(image, nullptr, scene.truth), 1.5);
    EXPECT_NEAR(sharper_than_swapped(image, nullptr, scene.truth) *
                    sharper_than_swapped(image, nullptr, scene.truth.swapped()),
                1, 1e-12);
}

TEST(SharperThanSwapped, IsOneWhereThereAreNoRings) {
    std::mt19937 random(7);
    std::poisson_distribution<int> counts(10);
    std::vector<std::uint16_t> noise(201 * 241);
    for (std::uint16_t& one : noise) one = static_cast<std::uint16_t>(counts(random));
    Geometry off;
    off.beam_x = 120.5;
    off.beam_y = 100.5;
    EXPECT_EQ(sharper_than_swapped(Array::of<std::uint16_t>({201, 241}, noise), nullptr, off), 1.0);
}

TEST(SharperThanSwapped, IsOneOnTheDiagonalAndForAnEvenImage) {
    Scene scene;
    scene.truth.beam_x = scene.truth.beam_y = 133.7;
    EXPECT_EQ(sharper_than_swapped(image_of(scene), nullptr, scene.truth), 1.0);
    EXPECT_EQ(sharper_than_swapped(Array(ElementType::u8, {50, 60}), nullptr, Scene{}.truth), 1.0);
}

}  // namespace
}  // namespace ks::tests
