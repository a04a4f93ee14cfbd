#include "core/io/hdf5/series/series_parts.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>

#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/series/way_to_frames.h"

namespace ks::io {
namespace {

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

}  // namespace

bool is_name_of_data(const std::string& name) {
    return name == "data" ||
           (name.starts_with("data_") && name.find_first_not_of("0123456789", 5) == std::string::npos);
}

std::optional<SeriesParts> series_parts(const h5::Handle& file, const std::string& file_name,
                                        const std::string& path) {
    const h5::Lock lock;
    WayToFrames way({file, file_name}, path);
    do {
        if (!h5::is_group(way.object())) return std::nullopt;
        if (const std::string signal = way.signal(); !signal.empty() && !part_number(signal))
            return std::nullopt;
        if (std::vector<std::string> names = part_names(way.object()); !names.empty())
            return has_link(way.object(), "data") ? std::nullopt
                                                  : std::optional(SeriesParts{way.path(), std::move(names)});
    } while (way.go_on(WayToFrames::UsualNames::yes));
    return std::nullopt;
}

}  // namespace ks::io
