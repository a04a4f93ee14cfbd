#pragma once

#include <hdf5.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "tests/core/io/io_fixture.h"

/// Files as beamlines write them, made with HDF5 alone: 487 x 195 pixels of 172 um whose centre has x and y
/// exchanged, and a master file whose data are elsewhere.
namespace ks::tests::beamline {

constexpr std::size_t height = 195, width = 487;
constexpr double pixel_mm = 0.172;

/// The centre in NeXus' convention (the first pixel's centre is 0), in pixels of the array; files tell it
/// exchanged.
struct Setup {
    double column, row, distance_mm, wavelength;
};
constexpr Setup series_setup{-5.65, 99.95, 540.8, 0.5904022};
constexpr Setup rings_setup{-5.42, 85.86, 513.8, 0.73362836};
/// The rings lie this much outside of what the file's distance gives.
constexpr double rings_beyond = 1.004;
constexpr std::int32_t rings_largest = 1'032'661;

inline double radius_mm(const Setup& setup, std::size_t row, std::size_t column) {
    return pixel_mm *
           std::hypot(static_cast<double>(column) - setup.column, static_cast<double>(row) - setup.row);
}

/// Centre, distance and pixels under /entry/instrument as arrays of one value, in mm and without saying so
/// unless `units` is set.
inline void write_geometry(TestFile& file, const Setup& setup, bool units) {
    const auto one = [&](const std::string& name, double value, const std::string& unit) {
        file.make("/entry/instrument/" + name, H5T_IEEE_F64LE, {1}, &value, H5T_NATIVE_DOUBLE);
        if (!unit.empty()) file.text_attribute("/entry/instrument/" + name, "units", unit);
    };
    const std::string mm = units ? "mm" : "";
    file.group("/entry/instrument/detector", "NXdetector");
    file.text_attribute("/entry/instrument", "NX_class", "NXinstrument");
    one("detector/beam_center_x", setup.row * pixel_mm, mm);
    one("detector/beam_center_y", setup.column * pixel_mm, mm);
    one("detector/distance", setup.distance_mm, mm);
    one("detector/x_pixel_size", pixel_mm, mm);
    one("detector/y_pixel_size", pixel_mm, mm);
    file.group("/entry/instrument/monochromator", "NXmonochromator");
    one("monochromator/energy", 12.39841984 / setup.wavelength, "keV");
    one("monochromator/wavelength", setup.wavelength, units ? "Angstroms" : "A");
}

/// Small-angle scattering that falls with q and with time, `/entry/data/frames` of 10 i32 frames in gzip, and
/// a blank frame beside them.
inline void write_series(const std::string& path) {
    constexpr std::size_t frames = 10, pixels = height * width;
    std::mt19937 random(5);
    std::vector<std::int32_t> counts(frames * pixels), blank(pixels);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double r = radius_mm(series_setup, i % pixels / width, i % width);
        const double expected =
            (4e5 / (1 + std::pow(r, 3)) + 30) * (1 - 0.02 * static_cast<double>(i / pixels));
        counts[i] = std::poisson_distribution<std::int32_t>(expected)(random);
    }
    for (std::int32_t& count : blank) count = std::poisson_distribution<std::int32_t>(2)(random);
    TestFile file(path);
    file.group("/entry/data", "NXdata");
    file.text_attribute("/entry", "NX_class", "NXentry");
    const auto gzip = [](hid_t properties) { H5Pset_deflate(properties, 4); };
    file.make("/entry/data/blank", H5T_STD_I32LE, {height, width}, blank.data(), H5T_NATIVE_INT32, {25, 122},
              gzip);
    file.make("/entry/data/frames", H5T_STD_I32LE, {frames, height, width}, counts.data(), H5T_NATIVE_INT32,
              {2, 25, 122}, gzip);
    write_geometry(file, series_setup, true);
}

/// Rings of silver behenate on `/entry/data/data`, one i32 frame of two dimensions; the geometry has no
/// units. The rings are written by Bragg's law and Pythagoras.
inline void write_rings(const std::string& path) {
    std::mt19937 random(7);
    std::vector<double> ring_mm;
    for (int order = 1; order <= 12; ++order)
        ring_mm.push_back(rings_beyond * rings_setup.distance_mm *
                          std::tan(2 * std::asin(order * rings_setup.wavelength / (2 * 58.380))));
    std::vector<std::int32_t> counts(height * width);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double r = radius_mm(rings_setup, i / width, i % width);
        double expected = 20 + 300 * std::exp(-r / 10);
        for (std::size_t n = 0; n < ring_mm.size(); ++n)
            expected += 4000 / std::pow(static_cast<double>(n + 1), 1.5) *
                        std::exp(-std::pow((r - ring_mm[n]) / (1.8 * pixel_mm), 2) / 2);
        counts[i] = std::poisson_distribution<std::int32_t>(expected)(random);
    }
    counts[31 * width + 402] = rings_largest;  // one hot pixel
    TestFile file(path);
    file.group("/entry/data", "NXdata");
    file.text_attribute("/entry", "NX_class", "NXentry");
    file.make("/entry/data/data", H5T_STD_I32LE, {height, width}, counts.data(), H5T_NATIVE_INT32);
    write_geometry(file, rings_setup, false);
}

/// The file that the master below leads to.
constexpr const char* absent = "scan_6_000001.h5";

/// An NXmx master of 488 frames of 4362 x 4148 pixels: `/entry/data/data` is a virtual dataset over
/// `/entry/data/data_000001`, which leads to a file that is not there. HDF5 reads it as zeros without an
/// error.
inline void write_master(const std::string& path) {
    TestFile file(path);
    file.group("/entry/data", "NXdata");
    file.text_attribute("/entry", "NX_class", "NXentry");
    file.text_attribute("/entry/data", "signal", "data");
    file.external_link("/entry/data/data_000001", absent, "/data");
    const TestFile::Shape shape{488, 4362, 4148};
    const hid_t source = H5Screate_simple(3, shape.data(), nullptr);
    file.make("/entry/data/data", H5T_STD_I64LE, shape, nullptr, -1, {}, [&](hid_t properties) {
        H5Pset_virtual(properties, source, ".", "/entry/data/data_000001", source);
    });
    H5Sclose(source);
    file.group("/entry/instrument/detector", "NXdetector");
    file.text_attribute("/entry/instrument", "NX_class", "NXinstrument");
    file.number("/entry/instrument/detector/beam_center_x", 2216.0554708, "pixels");
    file.number("/entry/instrument/detector/beam_center_y", 2300.4104667, "pixels");
    const double distance = 0.21395897;
    file.make("/entry/instrument/detector/detector_distance", H5T_IEEE_F64LE, {1}, &distance,
              H5T_NATIVE_DOUBLE);
    file.text_attribute("/entry/instrument/detector/detector_distance", "units", "m");
    file.number("/entry/instrument/detector/x_pixel_size", 7.5e-5, "m");
    file.number("/entry/instrument/detector/y_pixel_size", 7.5e-5, "m");
    file.group("/entry/instrument/beam", "NXbeam");
    file.number("/entry/instrument/beam/incident_wavelength", 0.980273561, "angstrom");
}

}  // namespace ks::tests::beamline
