#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/spots/sliding/vector_code.h"

/// The loops of the sliding sums. All of them run over whole blocks of padded rows without a branch, so that
/// they vectorise.
namespace ks::spots::rows {

/// Pixels that are decided together.
inline constexpr std::size_t block = 128;
/// Counts of 16 bits; larger ones are this.
inline constexpr std::uint16_t saturated = 65535;

/// Calls use(std::integral_constant<int, 2 kernel_x + 1>) for a kernel_x of 1 to 15.
template <int K = 1, class Use>
void with_width(int kernel_x, const Use& use) {
    if (kernel_x == K)
        use(std::integral_constant<int, 2 * K + 1>{});
    else if constexpr (K < 15)
        with_width<K + 1>(kernel_x, use);
}

/// Valid counts, 0 elsewhere.
template <class T>
KS_INLINE inline void compact(const T* __restrict pixels, const std::uint8_t* __restrict ignore,
                              std::size_t n, T last, std::uint16_t* __restrict counts) {
    for (std::size_t i = 0; i < n; ++i) {
        const T p = pixels[i];
        const bool valid = (ignore[i] == 0) & (p >= T{0}) & (p <= last);
        if constexpr (sizeof(T) <= 2)
            counts[i] = valid ? static_cast<std::uint16_t>(p) : std::uint16_t{0};
        else
            counts[i] =
                valid ? static_cast<std::uint16_t>(p < T{saturated} ? p : T{saturated}) : std::uint16_t{0};
    }
}

/// 1 where valid.
template <class T>
KS_INLINE inline void validity(const T* __restrict pixels, const std::uint8_t* __restrict ignore,
                               std::size_t n, T last, std::uint8_t* __restrict valid) {
    for (std::size_t i = 0; i < n; ++i)
        valid[i] = static_cast<std::uint8_t>((ignore[i] == 0) & (pixels[i] >= T{0}) & (pixels[i] <= last));
}

/// One row enters the column sums of counts, taken as at most `cap`, and one leaves.
template <class Sum>
KS_INLINE inline void slide(Sum* __restrict columns, const std::uint16_t* __restrict enter,
                            const std::uint16_t* __restrict leave, std::size_t n, std::uint16_t cap) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint16_t in = enter[i] < cap ? enter[i] : cap, out = leave[i] < cap ? leave[i] : cap;
        columns[i] = static_cast<Sum>(columns[i] + in - out);
    }
}

/// How many of a column's counts are above `bound`.
KS_INLINE inline void slide_above(std::uint8_t* __restrict columns, const std::uint16_t* __restrict enter,
                                  const std::uint16_t* __restrict leave, std::size_t n, std::uint16_t bound) {
    for (std::size_t i = 0; i < n; ++i)
        columns[i] = static_cast<std::uint8_t>(columns[i] + (enter[i] > bound) - (leave[i] > bound));
}

/// Sums of W neighbours for a block of pixels; pixel i begins at columns[i].
template <int W, class Out, class In>
KS_INLINE inline void across(const In* __restrict columns, std::size_t n, Out* __restrict sums) {
    for (std::size_t i = 0; i < n; ++i) {
        Out sum = 0;
#pragma GCC unroll 32
        for (int j = 0; j < W; ++j) sum = static_cast<Out>(sum + columns[i + static_cast<std::size_t>(j)]);
        sums[i] = sum;
    }
}

/// A test of p against the sum x of its window, in floats, that lets pass at least what is strong:
///   e = p count - x, e |e| > spread x, p > above.
/// Strong is m p - x > sigma_s sqrt(g x m). Where that holds for m it holds for the M >= m pixels of a full
/// window, as p > x/m + sigma_s sqrt(g x/m) falls with m; and where it holds for x it holds for every smaller
/// x, so counts may be capped in x. With count = M (1 + 2^-20) the rounded e is at least (M p - x)(1 +
/// 2^-21): count, p count and x are rounded by 2^-24 M p each at most (x < M p), which is less than the 2^-20
/// M p that are added, and M p - x <= M p. With spread = sigma_s^2 g M (1 - 2^-20) the right side stays below
/// its own value after three roundings. Counts from 65535 on always pass; x = 0 means p = 0.
struct StrongBound {
    float count, spread;
    std::uint16_t above;
};

template <class Sum>
KS_INLINE inline void may_be_strong(const std::uint16_t* __restrict p, const Sum* __restrict x,
                                    StrongBound bound, std::uint8_t* __restrict flags) {
    for (std::size_t i = 0; i < block; ++i) {
        const auto sum = static_cast<float>(static_cast<std::int32_t>(x[i]));
        const float e = static_cast<float>(static_cast<std::int32_t>(p[i])) * bound.count - sum;
        const std::int32_t strong = e * std::fabs(e) > bound.spread * sum ? 1 : 0;
        flags[i] = static_cast<std::uint8_t>((strong | (p[i] == saturated)) & (p[i] > bound.above));
    }
}

/// DispersionTest::dispersed where the sums are exact in double, by the same steps.
struct DispersionBound {
    const double* noise;
    double gain;
    std::uint16_t min_local;
};

KS_INLINE inline bool is_dispersed(double m, double x, double y, double noise, double gain, bool unit_gain) {
    const double spread = m * y - x * x;
    return (x >= 0) & (unit_gain ? spread - x * (m - 1) > x * noise : spread > gain * x * ((m - 1) + noise));
}

/// What floats say of a window.
enum Verdict : std::uint8_t { not_dispersed = 0, is_sure = 1, near_tie = 2 };

/// DispersionTest::dispersed in floats, of sums below 2^31, which have a vector instruction:
///   a = m y,  b = x^2 + x limit,  limit = g (m - 1 + noise),  a - b > 0
/// The five roundings of either side are less than 2^-21 (a + b), and the definition's nothing to that: what
/// is farther than 2^-20 (a + b) from a tie is decided. With x = 0 nothing is dispersed nor near.
KS_INLINE inline std::int32_t verdict(float m, std::uint32_t sum, std::uint32_t squares, float limit) {
    const auto x = static_cast<float>(static_cast<std::int32_t>(sum)),
               y = static_cast<float>(static_cast<std::int32_t>(squares));
    const float a = m * y, b = x * x + x * limit, over = a - b, slack = (a + b) * 0x1p-20F;
    // What is sure is near as well.
    const std::int32_t sure = over > slack ? 1 : 0, near = over > -slack ? 1 : 0;
    return 2 * near - sure;
}

/// Each window has its own m.
KS_INLINE inline void dispersed(const double* __restrict x, const double* __restrict y,
                                const std::uint16_t* __restrict m, DispersionBound bound,
                                std::uint8_t* __restrict flags) {
    const double gain = bound.gain;
    const bool unit = gain == 1;
    for (std::size_t i = 0; i < block; ++i) {
        const bool over = is_dispersed(m[i], x[i], y[i], bound.noise[m[i]], gain, unit);
        flags[i] = static_cast<std::uint8_t>(over & (m[i] >= bound.min_local));
    }
}

/// Valid values as double, 0 elsewhere, and what is valid.
template <class T>
KS_INLINE inline void widen(const T* __restrict pixels, const std::uint8_t* __restrict ignore, std::size_t n,
                            double limit, double* __restrict values, std::uint8_t* __restrict valid) {
    // No finite float is above its largest; both comparisons are false for NaN.
    const double maximum = std::numeric_limits<double>::max();
    const double minimum = std::is_floating_point_v<T> ? -maximum : 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto p = static_cast<double>(pixels[i]);
        const bool ok = (ignore[i] == 0) & (p >= minimum) & (p <= maximum) & (p < limit);
        values[i] = ok ? p : 0;
        valid[i] = ok ? 1 : 0;
    }
}

/// Sums of W neighbours: of values from left to right, as the definition takes them, of their squares, of
/// bytes.
template <int W>
KS_INLINE inline void across_real(const double* __restrict values, std::size_t n, double* __restrict x,
                                  double* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0, squares = 0;
#pragma GCC unroll 32
        for (int j = 0; j < W; ++j) {
            const double p = values[i + static_cast<std::size_t>(j)];
            sum += p;
            squares += p * p;
        }
        x[i] = sum;
        y[i] = squares;
    }
}

/// Lets pass at least what is strong: e = m p - x as the definition takes it, its square against the square
/// of the right side. The right side has four roundings, 1e-12 is far more. Where x is negative or 0 it
/// decides nothing.
KS_INLINE inline void may_be_strong_real(const double* __restrict p, const double* __restrict x,
                                         const std::uint16_t* __restrict m, double spread,
                                         std::uint8_t* __restrict flags) {
    for (std::size_t i = 0; i < block; ++i) {
        const double count = m[i], e = count * p[i] - x[i];
        const bool weak = e * e <= spread * (1 - 1e-12) * x[i] * count;
        flags[i] = static_cast<std::uint8_t>((e > 0) & !weak);
    }
}

template <class Value, class Sum>
KS_INLINE inline void accumulate(const Value* __restrict row, Sum* __restrict sums) {
    for (std::size_t i = 0; i < block; ++i) sums[i] = static_cast<Sum>(sums[i] + row[i]);
}

/// Whether any of n values is `least` or more.
template <class T>
inline bool any_from(const T* values, std::size_t n, T least) {
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) any |= values[i] >= least;
    return any;
}

/// Whether any of n bytes is not 0.
inline bool any_of(const std::uint8_t* bytes, std::size_t n) {
    std::uint64_t all = 0, eight;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        std::memcpy(&eight, bytes + i, 8);
        all |= eight;
    }
    for (; i < n; ++i) all |= bytes[i];
    return all != 0;
}

/// Whether any of n bytes is not 0; reads up to 7 more.
inline bool any(const std::uint8_t* bytes, std::size_t n) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < n; i += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + i, 8);
        all |= eight;
    }
    return all != 0;
}

}  // namespace ks::spots::rows
