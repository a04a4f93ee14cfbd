#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/io/open_frames.h"
#include "tests/beamline_files.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class GeometryFile : public IoTest {
  protected:
    /// A detector with the given centre and pixel sizes.
    static void detector(TestFile& file, double x, double y, const std::string& centre_unit, double pixel,
                         const std::string& pixel_unit) {
        file.group("/entry/instrument/detector", "NXdetector");
        file.number("/entry/instrument/detector/beam_center_x", x, centre_unit);
        file.number("/entry/instrument/detector/beam_center_y", y, centre_unit);
        if (pixel > 0) {
            file.number("/entry/instrument/detector/x_pixel_size", pixel, pixel_unit);
            file.number("/entry/instrument/detector/y_pixel_size", pixel, pixel_unit);
        }
    }
};

TEST_F(GeometryFile, NothingWithoutABeamCentre) {
    { TestFile(at("f.h5")).ramp("/data", {2, 3, 4}); }
    EXPECT_FALSE(io::read_geometry(at("f.h5")));
}

TEST_F(GeometryFile, UnitsAreHonoured) {
    struct Row {
        double size;
        const char* unit;
    };
    for (const Row row : {Row{7.5e-5, "m"}, Row{0.075, "mm"}, Row{75, "um"}, Row{75, "\xc2\xb5m"},
                          Row{75, "micron"}, Row{7.5e-5, ""}, Row{0.075, ""}, Row{75, ""}}) {
        {
            TestFile file(at("f.h5"));
            detector(file, 100, 50, "pixel", row.size, row.unit);
            file.number("/entry/instrument/detector/distance", 21.4, "cm");
            file.group("/entry/instrument/beam", "NXbeam");
            file.number("/entry/instrument/beam/incident_wavelength", 0.1, "nm");
        }
        const auto geometry = io::read_geometry(at("f.h5"));
        ASSERT_TRUE(geometry);
        EXPECT_NEAR(geometry->pixel_size_x, 75, 1e-9) << row.unit;
        EXPECT_NEAR(geometry->pixel_size_y, 75, 1e-9) << row.unit;
        EXPECT_NEAR(geometry->distance, 214, 1e-9);
        EXPECT_NEAR(geometry->wavelength, 1.0, 1e-12);
        EXPECT_DOUBLE_EQ(geometry->beam_x, 100.5);
        EXPECT_DOUBLE_EQ(geometry->beam_y, 50.5);
        EXPECT_TRUE(geometry->complete());
    }
}

TEST_F(GeometryFile, ACentreInLengthIsDividedByThePixelSize) {
    {
        TestFile file(at("f.h5"));
        detector(file, 0.01, 0.005, "m", 100, "um");
    }
    const auto geometry = io::read_geometry(at("f.h5"));
    EXPECT_NEAR(geometry->beam_x, 100.5, 1e-9);
    EXPECT_NEAR(geometry->beam_y, 50.5, 1e-9);
    {
        TestFile file(at("f.h5"));
        detector(file, 0.01, 0.005, "m", 0, "");
    }
    EXPECT_TRUE(
        contains(input_error([&] { io::read_geometry(at("f.h5")); }), {"beam_center_x", "no pixel size"}));
}

TEST_F(GeometryFile, WithoutAnyUnitsMetresMeanMetres) {
    {
        TestFile file(at("f.h5"));
        detector(file, 100, 50, "", 7.5e-5, "");
        file.number("/entry/instrument/detector/detector_distance", 0.2);
    }
    const auto geometry = io::read_geometry(at("f.h5"));
    EXPECT_DOUBLE_EQ(geometry->beam_x, 100.5);
    EXPECT_NEAR(geometry->distance, 200, 1e-9);
}

TEST_F(GeometryFile, AnUnknownUnitIsNamed) {
    {
        TestFile file(at("f.h5"));
        detector(file, 1, 1, "furlong", 75, "um");
    }
    EXPECT_TRUE(contains(input_error([&] { io::read_geometry(at("f.h5")); }),
                         {"f.h5::", "beam_center_x", "furlong"}));
}

TEST_F(GeometryFile, ADistanceThatIsNotPositiveIsRefused) {
    struct Row {
        double distance;
        const char* found;
    };
    for (const Row row : {Row{0, "found 0 mm"}, Row{-1.5, "found -1.5 mm"}, Row{std::nan(""), "nan mm"},
                          Row{std::numeric_limits<double>::infinity(), "inf mm"}}) {
        {
            TestFile file(at("f.h5"));
            detector(file, 1, 1, "pixel", 75, "um");
            file.number("/entry/instrument/detector/distance", row.distance, "mm");
        }
        EXPECT_TRUE(
            contains(input_error([&] { io::read_geometry(at("f.h5")); }),
                     {"f.h5::/entry/instrument/detector/distance: expected a sample-to-detector distance",
                      row.found, "set the distance"}));
    }
}

TEST_F(GeometryFile, ADistanceInAnUnknownUnitIsRefused) {
    {
        TestFile file(at("f.h5"));
        detector(file, 1, 1, "pixel", 75, "um");
        file.number("/entry/instrument/detector/distance", 2, "parsec");
    }
    EXPECT_TRUE(contains(
        input_error([&] { io::read_geometry(at("f.h5")); }),
        {"f.h5::/entry/instrument/detector/distance", "expected a unit of length", "found \"parsec\""}));
}

TEST_F(GeometryFile, AnUnfitDistanceBesideAFitOneDoesNoHarm) {
    {
        TestFile file(at("f.h5"));
        detector(file, 1, 1, "pixel", 75, "um");
        file.number("/entry/instrument/detector/distance", 0, "mm");
        file.number("/entry/instrument/detector/detector_distance", 213, "mm");
    }
    EXPECT_EQ(io::read_geometry(at("f.h5"))->distance, 213);
}

TEST_F(GeometryFile, AFileWithoutADistanceHasNone) {
    {
        TestFile file(at("f.h5"));
        detector(file, 1, 1, "pixel", 75, "um");
    }
    const auto geometry = io::read_geometry(at("f.h5"));
    ASSERT_TRUE(geometry);
    EXPECT_EQ(geometry->distance, 0);
    EXPECT_EQ(geometry->wavelength, 0);
    EXPECT_FALSE(geometry->complete());
}

TEST_F(GeometryFile, WithoutABeamCentreTheDistanceDoesNotMatter) {
    {
        TestFile file(at("f.h5"));
        file.group("/entry/instrument/detector", "NXdetector");
        file.number("/entry/instrument/detector/distance", 0, "mm");
    }
    EXPECT_FALSE(io::read_geometry(at("f.h5")));
}

TEST_F(GeometryFile, FaultsCanBeCollectedAndTheRestIsRead) {
    {
        TestFile file(at("f.h5"));
        detector(file, 1, 2, "pixel", 75, "um");
        file.number("/entry/instrument/detector/distance", 0, "mm");
        file.group("/entry/instrument/beam", "NXbeam");
        file.number("/entry/instrument/beam/incident_wavelength", 1, "lightyear");
    }
    std::vector<io::GeometryFault> faults;
    const auto geometry = io::read_geometry(at("f.h5"), faults);
    ASSERT_TRUE(geometry);
    EXPECT_EQ(geometry->beam_y, 2.5);
    EXPECT_NEAR(geometry->pixel_size_x, 75, 1e-9);
    EXPECT_EQ(geometry->distance, 0);
    EXPECT_EQ(geometry->wavelength, 0);
    ASSERT_EQ(faults.size(), 2u);
    EXPECT_EQ(faults[0].part, "distance");
    EXPECT_EQ(faults[1].part, "wavelength");
    EXPECT_TRUE(contains(faults[1].error.what(), {"incident_wavelength", "lightyear"}));
}

TEST_F(GeometryFile, EnergyGivesTheWavelength) {
    {
        TestFile file(at("f.h5"));
        detector(file, 1, 1, "pixel", 75, "um");
        file.group("/entry/instrument/source", "NXsource");
        file.number("/entry/instrument/source/energy", 7, "GeV");
        file.group("/entry/instrument/monochromator", "NXmonochromator");
        file.number("/entry/instrument/monochromator/energy", 8047.8, "eV");
    }
    // copper K alpha 1
    EXPECT_NEAR(io::read_geometry(at("f.h5"))->wavelength, 1.5406, 1e-4);
}

TEST_F(GeometryFile, PilatusWithUnits) {
    const std::string data = at("series.h5");
    beamline::write_series(data);
    const auto geometry = io::read_geometry(data);
    ASSERT_TRUE(geometry);
    EXPECT_NEAR(geometry->beam_x, 99.95 + 0.5, 1e-9);
    EXPECT_NEAR(geometry->beam_y, -5.65 + 0.5, 1e-9);
    EXPECT_NEAR(geometry->pixel_size_x, 172, 1e-9);
    EXPECT_NEAR(geometry->distance, 540.8, 1e-9);
    EXPECT_NEAR(geometry->wavelength, 0.5904022, 1e-8);
}

TEST_F(GeometryFile, PilatusWithoutUnits) {
    const std::string data = at("rings.h5");
    beamline::write_rings(data);
    const auto geometry = io::read_geometry(data);
    ASSERT_TRUE(geometry);
    EXPECT_NEAR(geometry->beam_x, 85.86 + 0.5, 1e-3);
    EXPECT_NEAR(geometry->beam_y, -5.42 + 0.5, 1e-3);
    EXPECT_NEAR(geometry->pixel_size_y, 172, 1e-9);
    EXPECT_NEAR(geometry->distance, 513.8, 1e-9);
    EXPECT_NEAR(geometry->wavelength, 0.73362836, 1e-8);
}

TEST_F(GeometryFile, EigerInPixels) {
    const std::string data = at("master.nxs");
    beamline::write_master(data);
    const auto geometry = io::read_geometry(data);
    ASSERT_TRUE(geometry);
    EXPECT_NEAR(geometry->beam_x, 2216.5554708, 1e-6);
    EXPECT_NEAR(geometry->pixel_size_x, 75, 1e-9);
    EXPECT_NEAR(geometry->distance, 213.95897, 1e-6);
    EXPECT_NEAR(geometry->wavelength, 0.980273561, 1e-9);
}

}  // namespace
}  // namespace ks::tests
