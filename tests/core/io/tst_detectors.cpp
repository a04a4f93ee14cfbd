// What a file says about frames is what it says about the detector that they are of, and what cannot be used
// is told.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/io/frame_format.h"
#include "core/io/labels/label_file.h"
#include "core/io/open_frames.h"
#include "tests/core/io/io_fixture.h"

namespace ks::tests {
namespace {

class Detectors : public IoTest {
  protected:
    /// A detector group with fields that all differ from those of one of another `number`.
    static void add(TestFile& file, const std::string& path, double number) {
        file.group(path, "NXdetector");
        file.number(path + "/beam_center_x", number, "pixel");
        file.number(path + "/beam_center_y", number, "pixel");
        file.number(path + "/distance", 100 * number, "mm");
        file.number(path + "/frame_time", number, "ms");
        file.number(path + "/saturation_value", 1000 * number);
        file.ramp(path + "/pixel_mask", {3, 4});
    }
    static void expect_that_of(double number, const std::string& path, const std::string& frames) {
        const io::DataName name = io::DataName::parse(frames);
        const auto geometry = io::read_geometry(frames);
        ASSERT_TRUE(geometry) << frames;
        EXPECT_DOUBLE_EQ(geometry->beam_x, number + 0.5) << frames;
        EXPECT_DOUBLE_EQ(geometry->distance, 100 * number) << frames;
        EXPECT_DOUBLE_EQ(io::open_frames(frames)->frame_time().value_or(0), number / 1000) << frames;
        const io::FilePixels pixels = io::format_to_read(name).pixels(name);
        EXPECT_EQ(pixels.saturation.value_or(0), 1000 * number) << frames;
        ASSERT_EQ(pixels.masks.size(), 1U) << frames;
        EXPECT_TRUE(pixels.masks[0].ends_with("::" + path + "/pixel_mask")) << pixels.masks[0];
    }
};

TEST_F(Detectors, TheOneThatHoldsTheFramesIsMeant) {
    {
        TestFile file(at("f.h5"));
        const std::string in = "/entry/instrument/";
        add(file, in + "a", 1);
        add(file, in + "b", 2);
        file.ramp(in + "a/data", {2, 3, 4});
        file.ramp(in + "b/data", {2, 3, 4});
        file.group("/entry/measurement", "NXdata");
        file.soft_link("/entry/measurement/b", in + "b/data");
    }
    expect_that_of(1, "/entry/instrument/a", at("f.h5") + "::/entry/instrument/a/data");
    expect_that_of(2, "/entry/instrument/b", at("f.h5") + "::/entry/instrument/b/data");
    expect_that_of(2, "/entry/instrument/b", at("f.h5") + "::/entry/measurement/b");
}

TEST_F(Detectors, AMaskAmongWhatIsSpecificToTheDetectorIsItsMask) {
    {
        TestFile file(at("master.h5"));
        file.group("/entry/instrument/detector", "NXdetector");
        file.group("/entry/instrument/detector/detectorSpecific", "NXcollection");
        file.ramp("/entry/instrument/detector/detectorSpecific/pixel_mask", {3, 4});
        file.group("/entry/data", "NXdata");
        file.ramp("/entry/data/data_000001", {2, 3, 4});
    }
    const auto masks = [&] {
        const io::DataName name = io::DataName::parse(at("master.h5"));
        return io::format_to_read(name).pixels(name).masks;
    };
    ASSERT_EQ(masks().size(), 1U);
    EXPECT_TRUE(masks()[0].ends_with("detectorSpecific/pixel_mask")) << masks()[0];
}

TEST_F(Detectors, TheOneThatLinksTheFramesIsMeantAlsoWhereTheFileAloneIsNamed) {
    TestFile(at("data.h5")).ramp("/d", {2, 3, 4});
    {
        TestFile file(at("f.h5"));
        const std::string in = "/entry/instrument/";
        add(file, in + "a", 1);
        add(file, in + "b", 2);
        file.external_link("/entry/data/data", "data.h5", "/d");
        file.soft_link(in + "b/data", "/entry/data/data");
    }
    expect_that_of(2, "/entry/instrument/b", at("f.h5"));
}

TEST_F(Detectors, TheOnesOfTheFramesEntryComeFirst) {
    {
        TestFile file(at("f.h5"));
        add(file, "/a_scan/instrument/detector", 1);
        add(file, "/b_scan/instrument/detector", 2);
        for (const char* scan : {"/a_scan", "/b_scan"}) {
            file.ramp(std::string(scan) + "/data/data", {2, 3, 4});
            file.group(std::string(scan) + "/instrument/beam", "NXbeam");
        }
        file.number("/a_scan/instrument/beam/incident_wavelength", 1.5, "angstrom");
        file.number("/b_scan/instrument/beam/incident_wavelength", 2.5, "angstrom");
    }
    for (const double number : {1.0, 2.0}) {
        const std::string scan = number < 2 ? "/a_scan" : "/b_scan",
                          frames = at("f.h5") + "::" + scan + "/data/data";
        expect_that_of(number, scan + "/instrument/detector", frames);
        EXPECT_DOUBLE_EQ(io::read_geometry(frames)->wavelength, number + 0.5);
    }
}

TEST_F(Detectors, AFrameTimeThatCannotBeUsedIsTold) {
    const auto fault = [&](const std::function<void(TestFile&, const std::string&)>& write) {
        {
            TestFile file(at("f.h5"));
            file.ramp("/entry/data/data", {2, 3, 4});
            file.group("/entry/instrument/detector", "NXdetector");
            write(file, "/entry/instrument/detector/frame_time");
        }
        const auto source = io::open_frames(at("f.h5"));
        EXPECT_FALSE(source->frame_time());
        return source->frame_time_fault().value_or("");
    };
    using File = TestFile&;
    using Path = const std::string&;
    const std::string where = "f.h5::/entry/instrument/detector/frame_time: expected ";
    EXPECT_TRUE(contains(fault([](File file, Path path) { file.number(path, 2, "parsec"); }),
                         {where + "a unit of time, found \"parsec\""}));
    EXPECT_TRUE(
        contains(fault([](File file, Path path) { file.number(path, -2, "s"); }), {where, "found -2 s"}));
    EXPECT_TRUE(contains(fault([](File file, Path path) { file.number(path, std::nan(""), "s"); }),
                         {where, "found nan s"}));
    EXPECT_TRUE(contains(fault([](File file, Path path) {
                             const std::vector<double> values{0.1, 0.2, 0.1};
                             file.make(path, H5T_IEEE_F64LE, {3}, values.data(), H5T_NATIVE_DOUBLE);
                         }),
                         {where, "found 3 numbers from 0.1 to 0.2"}));
    EXPECT_TRUE(contains(fault([](File file, Path path) {
                             const hid_t type = H5Tcopy(H5T_C_S1);
                             H5Tset_size(type, 6);
                             file.make(path, type, {}, "0.01 s", type);
                             H5Tclose(type);
                         }),
                         {where, "found the string \"0.01 s\""}));
    EXPECT_EQ(fault([](File, Path) {}), "");
}

TEST_F(Detectors, WhatCannotBeOpenedIsNotTakenForAbsent) {
    const auto faults = [&](const std::function<void(TestFile&)>& make) {
        {
            TestFile file(at("f.h5"));
            file.group("/entry/data", "NXdata");
            file.ramp("/entry/data/data", {2, 3, 4});
            file.group("/entry/instrument", "NXinstrument");
            make(file);
        }
        const io::DataName name = io::DataName::parse(at("f.h5"));
        std::string all;
        for (const std::string& fault : io::format_to_read(name).pixels(name).faults) all += fault + '\n';
        fs::remove(at("f.h5"));
        return all;
    };
    EXPECT_EQ(faults([](TestFile&) {}), "");
    EXPECT_EQ(faults([](TestFile& file) { add(file, "/entry/instrument/detector", 1); }), "");
    EXPECT_TRUE(
        contains(faults([](TestFile& file) { file.soft_link("/entry/instrument/detector", "/nowhere"); }),
                 {"f.h5::/entry/instrument/detector", "cannot be opened", "mask"}));
    EXPECT_TRUE(contains(faults([](TestFile& file) {
                             file.group("/entry/instrument/detector", "NXdetector");
                             file.soft_link("/entry/instrument/detector/saturation_value", "/nowhere");
                         }),
                         {"f.h5::/entry/instrument/detector/saturation_value", "cannot be opened"}));
}

TEST_F(Detectors, AnEnergyOrAWavelengthWithoutAUnitIsInTheOneThatItCanBe) {
    struct Row {
        const char* field;
        double value, angstrom;
    };
    for (const Row& row : {Row{"incident_energy", 12398.41984, 1}, Row{"incident_energy", 12.39841984, 1},
                           Row{"incident_energy", 700, 17.7120283}, Row{"incident_wavelength", 1.5, 1.5},
                           Row{"incident_wavelength", 1.5e-10, 1.5}}) {
        {
            TestFile file(at("f.h5"));
            file.group("/entry/instrument/detector", "NXdetector");
            file.number("/entry/instrument/detector/beam_center_x", 1, "pixel");
            file.number("/entry/instrument/detector/beam_center_y", 1, "pixel");
            file.number(std::string("/entry/instrument/beam/") + row.field, row.value);
        }
        EXPECT_NEAR(io::read_geometry(at("f.h5"))->wavelength, row.angstrom, 1e-6) << row.value;
    }
}

TEST_F(Detectors, PartsOfTheGeometryThatCannotBeUsedAreTold) {
    {
        TestFile file(at("f.h5"));
        const std::string in = "/entry/instrument/detector/";
        file.number(in + "beam_center_x", std::nan(""), "pixel");
        file.number(in + "beam_center_y", 2, "pixel");
        file.number(in + "x_pixel_size", -75, "um");
        file.number(in + "y_pixel_size", 75, "um");
        file.number("/entry/instrument/beam/incident_wavelength", -1, "angstrom");
    }
    std::vector<io::GeometryFault> faults;
    const auto geometry = io::read_geometry(at("f.h5"), faults);
    ASSERT_TRUE(geometry);
    EXPECT_DOUBLE_EQ(geometry->pixel_size_y, 75);
    ASSERT_EQ(faults.size(), 3U);
    EXPECT_EQ(faults[0].part, "pixel_size_x");
    EXPECT_TRUE(contains(faults[0].error.what(), {"x_pixel_size", "found -75 um"}));
    EXPECT_EQ(faults[1].part, "beam_x");
    EXPECT_EQ(faults[2].part, "wavelength");
    EXPECT_TRUE(contains(faults[2].error.what(), {"incident_wavelength", "found -1 angstrom"}));
}

TEST_F(Detectors, AMaskOfOneFrameIsAMaskAndOneForEachFrameIsNamed) {
    {
        TestFile file(at("f.h5"));
        file.ramp("/one", {1, 3, 4});
        file.ramp("/many", {2, 3, 4});
    }
    const PixelMask mask = io::read_mask(at("f.h5") + "::/one");
    EXPECT_EQ(mask.height, 3U);
    EXPECT_EQ(mask.width, 4U);
    EXPECT_EQ(mask.ignore, (std::vector<std::uint8_t>{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
    EXPECT_TRUE(contains(input_error([&] { io::read_mask(at("f.h5") + "::/many"); }),
                         {"f.h5::/many", "one per frame, [2, 3, 4]"}));
}

}  // namespace
}  // namespace ks::tests
