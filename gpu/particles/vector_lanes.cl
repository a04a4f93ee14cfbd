// Offers vectors of neighbouring targets: their type V, the functions required by pair.cl, coordinates, and
// sums with compensation.

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define LANES 8
#define V double8
#define VI long8
#define AS_V as_double8
#define AS_VI as_long8
#define VLOAD vload8
#define VSTORE vstore8
#else
#define LANES 16
#define V float16
#define VI int16
#define AS_V as_float16
#define AS_VI as_int16
#define VLOAD vload16
#define VSTORE vstore16
#endif
#include "gpu/runtime/polynomial.cl"

#define exp2_minus exp2_minus_polynomial
#define cis_turns cis_turns_polynomial
// FAST_ROOTS 1: the CPU estimates reciprocal square roots (AVX-512: 14 bits, also for subnormal numbers), and
// Newton steps refine them to the accuracy of a division and a square root, which take several times as long.
#ifdef __AVX512F__
#ifdef DOUBLES
#define ESTIMATE(v) __builtin_ia32_rsqrt14pd512_mask(v, (V)0, (uchar)0xff)
#else
#define ESTIMATE(v) __builtin_ia32_rsqrt14ps512_mask(v, (V)0, (ushort)0xffff)
#endif
#define FAST_ROOTS 1
// 2 / sqrt(v); NaN at v = 0.
static inline V twice_inverse_root(const V v) {
    V y = ESTIMATE(v);
#ifdef DOUBLES
    y *= (REAL)1.5 - (REAL)0.5 * v * y * y;
#endif
    return y * ((V)3 - v * y * y);
}
static inline V inverse_root(const V v) {
    return (REAL)0.5 * twice_inverse_root(v);
}
#else
#define FAST_ROOTS 0
static inline V inverse_root(const V v) {
    return (V)1 / sqrt(v);
}
#endif
#include "gpu/particles/pair.cl"
#include "gpu/particles/targets.cl"

// Coordinates of LANES targets from t on, the last of all targets repeated.
static inline void places_of(global const REAL* places, const uint stride, const uint t, const uint last,
                             V* x, V* y, V* z) {
#if PLANES
    const uint row = t / stride, second = t - row * stride;
    if (second + LANES <= stride && t + LANES - 1 <= last) {
        const uint plane = row / stride, i = row - plane * stride;
        global const REAL* fixed = places + 3 * stride;
        *x = plane == 2 ? fixed[0] : places[i];
        *y = plane == 0   ? VLOAD(0, places + stride + second)
             : plane == 1 ? (V)fixed[1]
                          : (V)places[stride + i];
        *z = plane == 0 ? (V)fixed[2] : VLOAD(0, places + 2 * stride + second);
        return;
    }
#elif GRID
    const uint row = t / stride, second = t - row * stride;
    if (second + LANES <= stride && t + LANES - 1 <= last) {
        const uint i = row / stride;
        *x = places[i];
        *y = places[stride + row - i * stride];
        *z = VLOAD(0, places + 2 * stride + second);
        return;
    }
#else
    if (t + LANES - 1 <= last) {
        *x = VLOAD(0, places + t);
        *y = VLOAD(0, places + stride + t);
        *z = VLOAD(0, places + 2 * stride + t);
        return;
    }
#endif
    REAL xs[LANES], ys[LANES], zs[LANES];
    for (uint i = 0; i < LANES; ++i) place_of(places, stride, min(t + i, last), &xs[i], &ys[i], &zs[i]);
    *x = VLOAD(0, xs);
    *y = VLOAD(0, ys);
    *z = VLOAD(0, zs);
}

// sum + lost is the sum; keeps the part a float addition loses.
static inline void compensate(V* sum, V* lost, const V term) {
    const V corrected = term + *lost;
    const V next = *sum + corrected;
    *lost = corrected - (next - *sum);
    *sum = next;
}

static inline void store(global REAL* out, const uint count, const V sum, const bool more) {
    if (count >= LANES) {
        VSTORE(more ? VLOAD(0, out) + sum : sum, 0, out);
        return;
    }
    REAL lanes[LANES];
    VSTORE(sum, 0, lanes);
    for (uint i = 0; i < count; ++i) out[i] = more ? out[i] + lanes[i] : lanes[i];
}
