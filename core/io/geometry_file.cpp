#include <cmath>

#include "core/io/nexus.h"
#include "core/io/open_frames.h"
#include "core/run/error.h"

// What files say, and what is made of it where they do not say everything:
// - A length without a unit is in mm, as areaDetector files write it (distance 513.8, pixels of 0.172). A
// pixel size
//   without a unit below 0.001 can only be metres and one of 1 or more micrometres; distances without a unit
//   next to such metres are metres too.
// - A beam centre in a length unit is divided by the pixel size. Without a unit it is in mm where the pixel
// size has no unit
//   either and is in mm (areaDetector), else in pixels. `beam_center_x_pixel` wins over both.
// - NeXus does not say where a beam centre is counted from. Here 0 is the centre of the first pixel (a pixel
// index, as most
//   programs print it), so 0.5 is added to come to ks::Geometry's convention.

namespace ks::io {
namespace {

constexpr double kev_angstrom = 12.39841984;  // h c

struct PixelSize {
    double millimetre = 0;  ///< 0 = unknown
    enum class Said { nothing, unit, none_mm, none_m } said = Said::nothing;
};

PixelSize pixel_size(const ClassGroup& detector, const std::string& name, const std::string& file) {
    const std::optional<Measured> size = measured(detector, name);
    if (!size || !(size->value > 0)) return {};
    if (size->unit)
        return {size->value * unit_factor(Quantity::length, *size->unit, file + "::" + size->path),
                PixelSize::Said::unit};
    if (size->value < 1e-3) return {size->value * 1e3, PixelSize::Said::none_m};
    if (size->value >= 1) return {size->value * 1e-3, PixelSize::Said::unit};
    return {size->value, PixelSize::Said::none_mm};
}

bool in_pixels(const std::string& unit) {
    for (const char* name : {"pixel", "pixels", "px", "pix", "Pixel", "Pixels", "none", "1"})
        if (unit == name) return true;
    return false;
}

/// Beam centre along one axis in our pixels.
std::optional<double> centre(const ClassGroup& detector, const std::string& name, const PixelSize& pixel,
                             const std::string& file) {
    if (const auto direct = measured(detector, name + "_pixel")) return direct->value + 0.5;
    const std::optional<Measured> at = measured(detector, name);
    if (!at) return std::nullopt;
    const bool pixels = at->unit ? in_pixels(*at->unit) : pixel.said != PixelSize::Said::none_mm;
    if (pixels) return at->value + 0.5;
    const double millimetre =
        at->value * (at->unit ? unit_factor(Quantity::length, *at->unit, file + "::" + at->path) : 1.0);
    if (pixel.millimetre > 0) return millimetre / pixel.millimetre + 0.5;
    throw Error(ErrorKind::input,
                "the beam centre is a length, but the file has no pixel size to turn it into pixels",
                file + "::" + at->path);
}

double distance(const ClassGroup& detector, const PixelSize& pixel, const std::string& file) {
    for (const char* name : {"distance", "detector_distance"}) {
        const std::optional<Measured> found = measured(detector, name);
        if (!found || !(found->value > 0)) continue;
        if (found->unit)
            return found->value * unit_factor(Quantity::length, *found->unit, file + "::" + found->path);
        return pixel.said == PixelSize::Said::none_m ? found->value * 1e3 : found->value;
    }
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
            if (!found || !(found->value > 0)) continue;
            const double value = found->value * unit_factor(field.quantity, found->unit.value_or(field.unit),
                                                            file + "::" + found->path);
            return field.quantity == Quantity::energy ? kev_angstrom / value : value;
        }
    }
    return 0;
}

}  // namespace

std::optional<Geometry> read_geometry(const std::filesystem::path& path) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(path);
    const std::string name = path.string();
    for (const ClassGroup& detector : groups_of_class(file, "NXdetector", "detector")) {
        const PixelSize x = pixel_size(detector, "x_pixel_size", name);
        const PixelSize y = pixel_size(detector, "y_pixel_size", name);
        const std::optional<double> beam_x = centre(detector, "beam_center_x", x, name);
        const std::optional<double> beam_y = centre(detector, "beam_center_y", y, name);
        if (!beam_x || !beam_y) continue;
        Geometry geometry;
        geometry.beam_x = *beam_x;
        geometry.beam_y = *beam_y;
        geometry.pixel_size_x = x.millimetre * 1e3;
        geometry.pixel_size_y = y.millimetre * 1e3;
        geometry.distance = distance(detector, x, name);
        geometry.wavelength = wavelength(file, name);
        return geometry;
    }
    return std::nullopt;
}

}  // namespace ks::io
