#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <fmt/format.h>

namespace ks {

/// "12 of 49 values are NaN, the first at element 3"; empty if there are none, or if the type has none.
template <class T>
std::string nan_text(std::span<const T> values) {
    if constexpr (std::is_floating_point_v<T>) {
        std::size_t count = 0, first = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::isnan(values[i]) && count++ == 0) first = i;
        if (count > 0)
            return fmt::format("{} of {} values {} NaN, the first at element {}", count, values.size(),
                               count == 1 ? "is" : "are", first);
    }
    return {};
}

}  // namespace ks
