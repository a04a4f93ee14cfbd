#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "core/base/progress.h"

namespace ks {

struct NanCount {
    std::size_t count = 0, first = 0;  ///< first: position of the first one; 0 if there are none
};

/// Throws ks::Error(cancelled) if a stop is requested.
template <class T>
NanCount count_nan(std::span<const T> values, const Progress& progress) {
    NanCount found;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % (std::size_t{1} << 20) == 0) progress.check();
        if (std::isnan(values[i]) && found.count++ == 0) found.first = i;
    }
    return found;
}

/// "12 of 49 values are NaN, the first at element 3"; empty if there are none, or if the type has none.
/// Throws ks::Error(cancelled) if a stop is requested.
template <class T>
std::string nan_text(std::span<const T> values, const Progress& progress) {
    if constexpr (std::is_floating_point_v<T>)
        if (const auto [count, first] = count_nan(values, progress); count > 0)
            return fmt::format("{} of {} values {} NaN, the first at element {}", count, values.size(),
                               count == 1 ? "is" : "are", first);
    return {};
}

}  // namespace ks
