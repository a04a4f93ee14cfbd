#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5_frames.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/parted_frames.h"

namespace ks::io {
namespace {

constexpr const char* name_one = "name the frames as FILE::/path";

std::string parent_of(const std::string& path) {
    return path.substr(0, path.rfind('/'));
}

bool has_link(hid_t group, const std::string& name) {
    return !name.empty() && H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0;
}

std::string first_of_class(hid_t group, const std::string& nx_class) {
    for (const std::string& name : h5::names_in(group)) {
        const h5::Handle object = child(group, name);
        if (object.valid() && h5::is_group(object) && h5::nx_class(object) == nx_class) return name;
    }
    return {};
}

/// The name of the signal in an NXdata group, whether that is there or not; empty where it names none.
std::string signal_in(hid_t data) {
    // "1" marks a dataset, not a group; some writers put it there all the same
    if (const auto name = h5::attribute(data, "signal");
        name && !name->empty() && (*name != "1" || has_link(data, *name)))
        return *name;
    for (const std::string& name : h5::names_in(data)) {
        const h5::Handle object = child(data, name);
        if (object.valid() && h5::is_dataset(object) && h5::attribute(object, "signal") == "1") return name;
    }
    return {};
}

/// A file, and what is known of it.
struct Place {
    const h5::Handle& file;
    const std::string& file_name;
    std::string where(const std::string& path) const {
        return path == "/" ? file_name : file_name + "::" + path;
    }
    Error wrong(const std::string& what, const std::string& path) const {
        return Error(ErrorKind::input, what, where(path), name_one);
    }
};

/// Path of the dataset that a NeXus file shows by default, below a group: attributes `default` from the root
/// down, else the first NXentry and NXdata; then @signal of the NXdata, else its dataset with @signal = 1.
std::optional<std::string> named_signal(const Place& place, const std::string& path) {
    h5::Handle at = h5::open_object(place.file, place.file_name, path);
    std::string here = path;
    for (int depth = 0; depth < 16 && at.valid(); ++depth) {
        if (h5::is_dataset(at)) return here;
        if (const std::string signal = signal_in(at); !signal.empty()) return join(here, signal);
        std::string next = h5::attribute(at, "default").value_or("");
        if (next == ".") next.clear();
        if (!next.empty()) {
            const std::string named = join(here, next);
            try {
                at = h5::open_object(place.file, place.file_name, named);
            } catch (const Error& error) {
                throw place.wrong(fmt::format("{} names {} as its default, which cannot be used: {}", here,
                                              named, error.message()),
                                  path);
            }
            here = named;
            continue;
        }
        next = first_of_class(at, "NXentry");
        if (next.empty()) next = first_of_class(at, "NXdata");
        if (next.empty()) return std::nullopt;
        at = child(at, next);
        here = join(here, next);
    }
    return std::nullopt;
}

/// Throws where the frames that the file means cannot be used. @param what "the signal", of the dataset
void require_usable(const Place& place, const std::string& path, const std::string& signal,
                    const char* what) {
    const std::string begin = fmt::format("{} {}", what, signal);
    h5::Handle object;
    try {
        object = h5::open_object(place.file, place.file_name, signal);
    } catch (const Error& error) {
        throw place.wrong(fmt::format("{} cannot be used: {}", begin, error.message()), path);
    }
    if (!h5::is_dataset(object))
        throw place.wrong(begin + " is a group, expected a dataset of 2 or 3 dimensions", path);
    if (const auto why = why_not_frames(object))
        throw place.wrong(fmt::format("{} cannot be used: {}", begin, *why), path);
}

/// True where the dataset at the usual place is the one that is meant: not where it is a curve or a text.
bool means_usual(const Place& place, const std::string& usual) {
    const h5::Handle root(H5Oopen(place.file, "/", H5P_DEFAULT));
    if (!h5::exists(root, usual)) return false;
    h5::Handle object = child(child(root, "entry"), "data");
    object = child(object, "data");
    if (!object.valid()) return true;
    if (!h5::is_dataset(object)) return false;
    const h5::Handle type(H5Dget_type(object));
    return h5::element_type(type) && h5::shape_of(object).size() >= 2;
}

/// "data", "data_000001"
bool is_name_of_data(const std::string& name) {
    return name == "data" ||
           (name.starts_with("data_") && name.find_first_not_of("0123456789", 5) == std::string::npos);
}

/// Throws where a link that leads nowhere may have been the frames: one in an NXdata group or beside a
/// candidate, or one that is called data or data_000001, as the parts of an Eiger series are.
void require_no_lost_frames(const Place& place, const std::string& path,
                            const std::vector<std::string>& candidates) {
    std::set<std::string> groups;
    for (const std::string& candidate : candidates) groups.insert(parent_of(candidate));
    const h5::Handle top = h5::open_object(place.file, place.file_name, path);
    if (h5::nx_class(top) == "NXdata") groups.insert(path == "/" ? "" : path);
    std::optional<std::string> lost;
    h5::walk(top, path, [&](const h5::Met& met) {
        if (lost) return false;
        if (met.group && (met.name == "data" || h5::nx_class(met.object) == "NXdata"))
            groups.insert(met.path);
        if (!met.object.valid() && (groups.contains(parent_of(met.path)) || is_name_of_data(met.name)))
            lost = met.path;
        return met.group;
    });
    if (!lost) return;
    try {
        h5::open_object(place.file, place.file_name, *lost);
    } catch (const Error& error) {
        throw place.wrong(
            fmt::format("{} could be the frames, and it cannot be opened: {}", *lost, error.message()), path);
    }
}

/// The number of a part of a series: 3 of "data_000003".
std::optional<std::size_t> part_number(const std::string& name) {
    constexpr std::size_t prefix = 5, most_digits = 12;
    if (!is_name_of_data(name) || name.size() <= prefix || name.size() > prefix + most_digits)
        return std::nullopt;
    return std::stoull(name.substr(prefix));
}

/// Names of all parts from the first number to the last, as wide as they are written; empty where there are
/// not two or where they are not a series.
std::vector<std::string> part_names(hid_t group) {
    constexpr std::size_t most = 1000000;
    std::map<std::size_t, std::string> found;
    for (const std::string& name : h5::names_in(group))
        if (const auto number = part_number(name)) found.emplace(*number, name);
    if (found.size() < 2) return {};
    const std::size_t first = found.begin()->first, last = found.rbegin()->first;
    if (last - first >= most) return {};
    const std::size_t digits = found.begin()->second.size() - std::string("data_").size();
    std::vector<std::string> names;
    for (std::size_t number = first; number <= last; ++number) {
        const auto there = found.find(number);
        names.push_back(there != found.end() ? there->second : fmt::format("data_{:0{}}", number, digits));
    }
    return names;
}

/// The name of the group that comes next on the way to the frames; empty where there is none.
std::string next_group(hid_t group) {
    if (std::string named = h5::attribute(group, "default").value_or(""); !named.empty() && named != ".")
        return named;
    for (const char* nx_class : {"NXentry", "NXdata"})
        if (std::string name = first_of_class(group, nx_class); !name.empty()) return name;
    for (const char* usual : {"entry", "data"})
        if (const h5::Handle object = child(group, usual); object.valid() && h5::is_group(object))
            return usual;
    return {};
}

std::string first_few(const std::vector<std::string>& all) {
    constexpr std::size_t maximum = 8;
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), maximum));
    return fmt::format("{}{}", fmt::join(all.begin(), end, ", "), all.size() > maximum ? ", ..." : "");
}

}  // namespace

std::optional<SeriesParts> series_parts(const h5::Handle& file, const std::string& file_name,
                                        const std::string& path) {
    const h5::Lock lock;
    h5::Handle at = h5::open_object(file, file_name, path);
    std::string here = path;
    for (int depth = 0; depth < 16 && at.valid() && h5::is_group(at); ++depth) {
        const std::string signal = signal_in(at);
        if (!signal.empty() && !part_number(signal)) return std::nullopt;
        if (std::vector<std::string> names = part_names(at); !names.empty())
            return has_link(at, "data") ? std::nullopt : std::optional(SeriesParts{here, std::move(names)});
        const std::string next = next_group(at);
        if (next.empty()) return std::nullopt;
        here = join(here, next);
        at = child(at, next);
    }
    return std::nullopt;
}

std::string default_frames(const h5::Handle& file, const std::string& file_name, const std::string& path) {
    const h5::Lock lock;
    const Place place{file, file_name};
    if (const auto signal = named_signal(place, path)) {
        require_usable(place, path, *signal, "the signal");
        return *signal;
    }
    const std::string usual = "/entry/data/data";
    if (path == "/" && means_usual(place, usual)) {
        require_usable(place, path, usual, "the dataset");
        return usual;
    }
    const h5::Handle group = h5::open_object(file, file_name, path);
    std::vector<std::string> found = numeric_datasets(group, path, 3);
    if (found.empty()) found = numeric_datasets(group, path, 2);
    require_no_lost_frames(place, path, found);
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
        throw Error(ErrorKind::input,
                    fmt::format("{} datasets could be the frames: {}", found.size(), first_few(found)),
                    place.where(path), "name one as FILE::/path", fmt::format("{}", fmt::join(found, "\n")));
    std::vector<std::string> all;
    for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, std::size_t{4}})
        for (const std::string& name : numeric_datasets(group, path, rank)) all.push_back(name);
    throw Error(ErrorKind::input, "expected frames, found no numeric dataset of two or three dimensions",
                place.where(path), all.empty() ? "" : "it holds " + first_few(all));
}

}  // namespace ks::io
