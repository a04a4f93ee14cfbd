#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/hdf5/detector/detectors.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/hdf5/nexus.h"

// What files state, and how incomplete statements are interpreted:
// - A length without a unit is in mm, as areaDetector writes it (distance 513.8, pixel size 0.172). A pixel
//   size without a unit must be in metres if it is below 0.001, and in micrometres if it is 1 or more;
//   distances without a unit next to such a size in metres are in metres as well.
// - A beam centre with a unit of length is divided by the pixel size. Without a unit it is in mm if the pixel
//   size is in mm and has no unit either (areaDetector), otherwise in pixels. `beam_center_x_pixel` takes
//   precedence over both.
// - An energy without a unit is in keV, as NeXus defines, but in eV above 400: no photon of a diffraction
//   experiment has 400 keV. A wavelength without a unit is in angstrom, but in metres below 1e-6.
// - NeXus does not define the origin of a beam centre. Here 0 is the centre of the first pixel (a pixel
//   index, as most programs print it), so 0.5 is added to match the convention of ks::Geometry.

namespace ks::io {
namespace {

constexpr double kev_angstrom = 12.39841984;  // h c

struct PixelSize {
    double millimetre = 0;  ///< 0 = unknown
    enum class Stated { nothing, unit, none_mm, none_m } stated = Stated::nothing;
};

/// What a field should contain.
struct Wanted {
    const char *name, *expected;
};
constexpr Wanted wanted_pixel{"pixel size", "a pixel size greater than 0"};
constexpr Wanted wanted_centre{"beam centre", "a beam centre"};
constexpr Wanted wanted_distance{"distance", "a sample-to-detector distance greater than 0"};
constexpr Wanted wanted_wavelength{"wavelength", "a wavelength greater than 0"};
constexpr Wanted wanted_energy{"wavelength", "an energy greater than 0"};
constexpr Wanted wanted_saturation{"saturation", "a saturation value greater than 0"};

Error unusable(const Wanted& wanted, const std::string& found, const std::string& where) {
    return Error(ErrorKind::input, fmt::format("expected {}, found {}", wanted.expected, found), where,
                 fmt::format("set the {}, or correct the file", wanted.name));
}

/// The number in a field; nothing if the field is missing. Throws if it holds something else.
std::optional<Measured> number_of(const ClassGroup& group, const std::string& name, const Wanted& wanted,
                                  const std::string& file) {
    const std::optional<Measured> found = measured(group, name);
    if (found) return found;
    const std::string where = file + "::" + join(group.path, name);
    const h5::Handle field = child(group.group, name);
    if (!field.valid() && H5Lexists(group.group, name.c_str(), H5P_DEFAULT) > 0)
        throw unusable(wanted, "an object that cannot be opened", where);
    if (!field.valid() || !h5::is_dataset(field)) return std::nullopt;
    throw unusable(wanted, content_text(field), where);
}

void require_above_zero(const Measured& found, const Wanted& wanted, const std::string& file) {
    if (found.value > 0 && std::isfinite(found.value)) return;
    throw unusable(wanted, found.to_string(), file + "::" + found.path);
}

PixelSize pixel_size(const ClassGroup& detector, const std::string& name, const std::string& file) {
    const std::optional<Measured> size = number_of(detector, name, wanted_pixel, file);
    if (!size) return {};
    require_above_zero(*size, wanted_pixel, file);
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
    const std::optional<Measured> at = number_of(detector, name, wanted_centre, file);
    if (!at) return std::nullopt;
    if (!std::isfinite(at->value)) throw unusable(wanted_centre, at->to_string(), file + "::" + at->path);
    const bool pixels = at->unit ? in_pixels(*at->unit) : pixel.stated != PixelSize::Stated::none_mm;
    if (pixels) return at->value + 0.5;
    const double millimetre =
        at->value * (at->unit ? unit_factor(Quantity::length, *at->unit, file + "::" + at->path) : 1.0);
    if (pixel.millimetre > 0) return millimetre / pixel.millimetre + 0.5;
    throw Error(
        ErrorKind::input,
        "the beam centre is given as a length, but the file has no pixel size to convert it to pixels",
        file + "::" + at->path);
}

/// The result of read(field) for the first field that exists and can be used. If none can, throws the error
/// of the first existing one; 0 if none exists.
template <class Fields, class Read>
double first_usable(const Fields& fields, const Read& read) {
    std::optional<Error> fault;
    for (const auto& field : fields) {
        try {
            if (const std::optional<double> value = read(field)) return *value;
        } catch (const Error& error) {
            if (!fault) fault = error;
        }
    }
    if (fault) throw *fault;
    return 0;
}

double distance(const ClassGroup& detector, const PixelSize& pixel, const std::string& file) {
    const auto read = [&](const char* name) -> std::optional<double> {
        const std::optional<Measured> found = number_of(detector, name, wanted_distance, file);
        if (!found) return std::nullopt;
        require_above_zero(*found, wanted_distance, file);
        if (found->unit)
            return found->value * unit_factor(Quantity::length, *found->unit, file + "::" + found->path);
        return pixel.stated == PixelSize::Stated::none_m ? found->value * 1e3 : found->value;
    };
    return first_usable(std::array{"distance", "detector_distance"}, read);
}

/// The unit of an energy or a wavelength that states none.
const char* unit_of_number(Quantity quantity, double value) {
    constexpr double largest_kev = 400, largest_metre = 1e-6;
    if (quantity == Quantity::energy) return value > largest_kev ? "eV" : "keV";
    return value < largest_metre ? "m" : "angstrom";
}

double wavelength(const h5::Handle& root, const DataName& frames) {
    struct Field {
        const char *nx_class, *group, *name;
        Quantity quantity;
        Wanted wanted;
    };
    static constexpr std::array<Field, 4> fields{
        {{"NXbeam", "beam", "incident_wavelength", Quantity::wavelength, wanted_wavelength},
         {"NXmonochromator", "monochromator", "wavelength", Quantity::wavelength, wanted_wavelength},
         {"NXbeam", "beam", "incident_energy", Quantity::energy, wanted_energy},
         {"NXmonochromator", "monochromator", "energy", Quantity::energy, wanted_energy}}};
    const std::string file = frames.file.string();
    const auto read = [&](const Field& field) -> std::optional<double> {
        const std::vector<ClassGroup> groups = groups_near(root, frames, field.nx_class, field.group);
        const double found = first_usable(groups, [&](const ClassGroup& group) -> std::optional<double> {
            const std::optional<Measured> number = number_of(group, field.name, field.wanted, file);
            if (!number) return std::nullopt;
            require_above_zero(*number, field.wanted, file);
            const std::string unit = number->unit.value_or(unit_of_number(field.quantity, number->value));
            const double value =
                number->value * unit_factor(field.quantity, unit, file + "::" + number->path);
            return field.quantity == Quantity::energy ? kev_angstrom / value : value;
        });
        return found > 0 ? std::optional(found) : std::nullopt;
    };
    return first_usable(fields, read);
}

/// Called with each fault and its part; if it does not throw, the part remains unknown.
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

/// Geometry of the first detector with a beam centre, even if that centre cannot be interpreted.
std::optional<Geometry> read(const DataName& frames, const Report& report) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(frames.file);
    const std::string name = frames.file.string();
    for (const ClassGroup& detector : detectors_of(file, frames)) {
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
        geometry.wavelength = guarded(report, "wavelength", [&] { return wavelength(file, frames); });
        return geometry;
    }
    return std::nullopt;
}

/// The mask of a detector; EIGER's own files may store it under detectorSpecific.
std::optional<std::string> mask_of(const ClassGroup& detector) {
    const auto has = [&](const std::string& name) {
        return H5Lexists(detector.group, name.c_str(), H5P_DEFAULT) > 0;
    };
    if (has("pixel_mask")) return "pixel_mask";
    if (has("detectorSpecific") && has("detectorSpecific/pixel_mask")) return "detectorSpecific/pixel_mask";
    return std::nullopt;
}

}  // namespace

std::optional<Geometry> read_hdf5_geometry(const DataName& frames, std::vector<GeometryFault>& faults) {
    return read(frames, [&faults](const char* part, const Error& error) { faults.push_back({part, error}); });
}

FilePixels read_hdf5_pixels(const DataName& frames) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(frames.file);
    FilePixels pixels;
    std::optional<std::string> fault;
    for (const ClassGroup& detector : detectors_of(file, frames)) {
        if (const auto mask = mask_of(detector))
            pixels.masks.push_back(DataName{frames.file, detector.path + '/' + *mask}.to_string());
        if (pixels.saturation) continue;
        try {
            const auto value =
                number_of(detector, "saturation_value", wanted_saturation, frames.file.string());
            if (!value) continue;
            require_above_zero(*value, wanted_saturation, frames.file.string());
            pixels.saturation = value->value;
        } catch (const Error& error) {
            if (!fault) fault = error.what();
        }
    }
    if (!pixels.saturation && fault) pixels.faults.push_back(*fault);
    for (const std::string& path : closed_detectors(file))
        pixels.faults.push_back(Error(ErrorKind::input,
                                      "the object cannot be opened; if it contains a detector, its mask, "
                                      "saturation and geometry are not used",
                                      frames.file.string() + "::" + path,
                                      "repair the file, or set these values yourself")
                                    .what());
    return pixels;
}

}  // namespace ks::io
