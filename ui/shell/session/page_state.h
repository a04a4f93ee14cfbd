#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace ks::ui {

/// What a page holds that belongs to the open file, as sessions and projects keep it.
struct PageState {
    /// Among the files: the data of a page that has no use for the open file.
    static constexpr const char* ownData = "data";

    nlohmann::json values = nlohmann::json::object();
    /// Files that it reads beside the open one, by what they are to it: "FILE" or "FILE::/path". They stand
    /// here and nowhere else, so that they are asked about before they are read.
    std::map<std::string, std::string> files = {};
    bool operator==(const PageState&) const = default;
};

}  // namespace ks::ui
