#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace ks::ui {

/// State of a page for the open file, as stored in sessions and projects.
struct PageState {
    /// Key in `files`: the data of a page that has no use for the open file.
    static constexpr const char* ownData = "data";

    /// Key in `values` of a state of Page::Scope::anyFile.
    static constexpr const char* withoutFile = "without_file";

    nlohmann::json values = nlohmann::json::object();
    /// Files that it reads besides the open one, by role: "FILE" or "FILE::/path". They are named only here,
    /// so that the user can be asked before they are read.
    std::map<std::string, std::string> files = {};
    bool isWithoutFile() const { return values.is_object() && values.contains(withoutFile); }
    bool operator==(const PageState&) const = default;
};

}  // namespace ks::ui
