#include "core/io/hdf5/nexus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/printable.h"
#include "core/io/hdf5/hdf5_links.h"

namespace ks::io {

std::string join(const std::string& group, const std::string& name) {
    if (name.starts_with("/")) return name;
    return (group == "/" ? "" : group) + "/" + name;
}

h5::Handle child(hid_t group, const std::string& name) {
    if (name.empty() || H5Lexists(group, name.c_str(), H5P_DEFAULT) <= 0) return {};
    return h5::follow(group, name);
}

std::vector<std::string> numeric_datasets(hid_t group, const std::string& path, std::size_t rank) {
    std::vector<std::string> found;
    std::set<std::string> seen;
    h5::walk(group, path, [&](const h5::Met& met) {
        if (!met.object.valid()) return false;
        if (met.group) return seen.insert(h5::object_id(met.object)).second;
        if (!h5::is_dataset(met.object) || h5::shape_of(met.object).size() != rank) return false;
        const h5::Handle type(H5Dget_type(met.object));
        if (h5::element_type(type) && seen.insert(h5::object_id(met.object)).second)
            found.push_back(met.path);
        return false;
    });
    return found;
}

std::vector<ClassGroup> groups_of_class(hid_t root, const std::string& nx_class, const std::string& named) {
    std::vector<ClassGroup> found;
    std::set<std::string> seen;
    h5::walk(root, "/", [&](const h5::Met& met) {
        if (!met.group || !seen.insert(h5::object_id(met.object)).second) return false;
        const std::string its_class = h5::nx_class(met.object);
        if (its_class == nx_class || (its_class.empty() && !named.empty() && met.name == named))
            found.push_back({met.path, met.object.share()});
        return true;
    });
    return found;
}

std::optional<Measured> measured(const ClassGroup& group, const std::string& name) {
    const h5::Lock lock;
    const h5::Handle object = child(group.group, name);
    if (!object.valid() || !h5::is_dataset(object)) return std::nullopt;
    const std::optional<std::vector<double>> values = h5::numbers(object);
    if (!values || values->empty()) return std::nullopt;
    const auto differ = [](double a, double b) { return a != b && !(std::isnan(a) && std::isnan(b)); };
    if (std::adjacent_find(values->begin(), values->end(), differ) != values->end()) return std::nullopt;
    std::optional<std::string> unit = h5::attribute(object, "units");
    if (unit && unit->find_first_not_of(' ') == std::string::npos) unit.reset();
    return Measured{values->front(), unit, join(group.path, name)};
}

std::string Measured::to_string() const {
    return fmt::format("{}{}", value, unit ? " " + *unit : "");
}

std::string content_text(hid_t dataset) {
    const h5::Lock lock;
    if (const auto texts = h5::strings(dataset))
        return texts->size() == 1 ? fmt::format("the string \"{}\"", printable(texts->front()))
                                  : fmt::format("{} strings", texts->size());
    const auto values = h5::numbers(dataset);
    if (!values) return "values " + h5::to_text(h5::shape_of(dataset));
    if (values->empty()) return "no number";
    const auto [least, most] = std::minmax_element(values->begin(), values->end());
    return fmt::format("{} numbers from {} to {}", values->size(), *least, *most);
}

void write_geometry(h5::Writer& out, const Geometry& geometry) {
    const std::string instrument = "/entry/instrument", detector = instrument + "/detector";
    // Files count a centre from the centre of the first pixel.
    out.number(detector + "/beam_center_x", geometry.beam_x - 0.5, "pixel");
    out.number(detector + "/beam_center_y", geometry.beam_y - 0.5, "pixel");
    if (geometry.distance > 0) out.number(detector + "/distance", geometry.distance, "mm");
    if (geometry.pixel_size_x > 0) out.number(detector + "/x_pixel_size", geometry.pixel_size_x, "um");
    if (geometry.pixel_size_y > 0) out.number(detector + "/y_pixel_size", geometry.pixel_size_y, "um");
    if (!(geometry.wavelength > 0)) return;
    out.group(instrument + "/beam", "NXbeam");
    out.number(instrument + "/beam/incident_wavelength", geometry.wavelength, "angstrom");
}

}  // namespace ks::io
