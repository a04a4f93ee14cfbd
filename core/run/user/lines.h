#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace ks {

/// The lines of a text, without line ends; no empty one after the last line end.
inline std::vector<std::string_view> lines_in(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace ks
