#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/spots/sliding/row_loops.h"

/// Loops that compute column sums from scratch for a set of rows. The loops in row_loops.h slide instead.
namespace ks::spots::rows {

/// Columns per vector.
inline constexpr std::size_t lanes = 16;

/// Sum, sum of squares, number and maximum of the valid counts of a column.
struct ColumnSums {
    std::uint32_t *x, *y;
    std::uint16_t *m, *maximum;
};

/// Adds the sums of Rows rows. Counts are capped at `cap`, so that Rows of them fit 16 bits.
template <int Rows, class T>
KS_INLINE inline void sum_rows(const T* __restrict pixels, const std::uint8_t* __restrict ignore,
                               std::size_t stride, std::size_t n, T last, std::uint16_t cap, ColumnSums out) {
    std::uint32_t* const __restrict x = out.x, * const __restrict y = out.y;
    std::uint16_t* const __restrict m = out.m, * const __restrict maximum = out.maximum;
    const T bound = cap < std::numeric_limits<T>::max() ? static_cast<T>(cap) : std::numeric_limits<T>::max();
    for (std::size_t i = 0; i < n; ++i) {
        std::uint16_t sum = 0, number = 0, top = 0;
        std::uint32_t squares = 0;
#pragma GCC unroll 4
        for (std::size_t row = 0; row < Rows; ++row) {
            const T p = pixels[i + row * stride];
            const bool valid = (ignore[i + row * stride] == 0) & (p >= T{0}) & (p <= last);
            const T capped = p < bound ? p : bound;
            const auto c = static_cast<std::uint16_t>(valid ? capped : T{0});
            sum = static_cast<std::uint16_t>(sum + c);
            squares += std::uint32_t{c} * c;
            number = static_cast<std::uint16_t>(number + (valid ? 1 : 0));
            top = top < c ? c : top;
        }
        x[i] += sum;
        y[i] += squares;
        m[i] = static_cast<std::uint16_t>(m[i] + number);
        maximum[i] = maximum[i] > top ? maximum[i] : top;
    }
}

/// verdict() for n windows, W columns wide, with m valid pixels each; window i begins at column i.
template <int W>
KS_INLINE inline void verdicts_across(const std::uint32_t* __restrict x, const std::uint32_t* __restrict y,
                                      std::size_t n, float m, float limit, std::uint8_t* __restrict flags) {
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t sum = 0, squares = 0;
#pragma GCC unroll 32
        for (std::size_t j = 0; j < W; ++j) {
            sum += x[i + j];
            squares += y[i + j];
        }
        flags[i] = static_cast<std::uint8_t>(verdict(m, sum, squares, limit));
    }
}

/// The same with a separate m per window; `limits` by m.
template <int W>
KS_INLINE inline void verdicts_across(const std::uint32_t* __restrict x, const std::uint32_t* __restrict y,
                                      const std::uint16_t* __restrict m, std::size_t n,
                                      const float* __restrict limits, std::uint16_t min_local,
                                      std::uint8_t* __restrict flags) {
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t sum = 0, squares = 0, number = 0;
#pragma GCC unroll 32
        for (std::size_t j = 0; j < W; ++j) {
            sum += x[i + j];
            squares += y[i + j];
            number += m[i + j];
        }
        const std::int32_t flag =
            verdict(static_cast<float>(static_cast<std::int32_t>(number)), sum, squares, limits[number]);
        flags[i] = static_cast<std::uint8_t>(number >= min_local ? flag : 0);
    }
}

/// Adds a row of the background to the column sums: valid counts where the byte of `kept` is 0.
template <class T>
KS_INLINE inline void add_background(const T* __restrict pixels, const std::uint8_t* __restrict ignore,
                                     const std::uint8_t* __restrict kept, std::size_t n, T last,
                                     std::uint32_t* __restrict x, std::uint16_t* __restrict m) {
    for (std::size_t i = 0; i < n; ++i) {
        const T p = pixels[i];
        const bool use = (ignore[i] == 0) & (kept[i] == 0) & (p >= T{0}) & (p <= last);
        x[i] += use ? static_cast<std::uint32_t>(p) : 0;
        m[i] = static_cast<std::uint16_t>(m[i] + (use ? 1 : 0));
    }
}

/// Sets those of n windows, `wide` columns wide, that have a column above `bound`, to 1.
KS_INLINE inline void above_across(const std::uint16_t* __restrict maximum, std::size_t n, std::size_t wide,
                                   std::uint16_t bound, std::uint8_t* __restrict above) {
    for (std::size_t j = 0; j < wide; ++j)
        for (std::size_t i = 0; i < n; ++i)
            above[i] = static_cast<std::uint8_t>(above[i] | (maximum[i + j] > bound));
}

inline bool any_above(const std::uint16_t* values, std::size_t n, std::uint16_t bound) {
    std::uint16_t top = 0;
    for (std::size_t i = 0; i < n; ++i) top = top < values[i] ? values[i] : top;
    return top > bound;
}

inline bool all_are(const std::uint16_t* values, std::size_t n, std::uint16_t value) {
    std::uint16_t differs = 0;
    for (std::size_t i = 0; i < n; ++i) differs = static_cast<std::uint16_t>(differs | (values[i] ^ value));
    return differs == 0;
}

}  // namespace ks::spots::rows
