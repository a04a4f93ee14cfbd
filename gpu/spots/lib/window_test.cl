// The tests of a window, bit for bit those of core/spots/thresholds.h.
//
// Defines: SRC    type of the pixels: uchar, ushort, uint, ulong or float. Signed counts are passed as unsigned ones,
//                 with a LIMIT that excludes the negative ones
//          KIND   0: counts of at most 16 bits; 1: of at most 32; 2: floats
//          KX, KY half-widths of the window; MIN_LOCAL
//          LIMIT  counts of this and more are left out; absent: none. Sums cannot take counts of 2^24 and more, so
//                 those are left out, too, and gpu/spots/lib/large_counts.cl tests them
//          GAIN   1: a gain other than 1
//          INVALID_ERODES  defined: dispersion_extended takes invalid pixels for background (ExtendedRule::older)
//          SOFT   1: without double precision (gpu/spots/lib/soft_double.cl); not for floats
// `table`: bits of doubles sigma_s, gain; the least count that is above the global threshold (floats: bits of that
//          threshold as a double); bits of the float factor of maybe_strong; the count up to which windows are never
//          dispersed; then for m = 0, 1, ..: bits of the double noise(m), with a gain m - 1 + noise(m).

#pragma OPENCL FP_CONTRACT OFF
#ifndef SOFT
#define SOFT 0
#endif
#if SOFT
#include "gpu/spots/lib/soft_double.cl"
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#ifdef INVALID_ERODES
#define INVALID_SET 0
#else
#define INVALID_SET 1  // they count as dispersed, so that they erode nothing
#endif

#define TABLE_NOISE 5
#define WINDOW ((2 * KX + 1) * (2 * KY + 1))

#if KIND == 2
typedef float count_t;
typedef double x_t;
typedef double y_t;
#elif KIND == 1
typedef uint count_t;
typedef ulong x_t;
typedef struct {
    ulong low, high;
} y_t;
#else
typedef uint count_t;
typedef uint x_t;
typedef ulong y_t;
#endif

typedef struct {
    uint m;
    x_t x;
    y_t y;
} sums_t;

static inline sums_t no_sums() {
#if KIND == 1
    const sums_t sums = {0, 0, {0, 0}};
#else
    const sums_t sums = {0, 0, 0};
#endif
    return sums;
}

static inline bool is_valid(const SRC value, const uchar ignored) {
    bool valid = ignored == 0;
#if KIND == 2
    valid = valid && isfinite(value);
#endif
#ifdef LIMIT
    valid = valid && value < LIMIT;
#endif
    return valid;
}

static inline void add_square(y_t* y, const ulong square) {
#if KIND == 1
    y->low += square;
    y->high += y->low < square ? 1 : 0;
#elif KIND == 0
    *y += square;
#endif
}

static inline void add_count(sums_t* sums, const count_t p) {
    ++sums->m;
#if KIND == 2
    sums->x += (double)p;
    sums->y += (double)p * (double)p;
#else
    sums->x += p;
    add_square(&sums->y, (ulong)p * p);
#endif
}

static inline void add_row(sums_t* sums, const sums_t row) {
    sums->m += row.m;
    sums->x += row.x;
#if KIND == 1
    sums->y.high += row.y.high;
    add_square(&sums->y, row.y.low);
#else
    sums->y += row.y;
#endif
}

// Directly from global memory.
static inline void add_window(global const SRC* image, global const uchar* ignore, const uint pitch, sums_t* sums) {
    for (int dy = -KY; dy <= KY; ++dy) {
        global const SRC* values = image + (long)dy * pitch - KX;
        global const uchar* ignored = ignore + (long)dy * pitch - KX;
        sums_t row = no_sums();
#pragma unroll
        for (int i = 0; i <= 2 * KX; ++i)
            if (is_valid(values[i], ignored[i])) add_count(&row, (count_t)values[i]);
        add_row(sums, row);
    }
}

static inline sums_t window_sums(global const SRC* image, global const uchar* ignore, const uint pitch) {
    sums_t sums = no_sums();
    add_window(image, ignore, pitch, &sums);
    return sums;
}

static inline bool over_threshold(const SRC value, global const ulong* table) {
#if KIND == 2
    return (double)value > as_double(table[2]);
#else
    return (ulong)value >= table[2];
#endif
}

#if KIND == 2
static inline bool is_dispersed(const sums_t s, global const ulong* table) {
    const double limit = as_double(table[TABLE_NOISE + s.m]);
    const double spread = s.m * s.y - s.x * s.x;
    if (s.x < 0) return false;
#if GAIN
    return spread > as_double(table[1]) * s.x * limit;
#else
    return spread - s.x * (s.m - 1) > s.x * limit;
#endif
}

static inline bool is_strong(const uint m, const x_t x, const count_t p, global const ulong* table) {
    const double excess = m * (double)p - x;
    return excess > as_double(table[0]) * sqrt(as_double(table[1]) * x * m);
}
#else

// m y - x^2, with GAIN minus x (m - 1), if it is above 0, else 0: only then is a window dispersed.
static inline void positive_excess(const sums_t s, ulong* high, ulong* low) {
#if KIND == 1
    const ulong my_low = s.m * s.y.low, my_high = s.m * s.y.high + mul_hi((ulong)s.m, s.y.low);
    const ulong x2_low = s.x * s.x, x2_high = mul_hi(s.x, s.x);
    ulong l = my_low - x2_low, h = my_high - x2_high - (my_low < x2_low ? 1 : 0);
#if !GAIN
    const ulong less = s.x * (s.m - 1);
    h -= l < less ? 1 : 0;
    l -= less;
#endif
    const bool positive = (long)h >= 0;
    *high = positive ? h : 0;
    *low = positive ? l : 0;
#else
    long excess = (long)(s.m * s.y) - (long)((ulong)s.x * s.x);
#if !GAIN
    excess -= (long)((ulong)s.x * (s.m - 1));
#endif
    *high = 0;
    *low = excess > 0 ? (ulong)excess : 0;
#endif
}

#if SOFT
static inline bool is_dispersed(const sums_t s, global const ulong* table) {
    ulong high, low;
    positive_excess(s, &high, &low);
    if ((high | low) == 0) return false;
    soft x = soft_of(s.x);
#if GAIN
    x = soft_product(soft_of_bits(table[1]), x);
#endif
    const soft limit = soft_product(x, soft_of_bits(table[TABLE_NOISE + s.m]));
    return soft_greater(soft_rounded(high, low, false, 0), limit);
}

static inline bool is_strong(const uint m, const x_t x, const count_t p, global const ulong* table) {
    const ulong mp = (ulong)m * p;
    if (mp <= x) return false;
    const soft gx = soft_product(soft_of_bits(table[1]), soft_of(x));
    const soft root = soft_root(soft_product(gx, soft_of(m)));
    return soft_greater(soft_of(mp - x), soft_product(soft_of_bits(table[0]), root));
}
#else
static inline double double_of(const ulong high, const ulong low) {
    if (high == 0) return (double)low;
    // The top 64 bits, the last of which says whether anything follows: the conversion rounds once.
    const int zeros = (int)clz(high), shift = 64 - zeros;
    const ulong top = high << zeros | low >> shift | (low << zeros != 0 ? 1 : 0);
    return (double)top * as_double((ulong)(1023 + shift) << 52);
}

static inline bool is_dispersed(const sums_t s, global const ulong* table) {
    ulong high, low;
    positive_excess(s, &high, &low);
    const double limit = as_double(table[TABLE_NOISE + s.m]);
#if GAIN
    return double_of(high, low) > as_double(table[1]) * (double)s.x * limit;
#else
    return double_of(high, low) > (double)s.x * limit;
#endif
}

static inline bool is_strong(const uint m, const x_t x, const count_t p, global const ulong* table) {
    const long excess = (long)((ulong)m * p) - (long)x;
    return (double)excess > as_double(table[0]) * sqrt(as_double(table[1]) * (double)x * m);
}
#endif
#endif

// The basic algorithm's test of a valid pixel above the global threshold.
static inline bool is_signal(const sums_t s, const count_t p, global const ulong* table) {
    // the cheaper one first
    return s.m >= MIN_LOCAL && is_dispersed(s, table) && is_strong(s.m, s.x, p, table);
}
