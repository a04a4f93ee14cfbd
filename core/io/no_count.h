#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/element_type.h"

namespace ks::io {

/// What a pixel holds for which a file has no count: NaN, -1, or the maximum of an unsigned type; for 64 bits
/// that of 32 bits, as which such counts are read.
template <class T>
constexpr T no_count() {
    if constexpr (std::is_floating_point_v<T>)
        return std::numeric_limits<T>::quiet_NaN();
    else if constexpr (std::is_signed_v<T>)
        return T{-1};
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return std::numeric_limits<std::uint32_t>::max();
    else
        return std::numeric_limits<T>::max();
}

/// The same of an element type.
inline double no_count(ElementType type) {
    return visit_element(type, []<class T>(T) { return static_cast<double>(no_count<T>()); });
}

}  // namespace ks::io
