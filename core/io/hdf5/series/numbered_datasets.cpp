#include "core/io/hdf5/series/numbered_datasets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/io/files/numbered_name.h"
#include "core/io/hdf5/hdf5_links.h"

namespace ks::io {
namespace {

/// Around the last number; nothing if the name has none.
std::optional<NumberedName> taken_apart(const std::string& name) {
    const std::vector<std::string> parts = name_parts(name);
    const auto place = last_number(parts);
    return place ? std::optional(around_number(parts, *place)) : std::nullopt;
}

/// Orders numbers of any length by value, and "1" before "01".
auto order_of(const std::string& number) {
    const std::size_t zeros = std::min(number.find_first_not_of('0'), number.size() - 1);
    return std::tuple(number.size() - zeros, number.substr(zeros), number.size());
}

}  // namespace

std::string NumberedDatasets::to_string() const {
    return fmt::format("{} to {} in {}", names.front(), names.back(), group);
}

std::vector<std::vector<std::string>> numbered_names(const std::vector<std::string>& names) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> found;
    for (const std::string& name : names)
        if (const auto parts = taken_apart(name)) found[{parts->before, parts->after}].push_back(name);
    std::vector<std::vector<std::string>> all;
    for (auto& [others, members] : found) {
        if (members.size() < 2) continue;
        std::ranges::sort(members, {},
                          [](const std::string& name) { return order_of(taken_apart(name)->digits); });
        all.push_back(std::move(members));
    }
    return all;
}

std::vector<NumberedDatasets> numbered_datasets(const h5::Handle& file,
                                                const std::vector<std::string>& paths) {
    std::map<std::string, std::vector<std::string>> by_group;
    for (const std::string& path : paths) {
        const std::size_t slash = path.rfind('/');
        by_group[slash == 0 ? "/" : path.substr(0, slash)].push_back(path.substr(slash + 1));
    }
    std::vector<NumberedDatasets> all;
    for (const auto& [group, names] : by_group) {
        std::set<std::string> datasets;
        for (const std::vector<std::string>& members : numbered_names(names)) datasets.insert(members[0]);
        if (datasets.empty()) continue;
        const h5::Handle opened = h5::open_object(file, {}, group);
        for (std::vector<std::string>& members : numbered_names(h5::names_in(opened)))
            if (std::ranges::any_of(members,
                                    [&](const std::string& name) { return datasets.contains(name); }))
                all.push_back({group, std::move(members)});
    }
    return all;
}

}  // namespace ks::io
