#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/base/array.h"

namespace ks {

/// Negative integers, NaN and infinite values are no counts.
template <class T>
bool is_count(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(value);
    else if constexpr (std::is_signed_v<T>)
        return value >= 0;
    else
        return true;
}

/// Throws ks::Error(run) unless `frame` is of rank 2 and `ignore` is null or has a byte for each of its
/// pixels.
void require_frame(const Array& frame, const std::vector<std::uint8_t>* ignore);

/// The counts of a frame of rank 2 as floats, NaN where a pixel is invalid or ignored. Throws as
/// require_frame.
std::vector<float> valid_counts(const Array& frame, const std::vector<std::uint8_t>* ignore);

}  // namespace ks
