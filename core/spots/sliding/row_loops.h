#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/spots/sliding/vector_code.h"

/// The loops of the sliding sums. All of them process whole blocks of padded rows without branches, so that
/// the compiler vectorises them.
namespace ks::spots::rows {

/// Pixels decided together.
inline constexpr std::size_t block = 128;
/// Replaces larger values in 16-bit counts.
inline constexpr std::uint16_t saturated = 65535;

/// Calls use(std::integral_constant<int, 2 kernel_x + 1>) for kernel_x from 1 to 15.
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

/// One row enters the column sums of counts, capped at `cap`, and one leaves.
template <class Sum>
KS_INLINE inline void slide(Sum* __restrict columns, const std::uint16_t* __restrict enter,
                            const std::uint16_t* __restrict leave, std::size_t n, std::uint16_t cap) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint16_t in = enter[i] < cap ? enter[i] : cap, out = leave[i] < cap ? leave[i] : cap;
        columns[i] = static_cast<Sum>(columns[i] + in - out);
    }
}

/// The number of counts above `bound` per column.
KS_INLINE inline void slide_above(std::uint8_t* __restrict columns, const std::uint16_t* __restrict enter,
                                  const std::uint16_t* __restrict leave, std::size_t n, std::uint16_t bound) {
    for (std::size_t i = 0; i < n; ++i)
        columns[i] = static_cast<std::uint8_t>(columns[i] + (enter[i] > bound) - (leave[i] > bound));
}

/// Sums of W neighbours for a block of pixels; the sum of pixel i begins at columns[i].
template <int W, class Out, class In>
KS_INLINE inline void across(const In* __restrict columns, std::size_t n, Out* __restrict sums) {
    for (std::size_t i = 0; i < n; ++i) {
        Out sum = 0;
#pragma GCC unroll 32
        for (int j = 0; j < W; ++j) sum = static_cast<Out>(sum + columns[i + static_cast<std::size_t>(j)]);
        sums[i] = sum;
    }
}

/// A test of p against the sum x of its window, in floats, passed by at least all strong pixels:
///   e = p count - x, e |e| > spread x, p > above.
/// Strong means m p - x > sigma_s sqrt(g x m). If that is true for m, it is also true for the M >= m pixels
/// of a full window, since p > x/m + sigma_s sqrt(g x/m) falls with m; and if it is true for x, it is true
/// for every smaller x, so counts may be capped in x. With count = M (1 + 2^-20) the rounded e is at least (M
/// p - x)(1 + 2^-21): count, p count and x are rounded by at most 2^-24 M p each (x < M p), which is less
/// than the added 2^-20 M p, and M p - x <= M p. With spread = sigma_s^2 g M (1 - 2^-20) the right side stays
/// below its exact value after three roundings. Counts from 65535 on always pass; x = 0 implies p = 0.
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

/// DispersionTest::dispersed where the sums are exact in double, in the same steps.
struct DispersionBound {
    const double* noise;
    double gain;
    std::uint16_t min_local;
};

KS_INLINE inline bool is_dispersed(double m, double x, double y, double noise, double gain, bool unit_gain) {
    const double spread = m * y - x * x;
    return (x >= 0) & (unit_gain ? spread - x * (m - 1) > x * noise : spread > gain * x * ((m - 1) + noise));
}

/// The result for a window in floats.
enum Verdict : std::uint8_t { not_dispersed = 0, is_sure = 1, near_tie = 2 };

/// DispersionTest::dispersed in floats, for sums below 2^31, which can be converted by a vector instruction:
///   a = m y,  b = x^2 + x limit,  limit = g (m - 1 + noise),  a - b > 0
/// The five roundings on each side are less than 2^-21 (a + b), and those of the definition are negligible
/// in comparison: values farther than 2^-20 (a + b) from a tie are decided. With x = 0 nothing is
/// dispersed or near.
KS_INLINE inline std::int32_t verdict(float m, std::uint32_t sum, std::uint32_t squares, float limit) {
    const auto x = static_cast<float>(static_cast<std::int32_t>(sum)),
               y = static_cast<float>(static_cast<std::int32_t>(squares));
    const float a = m * y, b = x * x + x * limit, over = a - b, slack = (a + b) * 0x1p-20F;
    // What is certain is also near.
    const std::int32_t sure = over > slack ? 1 : 0, near = over > -slack ? 1 : 0;
    return 2 * near - sure;
}

/// The same with a separate m per window.
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

/// Valid values as double, 0 elsewhere, and the validity.
template <class T>
KS_INLINE inline void widen(const T* __restrict pixels, const std::uint8_t* __restrict ignore, std::size_t n,
                            double limit, double* __restrict values, std::uint8_t* __restrict valid) {
    // No finite float exceeds the maximum; both comparisons are false for NaN.
    const double maximum = std::numeric_limits<double>::max();
    const double minimum = std::is_floating_point_v<T> ? -maximum : 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto p = static_cast<double>(pixels[i]);
        const bool ok = (ignore[i] == 0) & (p >= minimum) & (p <= maximum) & (p < limit);
        values[i] = ok ? p : 0;
        valid[i] = ok ? 1 : 0;
    }
}

/// Sums over W neighbours: of values from left to right, in the order of the definition, of their squares,
/// and of bytes.
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

/// Passed by at least all strong pixels: compares the square of e = m p - x, as in the definition, with the
/// square of the right side. The right side has four roundings, and 1e-12 is far more. Undecided where x is
/// 0 or negative.
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

/// Whether any of n values is at least `least`.
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
