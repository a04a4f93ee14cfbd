#include "core/io/hdf5/series_parts.h"

#include <fmt/format.h>

#include <map>

#include "core/base/error.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/hdf5/series/way_to_frames.h"

namespace ks::io {
namespace {

/// The number of a part of a series: 3 for "data_000003".
std::optional<std::size_t> part_number(const std::string& name) {
    constexpr std::size_t prefix = 5, most_digits = 12;
    if (!is_name_of_data(name) || name.size() <= prefix || name.size() > prefix + most_digits)
        return std::nullopt;
    return std::stoull(name.substr(prefix));
}

/// All parts from the first number to the last, with names of the same width as the existing ones; none if
/// they do not form a series.
SeriesParts parts_in(hid_t group) {
    constexpr std::size_t most = 1000000;
    SeriesParts parts;
    std::map<std::size_t, std::string> found;
    for (const std::string& name : h5::names_in(group))
        if (const auto number = part_number(name)) found.emplace(*number, name);
    if (found.empty()) return parts;
    const std::size_t last = found.rbegin()->first;
    parts.first_number = found.begin()->first;
    if (last - parts.first_number >= most) return parts;
    parts.names.push_back(found.begin()->second);
    for (std::size_t number = parts.first_number + 1; number <= last; ++number) {
        const auto there = found.find(number);
        parts.names.push_back(there != found.end() ? there->second : parts.name_of(number));
    }
    return parts;
}

}  // namespace

std::string SeriesParts::name_of(std::size_t number) const {
    const std::string prefix = "data_";
    return fmt::format("{}{:0{}}", prefix, number, names.front().size() - prefix.size());
}

std::optional<std::size_t> frames_asked_for(const h5::Handle& file, const std::string& file_name) {
    constexpr const char* detector_specific = "/entry/instrument/detector/detectorSpecific";
    const h5::Lock lock;
    const auto number = [&](const char* name) -> std::optional<std::size_t> {
        try {
            const h5::Handle group = h5::open_object(file, file_name, detector_specific);
            const std::optional<Measured> found = measured({detector_specific, group.share()}, name);
            constexpr double largest = 1e9;
            if (!found || !(found->value >= 1) || !(found->value < largest)) return std::nullopt;
            return static_cast<std::size_t>(found->value);
        } catch (const Error&) {
            return std::nullopt;
        }
    };
    const std::optional<std::size_t> images = number("nimages");
    if (!images) return std::nullopt;
    return *images * number("ntrigger").value_or(1);
}

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
        if (SeriesParts parts = parts_in(way.object()); !parts.names.empty()) {
            if (has_link(way.object(), "data")) return std::nullopt;
            parts.group = way.path();
            parts.asked_for = frames_asked_for(file, file_name);
            return parts;
        }
    } while (way.go_on(WayToFrames::UsualNames::yes));
    return std::nullopt;
}

}  // namespace ks::io
