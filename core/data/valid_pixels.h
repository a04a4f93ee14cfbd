#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/array.h"

namespace ks {

/// Negative integers, NaN and infinite values are not counts.
template <class T>
bool is_count(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(value);
    else if constexpr (std::is_signed_v<T>)
        return value >= 0;
    else
        return true;
}

/// For display, not for computation: the maximum of 32-bit types is not a count either; detectors write it
/// into gaps and dead pixels.
template <class T>
bool is_shown_count(T value) {
    if constexpr (std::is_same_v<T, std::uint32_t>) return value != std::numeric_limits<T>::max();
    return is_count(value);
}

/// The lowest of the values that detectors write into pixels without a count. With 8 bits this is the
/// maximum; with 16 and 32 bits detectors write the two highest values (for a missing and for a bad pixel).
/// Runs treat these values as counts unless a mask or a saturation excludes them. Nothing for signed types
/// and for 64 bits.
std::optional<double> lowest_without_count(ElementType type);

/// Throws ks::Error(run) unless `frame` has rank 2 and `ignore` is null or has one byte per pixel.
void require_frame(const Array& frame, const std::vector<std::uint8_t>* ignore);

/// The counts of a rank-2 frame as floats, NaN where a pixel is ignored or not shown as a count.
/// Throws like require_frame.
std::vector<float> valid_counts(const Array& frame, const std::vector<std::uint8_t>* ignore);

}  // namespace ks
