#include "core/io/nexus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/run/error.h"

namespace ks::io {
namespace {

std::string join(const std::string& group, const std::string& name) {
    if (name.starts_with("/")) return name;
    return (group == "/" ? "" : group) + "/" + name;
}

h5::Handle child(hid_t group, const std::string& name) {
    if (name.empty() || H5Lexists(group, name.c_str(), H5P_DEFAULT) <= 0) return {};
    return h5::Handle(H5Oopen(group, name.c_str(), H5P_DEFAULT));
}

std::string first_of_class(hid_t group, const std::string& nx_class) {
    for (const std::string& name : h5::names_in(group)) {
        const h5::Handle object = child(group, name);
        if (object.valid() && h5::is_group(object) && h5::nx_class(object) == nx_class) return name;
    }
    return {};
}

/// The name of the signal in an NXdata group.
std::string signal_in(hid_t data) {
    if (const auto name = h5::attribute(data, "signal");
        name && H5Lexists(data, name->c_str(), H5P_DEFAULT) > 0)
        return *name;
    for (const std::string& name : h5::names_in(data)) {
        const h5::Handle object = child(data, name);
        if (object.valid() && h5::is_dataset(object) && h5::attribute(object, "signal") == "1") return name;
    }
    return {};
}

/// Rank of a dataset of numbers, else 0. A dataset that cannot be opened counts as frames: opening it tells
/// why.
std::size_t numeric_rank(hid_t root, const std::string& path) {
    const h5::Handle object(H5Oopen(root, path.c_str(), H5P_DEFAULT));
    if (!object.valid()) return 3;
    if (!h5::is_dataset(object)) return 0;
    const h5::Handle type(H5Dget_type(object));
    return h5::element_type(type) ? h5::shape_of(object).size() : 0;
}

}  // namespace

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

std::optional<std::string> default_signal(hid_t group, const std::string& path) {
    const h5::Lock lock;
    h5::Handle at(H5Oopen(group, ".", H5P_DEFAULT));
    std::string here = path;
    for (int depth = 0; depth < 16 && at.valid(); ++depth) {
        if (h5::is_dataset(at)) return here;
        if (const std::string signal = signal_in(at); !signal.empty()) return join(here, signal);
        std::string next = h5::attribute(at, "default").value_or("");
        if (next.empty() || !child(at, next).valid()) next = first_of_class(at, "NXentry");
        if (next.empty()) next = first_of_class(at, "NXdata");
        if (next.empty()) return std::nullopt;
        at = child(at, next);
        here = join(here, next);
    }
    return std::nullopt;
}

std::string default_frames(hid_t group, const std::string& path, const std::string& file_name) {
    const h5::Lock lock;
    const auto fits = [&](const std::string& candidate) {
        const std::size_t rank = numeric_rank(group, candidate);
        return rank == 2 || rank == 3;
    };
    const std::optional<std::string> signal = default_signal(group, path);
    if (signal && fits(*signal)) return *signal;
    const std::string usual = "/entry/data/data";
    if (path == "/" && H5Lexists(group, "/entry", H5P_DEFAULT) > 0 &&
        H5Lexists(group, "/entry/data", H5P_DEFAULT) > 0 &&
        H5Lexists(group, usual.c_str(), H5P_DEFAULT) > 0 && fits(usual))
        return usual;
    const std::string where = path == "/" ? file_name : file_name + "::" + path;
    for (const std::size_t rank : {std::size_t{3}, std::size_t{2}}) {
        const std::vector<std::string> found = numeric_datasets(group, path, rank);
        if (found.size() == 1) return found.front();
        if (found.size() > 1) {
            const std::vector<std::string> some(
                found.begin(),
                found.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(found.size(), 8)));
            throw Error(ErrorKind::input,
                        fmt::format("{} datasets could be the frames: {}{}", found.size(),
                                    fmt::join(some, ", "), found.size() > some.size() ? ", ..." : ""),
                        where, "name one as FILE::/path", fmt::format("{}", fmt::join(found, "\n")));
        }
    }
    if (signal) return *signal;
    std::vector<std::string> all;
    for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, std::size_t{4}})
        for (const std::string& name : numeric_datasets(group, path, rank)) all.push_back(name);
    throw Error(ErrorKind::input, "expected frames, found no numeric dataset of two or three dimensions",
                where, all.empty() ? "" : fmt::format("it holds {}", fmt::join(all, ", ")));
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

std::optional<double> frame_time(hid_t root) {
    for (const ClassGroup& detector : groups_of_class(root, "NXdetector", "detector")) {
        const std::optional<Measured> time = measured(detector, "frame_time");
        if (!time || !(time->value > 0) || !std::isfinite(time->value)) continue;
        try {
            return time->value * unit_factor(Quantity::time, time->unit.value_or("s"), time->path);
        } catch (const Error&) {
            // Frames open without their times; whoever needs seconds gives them.
        }
    }
    return std::nullopt;
}

}  // namespace ks::io
