// A work-item sums for BLOCKS vectors of LANES neighbouring targets: processors leave loops of scalar
// work-items as they are, explicit vectors fill their units. Exponentials, sines and cosines are polynomials.
//
// NDRange: dimension 0: targets / (LANES * BLOCKS), rounded up to the group. Group WG; no local memory, no
// barriers. Terms of TILE sources are added up first, those sums with compensation.
//
// out: real parts of `total` targets, then imaginary ones; what a launch covers begins with target `first`.

#ifndef WG
#define WG 16
#endif
#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef TILE
#define TILE 128
#endif
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
#include "gpu/particles/polynomial.cl"

#define exp2_minus exp2_minus_polynomial
#define cis_turns cis_turns_polynomial
static inline V inverse_root(const V v) {
    return (V)1 / sqrt(v);
}
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

// sum + lost is the sum; keeps what a float addition drops.
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

static inline void add_counted(V* sum, V* sum_im, VI* found, const V r2, const REAL turns, const REAL weight,
                               const REAL weight_im) {
#if SINGULAR
    *found -= r2 == (V)0;
#endif
    add_term(sum, sum_im, r2, turns, weight, weight_im);
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void vector_sums(
    global const REAL4* sources, global const REAL* weights_im, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    const uint at = get_global_id(0) * (LANES * BLOCKS);
    if (at >= total) return;
    V x[BLOCKS], y[BLOCKS], z[BLOCKS], re[BLOCKS], im[BLOCKS], lost_re[BLOCKS], lost_im[BLOCKS];
    VI found[BLOCKS];
    for (uint b = 0; b < BLOCKS; ++b) {
        re[b] = im[b] = lost_re[b] = lost_im[b] = 0;
        found[b] = 0;
        places_of(places, stride, first + min(at + b * LANES, total - 1), first + total - 1, &x[b], &y[b],
                  &z[b]);
    }
#if PLANES
    // Where all targets lie in one row of a plane, two of three squares are the same for all of them.
    const uint row = (first + at) / stride, plane = row / stride;
    const bool in_row = at + LANES * BLOCKS <= total && (first + at + LANES * BLOCKS - 1) / stride == row;
    const uint along = plane == 0 ? 1 : 2, other = plane == 0 ? 2 : 1;
    REAL row_x, row_y, row_z;
    place_of(places, stride, first + at, &row_x, &row_y, &row_z);
    const REAL row_other = plane == 0 ? row_z : row_y;
    V in_line[BLOCKS];
    for (uint b = 0; b < BLOCKS; ++b) in_line[b] = plane == 0 ? y[b] : z[b];
#endif
    for (uint from = begin; from < end; from += TILE) {
        V sum[BLOCKS], sum_im[BLOCKS];
#pragma unroll
        for (uint b = 0; b < BLOCKS; ++b) sum[b] = sum_im[b] = 0;
        for (uint j = from; j < min(end, from + TILE); ++j) {
            const REAL4 source = sources[j];
#if COMPLEX_WEIGHTS
            const REAL weight_im = weights_im[j];
#else
            const REAL weight_im = 0;
#endif
#if PLANES
            if (in_row) {
                global const REAL* at_source = (global const REAL*)(sources + j);
                const REAL dx = row_x - source.x, d_other = row_other - at_source[other];
                const REAL squares = dx * dx + d_other * d_other, from_along = at_source[along];
#pragma unroll
                for (uint b = 0; b < BLOCKS; ++b) {
                    const V d = in_line[b] - from_along;
                    add_counted(&sum[b], &sum_im[b], &found[b], d * d + squares, turns, source.w, weight_im);
                }
                continue;
            }
#endif
#pragma unroll
            for (uint b = 0; b < BLOCKS; ++b)
                add_counted(&sum[b], &sum_im[b], &found[b],
                            square(x[b] - source.x, y[b] - source.y, z[b] - source.z), turns, source.w,
                            weight_im);
        }
#pragma unroll
        for (uint b = 0; b < BLOCKS; ++b) {
            compensate(&re[b], &lost_re[b], sum[b]);
#if COMPLEX
            compensate(&im[b], &lost_im[b], sum_im[b]);
#endif
        }
    }
    uint coincident = 0;
    for (uint b = 0; b < BLOCKS; ++b) {
        const uint t = at + b * LANES;
        if (t >= total) break;
        store(out + t, total - t, re[b], begin > 0);
#if COMPLEX
        store(out + total + t, total - t, im[b], begin > 0);
#endif
#if SINGULAR
        INT counts[LANES];
        VSTORE(found[b], 0, counts);
        for (uint i = 0; i < min((uint)LANES, total - t); ++i) coincident += (uint)counts[i];
#endif
    }
    count_skipped(skipped, coincident);
}
