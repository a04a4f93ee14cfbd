#pragma once

#include <cstdint>
#include <type_traits>

/// Elementary functions from a few multiplications and additions without branches, for vectorised loops. The
/// coefficients are from tools/polynomials.py.
namespace ks::particles {

#define KS_INLINE inline __attribute__((always_inline))

template <class T>
using BitsOf = std::conditional_t<std::is_same_v<T, float>, std::int32_t, std::int64_t>;

template <class T>
KS_INLINE BitsOf<T> bits_of(T value) {
    return __builtin_bit_cast(BitsOf<T>, value);
}
template <class T>
KS_INLINE T from_bits(BitsOf<T> bits) {
    return __builtin_bit_cast(T, bits);
}

/// Adding this leaves the nearest integer in the lowest bits of the significand.
template <class T>
constexpr T rounder = std::is_same_v<T, float> ? static_cast<T>(0x1.8p23) : static_cast<T>(0x1.8p52);

/// 2^-v for v >= 0: a power of 2 with the nearest integer as its exponent, which is put directly into the
/// exponent bits, times a polynomial in the remainder. Float: degree 5 with minimax relative error, 7.5e-8.
/// Double: Taylor series to degree 12, 2e-16. Results of 2^-122 (double: 2^-1018) and less are 0, because
/// sums of such terms would be subnormal, which is slow.
template <class T>
KS_INLINE T exp2_minus(T v) {
    constexpr bool single = std::is_same_v<T, float>;
    constexpr T nothing_from = single ? 122 : 1018;
    const T shifted = rounder<T> - v;
    const T x = (rounder<T> - shifted) - v;  // -v - n, from -1/2 to 1/2
    T p;
    if constexpr (single) {
        p = 0.0013276472f;
        p = p * x + 0.00967554133f;
        p = p * x + 0.0555071327f;
        p = p * x + 0.240221197f;
        p = p * x + 0.693146967f;
        p = p * x + 1.00000007f;
    } else {
        p = 2.5678435993488196e-11;
        p = p * x + 4.4455382718708101e-10;
        p = p * x + 7.0549116208011209e-09;
        p = p * x + 1.0178086009239696e-07;
        p = p * x + 1.3215486790144305e-06;
        p = p * x + 1.5252733804059838e-05;
        p = p * x + 0.00015403530393381606;
        p = p * x + 0.0013333558146428441;
        p = p * x + 0.0096181291076284769;
        p = p * x + 0.055504108664821576;
        p = p * x + 0.24022650695910069;
        p = p * x + 0.69314718055994529;
        p = p * x + 1.0;
    }
    using Unsigned = std::make_unsigned_t<BitsOf<T>>;
    constexpr int significand = single ? 23 : 52;
    const auto exponent = static_cast<Unsigned>(bits_of(shifted)) << significand;
    const T power = from_bits<T>(static_cast<BitsOf<T>>(static_cast<Unsigned>(bits_of(p)) + exponent));
    return v < nothing_from ? power : T(0);
}

/// cos(2 pi v) and sin(2 pi v): polynomials of the remainder after the nearest quarter turn (float: minimax
/// error 3e-8; double: Taylor series, 1e-16), swapped and signed according to the quarter.
template <class T>
KS_INLINE void cis_turns(T v, T& cosine, T& sine) {
    const T shifted = 4 * v + rounder<T>;
    const BitsOf<T> quarter = bits_of(shifted);
    const T x = v - (shifted - rounder<T>)*T(0.25), x2 = x * x;
    T c, s;
    if constexpr (std::is_same_v<T, float>) {
        s = -75.4020679f;
        s = s * x2 + 81.5925535f;
        s = s * x2 - 41.3416626f;
        s = (s * x2 + 6.28318529f) * x;
        c = -83.592612f;
        c = c * x2 + 64.9212529f;
        c = c * x2 - 19.7391522f;
        c = c * x2 + 0.999999972f;
    } else {
        s = -0.71812230177850012;
        s = s * x2 + 3.8199525848482803;
        s = s * x2 - 15.094642576822984;
        s = s * x2 + 42.058693944897634;
        s = s * x2 - 76.705859753061361;
        s = s * x2 + 81.605249276075043;
        s = s * x2 - 41.341702240399755;
        s = (s * x2 + 6.2831853071795862) * x;
        c = 0.28200596845579101;
        c = c * x2 - 1.7143907110886711;
        c = c * x2 + 7.9035363713184648;
        c = c * x2 - 26.426256783374388;
        c = c * x2 + 60.244641371876639;
        c = c * x2 - 85.456817206693714;
        c = c * x2 + 64.939394022668282;
        c = c * x2 - 19.739208802178716;
        c = c * x2 + 1.0;
    }
    const bool odd = (quarter & 1) != 0;
    const T even_c = odd ? s : c, even_s = odd ? c : s;
    cosine = ((quarter + 1) & 2) != 0 ? -even_c : even_c;
    sine = (quarter & 2) != 0 ? -even_s : even_s;
}

}  // namespace ks::particles
