#include "core/io/labels/qmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/io/hdf5/hdf5_format.h"
#include "core/io/hdf5/hdf5_read.h"
#include "core/io/labels/list_at.h"

namespace ks::io {
namespace {

QMapPlaces of_group(const std::string& group) {
    return {group + "/dynamic_roi_map",
            group + "/static_roi_map",
            group + "/dynamic_v_list_dim0",
            group + "/dynamic_v_list_dim1",
            group + "/dynamic_index_mapping",
            group + "/map_names",
            group + "/map_units"};
}

std::array<std::pair<std::string, QMapPlaces>, 3> known_places() {
    return {{{"/qmap", of_group("/qmap")},
             {"/xpcs/qmap", of_group("/xpcs/qmap")},
             {"/data", {"/data/dynamicMap", "/data/staticMap", "/data/dqval", "/data/dphival", "", "", ""}}}};
}

std::vector<double> list(const h5::Handle& file, const DataName& name, const std::string& path) {
    if (path.empty()) return {};
    return list_at<double>(file, {name.file, path}, "numbers", [](const h5::Handle& dataset) {
        return h5::numbers(dataset, std::numeric_limits<std::size_t>::max());
    });
}

struct AxisUnit {
    std::string text;   ///< empty: the file gives none
    std::string place;  ///< of the object that gives it
};
/// @param axis 0: q, 1: azimuth
AxisUnit unit_of(const h5::Handle& file, const DataName& name, const QMapPlaces& places, std::size_t axis) {
    if (!places.units.empty() && h5::exists(file, places.units))
        if (const auto units = h5::strings(h5::open_dataset(file, name.file.string(), places.units));
            units && axis < units->size())
            return {units->at(axis), places.units};
    const std::string& list = axis == 0 ? places.q : places.phi;
    if (list.empty() || !h5::exists(file, list)) return {};
    return {h5::attribute(h5::open_dataset(file, name.file.string(), list), "units").value_or(""), list};
}

/// Converts q to 1/angstrom and azimuths to degrees.
void convert(const h5::Handle& file, const DataName& name, const QMapPlaces& places, std::vector<double>& q,
             std::vector<double>& phi) {
    if (const AxisUnit unit = unit_of(file, name, places, 0); !unit.text.empty()) {
        const std::optional<double> factor = per_angstrom(unit.text);
        if (!factor)
            throw Error(ErrorKind::input,
                        fmt::format("expected q in 1/angstrom or 1/nm, found \"{}\"", printable(unit.text)),
                        DataName{name.file, unit.place}.to_string());
        for (double& one : q) one *= *factor;
    }
    const std::string unit = unit_of(file, name, places, 1).text;
    if (unit == "rad" || unit == "radian" || unit == "radians")
        for (double& one : phi) one *= 180 / std::numbers::pi;
}

/// Whether the axes of the map are q and azimuth.
bool is_of_q(const h5::Handle& file, const DataName& name, const QMapPlaces& places) {
    if (places.names.empty() || !h5::exists(file, places.names)) return true;
    const auto names = h5::strings(h5::open_dataset(file, name.file.string(), places.names));
    return names && names->size() == 2 && names->at(0) == "q" && names->at(1) == "phi";
}

}  // namespace

std::optional<QMapPlaces> qmap_in(const h5::Handle& file, const DataName& name) {
    std::string object = name.object;
    while (object.size() > 1 && object.ends_with('/')) object.pop_back();
    for (const auto& [group, places] : known_places())
        if ((object.empty() || object == group || object == places.labels) && h5::exists(file, places.labels))
            return places;
    return std::nullopt;
}

std::optional<double> per_angstrom(std::string unit) {
    std::erase_if(unit, [](char one) { return one == ' ' || one == '^' || one == '{' || one == '}'; });
    for (const char* const known : {"1/angstrom", "angstrom-1", "1/A", "A-1", "1/\u00c5", "\u00c5-1"})
        if (unit == known) return 1;
    for (const char* const known : {"1/nm", "nm-1"})
        if (unit == known) return 0.1;
    return std::nullopt;
}

QMapValues qmap_values(const h5::Handle& file, const DataName& name, const QMapPlaces& places,
                       std::size_t bins) {
    if (!is_of_q(file, name, places)) return {};
    std::vector<double> q = list(file, name, places.q), phi = list(file, name, places.phi);
    if (q.empty()) return {};
    convert(file, name, places, q, phi);
    // The azimuth of rings is stored as one value.
    const bool rings = phi.size() < 2;
    const std::vector<double> index = list(file, name, places.index);
    if (index.empty() && q.size() == bins)
        return {std::move(q), phi.size() == bins ? std::move(phi) : std::vector<double>()};
    const std::size_t columns = std::max<std::size_t>(1, phi.size());
    if (index.empty() && q.size() * columns != bins) return {};
    if (!index.empty() && index.size() < bins)
        throw Error(ErrorKind::input,
                    fmt::format("expected an index per bin, i.e. {}, found {}", bins, index.size()),
                    DataName{name.file, places.index}.to_string());
    QMapValues values;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double at = index.empty() ? static_cast<double>(bin) : index[bin];
        if (!(at >= 0 && at < static_cast<double>(q.size() * columns)))
            throw Error(ErrorKind::input,
                        fmt::format("bin {} has the index {}, but there are {} x {} values", bin + 1, at,
                                    q.size(), columns),
                        DataName{name.file, places.index}.to_string());
        const auto place = static_cast<std::size_t>(at);
        values.q.push_back(q[place / columns]);
        if (!rings) values.phi.push_back(phi[place % columns]);
    }
    return values;
}

}  // namespace ks::io
