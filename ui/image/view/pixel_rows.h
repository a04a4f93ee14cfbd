#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/array.h"
#include "core/data/valid_pixels.h"

namespace ks::ui {

// Rows of pixels as floats, written so that the compiler vectorises the loops. Invalid pixels (NaN, infinite,
// negative integers, the highest value of 32 bits, ignore[i] != 0) become LevelOfDetail::invalid. `ignore`
// may be null.

template <class T>
bool isValidPixel(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::abs(value) <=
               std::numeric_limits<T>::max();  // false for NaN; isfinite() does not vectorise
    else
        return is_shown_count(value);
}

/// Pixels [from, from + n), times sign.
void readRow(const Array& frame, const std::uint8_t* ignore, std::size_t from, std::size_t n, float sign,
             float* out);
/// The larger of the stored value and the pixel, times sign.
void raiseRow(const Array& frame, const std::uint8_t* ignore, std::size_t from, std::size_t n, float sign,
              float* out);
/// Adds valid pixels to `sums` and their number to `counts`.
void addRow(const Array& frame, const std::uint8_t* ignore, std::size_t from, std::size_t n, float* sums,
            float* counts);

}  // namespace ks::ui
