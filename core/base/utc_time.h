#pragma once

#include <cstddef>
#include <ctime>
#include <string>

namespace ks {

/// The current time as "2026-01-31T12:00:00Z".
inline std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, length};
}

}  // namespace ks
