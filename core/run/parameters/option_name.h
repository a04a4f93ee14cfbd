#pragma once

#include <algorithm>
#include <string>

namespace ks {

/// The command line's option for a parameter: "first_frame" -> "--first-frame".
inline std::string option_name(const std::string& id) {
    std::string name = "--" + id;
    std::ranges::replace(name, '_', '-');
    return name;
}

}  // namespace ks
