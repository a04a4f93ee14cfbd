#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace ks {

/// "1 spot", "342 spots".
/// @param one singular of what is counted; the plural must end in -s
inline std::string count_text(std::uint64_t n, const char* one) {
    return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

}  // namespace ks
