// A work-item sums for ITEMS targets, WG apart; its group loads TILE sources at a time into local memory.
// Terms of a tile are added up first, tile sums with compensation (Kahan), so that many sources cost no
// precision.
//
// NDRange: dimension 0: targets / ITEMS, rounded up to the group. Group WG. Local memory: TILE sources.
//   POLYNOMIAL  of the ITEMS exponentials of a source, how many are polynomials and not the device's function
//   MIXED       1: every term is added with compensation; 2: in double
//
// out: real parts of `total` targets, then imaginary ones; what a launch covers begins with target `first`.

#ifndef WG
#define WG 128
#endif
#ifndef TILE
#define TILE 128
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef POLYNOMIAL
#define POLYNOMIAL 0
#endif
#ifndef MIXED
#define MIXED 0
#endif
#if MIXED == 2
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SUM double
#else
#define SUM REAL
#endif
#include "gpu/particles/device_functions.cl"
#include "gpu/particles/pair.cl"
#include "gpu/particles/polynomial.cl"
#include "gpu/particles/targets.cl"

// sum + lost is the sum; keeps what a float addition drops.
static inline void compensate(REAL* sum, REAL* lost, const REAL term) {
    const REAL corrected = term + *lost;
    const REAL next = *sum + corrected;
    *lost = corrected - (next - *sum);
    *sum = next;
}

#if VECTORS > 1 || GRADIENT
#include "gpu/particles/tile_several.cl"
#else

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tiled_sums(
    global const REAL4* sources, global const REAL* weights_im, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    local REAL4 tile[TILE];
#if COMPLEX_WEIGHTS
    local REAL tile_im[TILE];
#endif
    const uint item = get_local_id(0);
    const uint at = (get_global_id(0) - item) * ITEMS + item;
    REAL x[ITEMS], y[ITEMS], z[ITEMS], lost_re[ITEMS], lost_im[ITEMS];
    SUM re[ITEMS], im[ITEMS];
    uint found = 0;
    for (uint i = 0; i < ITEMS; ++i) {
        re[i] = im[i] = 0;
        lost_re[i] = lost_im[i] = 0;
        place_of(places, stride, first + min(at + i * WG, total - 1), &x[i], &y[i], &z[i]);
    }
    for (uint from = begin; from < end; from += TILE) {
        const uint count = min((uint)TILE, end - from);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = item; j < count; j += WG) {
            tile[j] = sources[from + j];
#if COMPLEX_WEIGHTS
            tile_im[j] = weights_im[from + j];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL tile_sum[ITEMS], tile_sum_im[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) tile_sum[i] = tile_sum_im[i] = 0;
        for (uint j = 0; j < count; ++j) {
            const REAL4 source = tile[j];
#if COMPLEX_WEIGHTS
            const REAL weight_im = tile_im[j];
#else
            const REAL weight_im = 0;
#endif
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const REAL r2 = square(x[i] - source.x, y[i] - source.y, z[i] - source.z);
#if SINGULAR
                found += r2 == 0 && at + i * WG < total ? 1 : 0;
#endif
#if MIXED
                REAL own_re = 0, own_im = 0;
                add_term(&own_re, &own_im, r2, turns, source.w, weight_im);
#if MIXED == 2
                re[i] += own_re;
                im[i] += own_im;
#else
                compensate(&re[i], &lost_re[i], own_re);
#if COMPLEX
                compensate(&im[i], &lost_im[i], own_im);
#endif
#endif
#elif KERNEL == 0 && POLYNOMIAL > 0
                const REAL g = i < POLYNOMIAL ? exp2_minus_polynomial(r2) : exp2_minus(r2);
                tile_sum[i] += g * source.w;
                tile_sum_im[i] += g * weight_im;
#else
                add_term(&tile_sum[i], &tile_sum_im[i], r2, turns, source.w, weight_im);
#endif
            }
        }
#if !MIXED
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            compensate(&re[i], &lost_re[i], tile_sum[i]);
#if COMPLEX
            compensate(&im[i], &lost_im[i], tile_sum_im[i]);
#endif
        }
#endif
    }
    for (uint i = 0; i < ITEMS; ++i) {
        const uint t = at + i * WG;
        if (t >= total) break;
        out[t] = begin == 0 ? (REAL)re[i] : (REAL)(out[t] + re[i]);
#if COMPLEX
        out[total + t] = begin == 0 ? (REAL)im[i] : (REAL)(out[total + t] + im[i]);
#endif
    }
    count_skipped(skipped, found);
}
#endif
