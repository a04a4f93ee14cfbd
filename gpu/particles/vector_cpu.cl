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
#include "gpu/particles/vector_lanes.cl"

#if VECTORS > 1 || GRADIENT
#include "gpu/particles/vector_several.cl"
#else

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
#if PLANES || GRID
    // Where all targets lie in one row of a plane or of a cube, two of three squares are the same for all of them.
    const uint row = (first + at) / stride, plane = PLANES ? row / stride : 1;
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
#if PLANES || GRID
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
#endif
