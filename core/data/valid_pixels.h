#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
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

/// For what is looked at, not computed with: the highest value of 32 bits is what detectors write into gaps
/// and dead pixels, and no count either.
template <class T>
bool is_shown_count(T value) {
    if constexpr (std::is_same_v<T, std::uint32_t>) return value != std::numeric_limits<T>::max();
    return is_count(value);
}

/// The lowest of the values that detectors write into pixels without a count: the highest one of 8 bits, of
/// 16 and 32 bits the two highest (no pixel, and a bad one). Runs take them for counts unless a mask or a
/// saturation leaves them out. Nothing for types with a sign and of 64 bits.
std::optional<double> lowest_without_count(ElementType type);

/// Throws ks::Error(run) unless `frame` is of rank 2 and `ignore` is null or has a byte for each of its
/// pixels.
void require_frame(const Array& frame, const std::vector<std::uint8_t>* ignore);

/// The counts of a frame of rank 2 as floats, NaN where a pixel is no shown count or ignored. Throws as
/// require_frame.
std::vector<float> valid_counts(const Array& frame, const std::vector<std::uint8_t>* ignore);

}  // namespace ks
