// Geometry files of pyFAI: values written out by hand, tilts against a product of rotation matrices.

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/io/geometry/poni.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests::poni {
namespace {

const std::string plain = R"(# Nota: C-Order, 1 refers to the Y axis, 2 to the X axis
# Calibration done at Thu Jan 01 00:00:00 2026
poni_version: 2
Detector: Detector
Detector_config: {"pixel1": 5e-05, "pixel2": 0.0001, "max_shape": [400, 300]}
Distance: 2.5
Poni1: 0.01
Poni2: 0.015
Rot1: 0.0
Rot2: 0.0
Rot3: 0.0
Wavelength: 1.5e-10
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

class PoniFile : public IoTest {
  protected:
    io::Poni read(const std::string& text) {
        write_bytes(at("a.poni"), text);
        return io::read_poni(at("a.poni"));
    }
    Geometry geometry(const std::string& text, const Geometry& known = {}) {
        return io::geometry_of(read(text), known, 400, 300, at("a.poni"));
    }
    std::string refused(const std::string& text) {
        return input_error([&] { geometry(text); });
    }
};

TEST_F(PoniFile, gives_beam_centre_distance_pixels_and_wavelength) {
    const Geometry found = geometry(plain);
    EXPECT_DOUBLE_EQ(found.wavelength, 1.5);
    EXPECT_DOUBLE_EQ(found.distance, 2500);
    EXPECT_DOUBLE_EQ(found.beam_y, 200);  // 0.01 m of 50 um
    EXPECT_DOUBLE_EQ(found.beam_x, 150);  // 0.015 m of 100 um
    EXPECT_DOUBLE_EQ(found.pixel_size_y, 50);
    EXPECT_DOUBLE_EQ(found.pixel_size_x, 100);
}

TEST_F(PoniFile, is_the_same_after_being_written_and_read) {
    const Geometry geometry{1.2398, 4783.25, -12.375, 1020.625, 75, 74.5};
    io::write_poni(geometry, 2167, 2070, at("b.poni"), false);
    const Geometry back = io::geometry_of(io::read_poni(at("b.poni")), {}, 2167, 2070, "b.poni");
    for (double Geometry::*value : {&Geometry::wavelength, &Geometry::distance, &Geometry::beam_x,
                                    &Geometry::beam_y, &Geometry::pixel_size_x, &Geometry::pixel_size_y})
        EXPECT_NEAR(back.*value, geometry.*value, 1e-12 * std::abs(geometry.*value));
    EXPECT_NE(
        input_error([&] { io::write_poni(geometry, 1, 1, at("b.poni"), false); }).find("already exists"),
        std::string::npos);
    Geometry no_wavelength = geometry;
    no_wavelength.wavelength = 0;
    io::write_poni(no_wavelength, 2167, 2070, at("b.poni"), true);
    EXPECT_FALSE(io::read_poni(at("b.poni")).wavelength);
    Geometry no_distance = geometry;
    no_distance.distance = 0;
    EXPECT_NE(input_error([&] { io::poni_text(no_distance, 1, 1); }).find("needs the distance"),
              std::string::npos);
}

TEST_F(PoniFile, older_files_and_named_detectors_are_read) {
    const std::string first =
        "PixelSize1: 7.5e-05\nPixelSize2: 7.5e-05\nDistance: 1\nPoni1: 0.0075\n"
        "Poni2: 0.015\nRot1: 0\nRot2: 0\nRot3: 0\nSplineFile: None\n";
    const Geometry one = geometry(first, {0.9, 0, 0, 0, 0, 0});
    EXPECT_DOUBLE_EQ(one.beam_y, 100);
    EXPECT_DOUBLE_EQ(one.beam_x, 200);
    EXPECT_DOUBLE_EQ(one.wavelength, 0.9) << "of the file of the frames, where the .poni has none";
    const std::string config = "{\"pixel1\": 5e-05, \"pixel2\": 0.0001, \"max_shape\": [400, 300]}";
    const std::string named =
        replaced(replaced(plain, config, "{}"), "Detector: Detector", "Detector: Pilatus1M");
    EXPECT_DOUBLE_EQ(geometry(named).pixel_size_x, 172);
    const std::string unknown = replaced(named, "Pilatus1M", "MyCamera");
    EXPECT_NE(refused(unknown).find("the size of the pixels of the detector MyCamera is not known"),
              std::string::npos);
    EXPECT_DOUBLE_EQ(geometry(unknown, {0, 0, 0, 0, 20, 10}).beam_y, 1000);
    // pyFAI appends calibrations, and uses the last one.
    EXPECT_DOUBLE_EQ(geometry(plain + replaced(plain, "Distance: 2.5", "Distance: 3")).distance, 3000);
}

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector product(const Matrix& m, const Vector& v) {
    Vector out{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[i] += m[i][j] * v[j];
    return out;
}

/// pyFAI's laboratory coordinates of a point of the detector: rotations about the axes 1 (rows), 2 (columns)
/// and 3 (the beam), of which the first two are left-handed.
Vector in_the_laboratory(double y, double x, double distance, double rot1, double rot2, double rot3) {
    const Matrix first{
        {{1, 0, 0}, {0, std::cos(rot1), std::sin(rot1)}, {0, -std::sin(rot1), std::cos(rot1)}}};
    const Matrix second{
        {{std::cos(rot2), 0, -std::sin(rot2)}, {0, 1, 0}, {std::sin(rot2), 0, std::cos(rot2)}}};
    const Matrix third{
        {{std::cos(rot3), -std::sin(rot3), 0}, {std::sin(rot3), std::cos(rot3), 0}, {0, 0, 1}}};
    return product(third, product(second, product(first, {y, x, distance})));
}

TEST_F(PoniFile, a_small_tilt_becomes_a_shift_of_the_beam_centre) {
    std::string text = replaced(plain, "Rot1: 0.0", "Rot1: 0.002");
    text = replaced(replaced(text, "Rot2: 0.0", "Rot2: -0.001"), "Rot3: 0.0", "Rot3: 1.2");
    const Geometry found = geometry(text);
    // The beam meets the detector where the two transverse coordinates vanish.
    const Vector hit = in_the_laboratory(found.beam_y * 50e-6 - 0.01, found.beam_x * 100e-6 - 0.015, 2.5,
                                         0.002, -0.001, 1.2);
    EXPECT_NEAR(hit[0], 0, 1e-15);
    EXPECT_NEAR(hit[1], 0, 1e-15);
    EXPECT_NEAR(hit[2] * 1000, found.distance, 1e-9);
    EXPECT_GT(std::abs(found.beam_x - 150), 10);
    // Rings of the perpendicular geometry are those of the tilted one to less than half a pixel.
    for (const double y : {0.0, 400.0})
        for (const double x : {0.0, 300.0}) {
            const Vector at_pixel =
                in_the_laboratory(y * 50e-6 - 0.01, x * 100e-6 - 0.015, 2.5, 0.002, -0.001, 1.2);
            const double tangent = std::hypot(at_pixel[0], at_pixel[1]) / at_pixel[2];
            EXPECT_NEAR(read(text).tangent(y * 50e-6, x * 100e-6), tangent, 1e-15);
            const double radius =
                std::hypot((y - found.beam_y) * 50e-6, (x - found.beam_x) * 100e-6) / (found.distance * 1e-3);
            EXPECT_NEAR(radius * 2.5, tangent * 2.5, 25e-6);
        }
}

TEST_F(PoniFile, a_tilt_that_moves_rings_is_refused_with_its_angle) {
    EXPECT_NE(refused(replaced(replaced(plain, "Distance: 2.5", "Distance: 0.1"), "Rot2: 0.0", "Rot2: 0.1"))
                  .find("the detector is tilted by 5.73 degrees, which moves rings"),
              std::string::npos);
    // About the beam it moves none.
    EXPECT_DOUBLE_EQ(geometry(replaced(plain, "Rot3: 0.0", "Rot3: 3")).beam_x, 150);
}

TEST_F(PoniFile, what_is_wrong_is_named_with_its_line) {
    EXPECT_NE(refused(replaced(plain, "Poni1: 0.01", "Poni1: middle")).find("a.poni, line 7"),
              std::string::npos);
    EXPECT_NE(refused(replaced(plain, "Poni1: 0.01", "")).find("there is no Poni1"), std::string::npos);
    EXPECT_NE(refused(replaced(plain, "Distance: 2.5", "Distance: -1")).find("a distance above 0, found -1"),
              std::string::npos);
    EXPECT_NE(refused(replaced(plain, "Wavelength: 1.5e-10", "Wavelength: 0")).find("above 0, found 0"),
              std::string::npos);
    EXPECT_NE(refused(replaced(plain, "{\"pixel1\"", "{pixel1")).find("expected a JSON object"),
              std::string::npos);
    EXPECT_NE(refused(replaced(plain, "\"pixel1\": 5e-05", "\"pixel1\": \"big\"")).find("expected pixel1"),
              std::string::npos);
    EXPECT_NE(refused(replaced(plain, "\"max_shape\"", "\"orientation\": 2, \"max_shape\"")).find("flipped"),
              std::string::npos);
    EXPECT_NE(refused("not a geometry\n").find("there is no Distance"), std::string::npos);
    EXPECT_NE(input_error([&] { io::read_poni(at("none.poni")); }), "");
}

}  // namespace
}  // namespace ks::tests::poni
