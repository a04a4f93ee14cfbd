#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/spots/sliding/vector_code.h"

/// Sums over a single window. Each row is one vector, because loops over so few columns would not be
/// vectorised.
namespace ks::spots::rows {

/// `Lanes` values, which the compiler maps to vectors of the processor.
template <class Value, int Lanes>
struct Vector {
    typedef Value Type __attribute__((vector_size(sizeof(Value) * Lanes)));
};

/// Totals of the valid counts of a window.
struct WindowTotals {
    std::uint32_t m = 0, x = 0;
    std::uint64_t y = 0;
};

/// Lanes bytes, widened.
template <int Lanes>
KS_INLINE inline void load_bytes(const std::uint8_t* bytes,
                                 typename Vector<std::uint16_t, Lanes>::Type* out) {
    if constexpr (Lanes == 8) {
        // Half a vector would not be converted in one instruction.
        typename Vector<std::uint8_t, 16>::Type all{}, zero{};
        std::memcpy(&all, bytes, 8);
        all = __builtin_shufflevector(all, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        std::memcpy(out, &all, 16);
    } else {
        typename Vector<std::uint8_t, Lanes>::Type all;
        std::memcpy(&all, bytes, Lanes);
        *out = __builtin_convertvector(all, typename Vector<std::uint16_t, Lanes>::Type);
    }
}

/// The totals of `high` <= 31 rows of Lanes columns, of which only `begin` to `end` - 1 count; all are read.
/// Squares of 16-bit counts are added in halves, whose sums fit 32 bits.
template <int Lanes, class T>
KS_INLINE inline void sum_window(const T* pixels, const std::uint8_t* ignore, std::size_t stride,
                                 std::size_t high, std::size_t begin, std::size_t end, T last,
                                 WindowTotals* out) {
    static_assert(sizeof(T) == 2);
    using Shorts = typename Vector<std::uint16_t, Lanes>::Type;
    using Counts = typename Vector<T, Lanes>::Type;
    using Sums = typename Vector<std::uint32_t, Lanes>::Type;
    Shorts m{};
    Sums x{}, low{}, upper{};
    for (std::size_t row = 0; row < high; ++row) {
        Counts p;
        Shorts skip;
        std::memcpy(&p, pixels + row * stride, sizeof p);
        load_bytes<Lanes>(ignore + row * stride, &skip);
        const Shorts valid = (Shorts)(skip == 0) & (Shorts)(p >= T{0}) & (Shorts)(p <= last);
        const Sums c = __builtin_convertvector((Shorts)p & valid, Sums), square = c * c;
        m -= valid;
        x += c;
        low += square & 0xffff;
        upper += square >> 16;
    }
    std::uint32_t number = 0, sum = 0, lows = 0, uppers = 0;
    for (std::size_t i = begin; i < end; ++i) {
        number += m[i];
        sum += x[i];
        lows += low[i];
        uppers += upper[i];
    }
    *out = {number, sum, (std::uint64_t{uppers} << 16) + lows};
}

}  // namespace ks::spots::rows
