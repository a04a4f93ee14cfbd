#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/hdf5/nexus.h"

// What files say, and what is made of it where they do not say everything:
// - A length without a unit is in mm, as areaDetector files write it (distance 513.8, pixels of 0.172). A
// pixel size
//   without a unit below 0.001 can only be metres and one of 1 or more micrometres; distances without a unit
//   next to such metres are metres too.
// - A beam centre in a length unit is divided by the pixel size. Without a unit it is in mm where the pixel
// size has no
//   unit either and is in mm (areaDetector), else in pixels. `beam_center_x_pixel` wins over both.
// - NeXus does not say where a beam centre is counted from. Here 0 is the centre of the first pixel (a pixel
// index, as
//   most programs print it), so 0.5 is added to come to ks::Geometry's convention.

namespace ks::io {
namespace {

constexpr double kev_angstrom = 12.39841984;  // h c

struct PixelSize {
    double millimetre = 0;  ///< 0 = unknown
    enum class Stated { nothing, unit, none_mm, none_m } stated = Stated::nothing;
};

PixelSize pixel_size(const ClassGroup& detector, const std::string& name, const std::string& file) {
    const std::optional<Measured> size = measured(detector, name);
    if (!size || !(size->value > 0) || !std::isfinite(size->value)) return {};
    if (size->unit)
        return {size->value * unit_factor(Quantity::length, *size->unit, file + "::" + size->path),
                PixelSize::Stated::unit};
    if (size->value < 1e-3) return {size->value * 1e3, PixelSize::Stated::none_m};
    if (size->value >= 1) return {size->value * 1e-3, PixelSize::Stated::unit};
    return {size->value, PixelSize::Stated::none_mm};
}

bool in_pixels(const std::string& unit) {
    for (const char* name : {"pixel", "pixels", "px", "pix", "Pixel", "Pixels", "none", "1"})
        if (unit == name) return true;
    return false;
}

/// Beam centre along one axis in our pixels.
std::optional<double> centre(const ClassGroup& detector, const std::string& name, const PixelSize& pixel,
                             const std::string& file) {
    const std::optional<Measured> direct = measured(detector, name + "_pixel");
    if (direct && std::isfinite(direct->value)) return direct->value + 0.5;
    const std::optional<Measured> at = measured(detector, name);
    if (!at || !std::isfinite(at->value)) return std::nullopt;
    const bool pixels = at->unit ? in_pixels(*at->unit) : pixel.stated != PixelSize::Stated::none_mm;
    if (pixels) return at->value + 0.5;
    const double millimetre =
        at->value * (at->unit ? unit_factor(Quantity::length, *at->unit, file + "::" + at->path) : 1.0);
    if (pixel.millimetre > 0) return millimetre / pixel.millimetre + 0.5;
    throw Error(ErrorKind::input,
                "the beam centre is a length, but the file has no pixel size to turn it into pixels",
                file + "::" + at->path);
}

/// The first distance that can be one; 0 where the file has none at all.
double distance(const ClassGroup& detector, const PixelSize& pixel, const std::string& file) {
    std::optional<Measured> unfit;
    for (const char* name : {"distance", "detector_distance"}) {
        const std::optional<Measured> found = measured(detector, name);
        if (!found) continue;
        if (!(found->value > 0) || !std::isfinite(found->value)) {
            if (!unfit) unfit = found;
            continue;
        }
        if (found->unit)
            return found->value * unit_factor(Quantity::length, *found->unit, file + "::" + found->path);
        return pixel.stated == PixelSize::Stated::none_m ? found->value * 1e3 : found->value;
    }
    if (unfit)
        throw Error(ErrorKind::input,
                    fmt::format("expected a distance from sample to detector above 0, found {}{}",
                                unfit->value, unfit->unit ? " " + *unfit->unit : ""),
                    file + "::" + unfit->path, "give the distance yourself, or mend the file");
    return 0;
}

double wavelength(hid_t root, const std::string& file) {
    struct Field {
        const char *nx_class, *group, *name;
        Quantity quantity;
        const char* unit;
    };
    static constexpr Field fields[] = {
        {"NXbeam", "beam", "incident_wavelength", Quantity::wavelength, "angstrom"},
        {"NXmonochromator", "monochromator", "wavelength", Quantity::wavelength, "angstrom"},
        {"NXbeam", "beam", "incident_energy", Quantity::energy, "keV"},
        {"NXmonochromator", "monochromator", "energy", Quantity::energy, "keV"}};
    for (const Field& field : fields) {
        for (const ClassGroup& group : groups_of_class(root, field.nx_class, field.group)) {
            const std::optional<Measured> found = measured(group, field.name);
            if (!found || !(found->value > 0) || !std::isfinite(found->value)) continue;
            const double value = found->value * unit_factor(field.quantity, found->unit.value_or(field.unit),
                                                            file + "::" + found->path);
            return field.quantity == Quantity::energy ? kev_angstrom / value : value;
        }
    }
    return 0;
}

/// Is told of each fault and its part; what it does not throw leaves the part unknown.
using Report = std::function<void(const char* part, const Error&)>;

template <class Read>
auto guarded(const Report& report, const char* part, const Read& read) -> decltype(read()) {
    try {
        return read();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::input) throw;
        report(part, error);
    }
    return {};
}

/// Geometry of the first detector with a beam centre; one whose centre cannot be understood counts.
std::optional<Geometry> read(const std::filesystem::path& path, const Report& report) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(path);
    const std::string name = path.string();
    for (const ClassGroup& detector : groups_of_class(file, "NXdetector", "detector")) {
        std::vector<std::pair<const char*, Error>> faults;
        const Report keep = [&faults](const char* part, const Error& error) {
            faults.emplace_back(part, error);
        };
        const PixelSize x =
            guarded(keep, "pixel_size_x", [&] { return pixel_size(detector, "x_pixel_size", name); });
        const PixelSize y =
            guarded(keep, "pixel_size_y", [&] { return pixel_size(detector, "y_pixel_size", name); });
        const auto beam_x =
            guarded(keep, "beam_x", [&] { return centre(detector, "beam_center_x", x, name); });
        const auto beam_y =
            guarded(keep, "beam_y", [&] { return centre(detector, "beam_center_y", y, name); });
        const auto faulty = [&faults](const std::string& part) {
            return std::any_of(faults.begin(), faults.end(),
                               [&](const auto& fault) { return fault.first == part; });
        };
        if (!(beam_x || faulty("beam_x")) || !(beam_y || faulty("beam_y"))) continue;
        for (const auto& [part, error] : faults) report(part, error);
        Geometry geometry;
        geometry.beam_x = beam_x.value_or(0);
        geometry.beam_y = beam_y.value_or(0);
        geometry.pixel_size_x = x.millimetre * 1e3;
        geometry.pixel_size_y = y.millimetre * 1e3;
        geometry.distance = guarded(report, "distance", [&] { return distance(detector, x, name); });
        geometry.wavelength = guarded(report, "wavelength", [&] { return wavelength(file, name); });
        return geometry;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Geometry> read_hdf5_geometry(const std::filesystem::path& path,
                                           std::vector<GeometryFault>& faults) {
    return read(path, [&faults](const char* part, const Error& error) { faults.push_back({part, error}); });
}

FilePixels read_hdf5_pixels(const std::filesystem::path& path) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(path);
    FilePixels pixels;
    for (const ClassGroup& detector : groups_of_class(file, "NXdetector", "detector")) {
        if (H5Lexists(detector.group, "pixel_mask", H5P_DEFAULT) > 0)
            pixels.masks.push_back(DataName{path, detector.path + "/pixel_mask"}.to_string());
        const auto value = measured(detector, "saturation_value");
        if (!pixels.saturation && value && std::isfinite(value->value) && value->value > 0)
            pixels.saturation = value->value;
    }
    return pixels;
}

}  // namespace ks::io
