#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace ks::ui {

/// State of a page for the open file, as stored in sessions and projects.
struct PageState {
    /// Key in `files`: the data of a page that has no use for the open file.
    static constexpr const char* ownData = "data";

    nlohmann::json values = nlohmann::json::object();
    /// Files that it reads besides the open one, by role: "FILE" or "FILE::/path". They are named only here,
    /// so that the user can be asked before they are read.
    std::map<std::string, std::string> files = {};
    bool operator==(const PageState&) const = default;
};

}  // namespace ks::ui
