// A work-item sums for BLOCKS vectors of LANES neighbouring targets: CPU compilers do not vectorise loops
// over scalar work-items; explicit vectors fill the units. Exponentials, sines and cosines are polynomials.
//
// NDRange: dimension 0: targets / (LANES * BLOCKS), rounded up to the group. Group WG; no local memory, no
// barriers. The terms of TILE sources are added up first, and those sums with compensation.
//
// out: real parts of `total` targets, then imaginary ones; the range of a launch begins with target `first`.

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

// Adds the term of a pair to sums. With `apart`, which needs FAST_ROOTS, r2 should not be 0: sums are then
// NaN, and the real and imaginary ones of KERNEL 1 are twice as large.
static inline void add_pair(V* sum, V* sum_im, VI* found, const V r2, const REAL turns, const REAL weight,
                            const REAL weight_im, const bool apart) {
#if SINGULAR && FAST_ROOTS
    if (apart) {
#if KERNEL == 1
        add_weighted(sum, sum_im, twice_inverse_root(r2), (V)0, weight, weight_im);
#else
        const V inverse = inverse_root(r2);
        V c, s;
        cis_turns(r2 * inverse * turns, &c, &s);
        add_weighted(sum, sum_im, c * inverse, s * inverse, weight, weight_im);
#endif
        return;
    }
#endif
#if SINGULAR
    *found -= r2 == (V)0;
#endif
    add_term(sum, sum_im, r2, turns, weight, weight_im);
}

// The targets of a work-item.
typedef struct {
    V x[BLOCKS], y[BLOCKS], z[BLOCKS];
#if PLANES || GRID
    // If all of them are in one row of a plane or of a cube, two of three squares are the same for all.
    bool in_row;
    uint along, other;
    REAL row_x, row_other;
    V in_line[BLOCKS];
#endif
} Targets;

// Sums of the terms of sources `from` to `to`.
static inline void sum_tile(V* sum, V* sum_im, VI* found, const Targets* at, global const REAL4* sources,
                            global const REAL* weights_im, const uint from, const uint to, const REAL turns,
                            const bool apart) {
#pragma unroll
    for (uint b = 0; b < BLOCKS; ++b) sum[b] = sum_im[b] = 0;
    for (uint j = from; j < to; ++j) {
        const REAL4 source = sources[j];
#if COMPLEX_WEIGHTS
        const REAL weight_im = weights_im[j];
#else
        const REAL weight_im = 0;
#endif
#if PLANES || GRID
        if (at->in_row) {
            global const REAL* at_source = (global const REAL*)(sources + j);
            const REAL dx = at->row_x - source.x, d_other = at->row_other - at_source[at->other];
            const REAL squares = dx * dx + d_other * d_other, from_along = at_source[at->along];
#pragma unroll
            for (uint b = 0; b < BLOCKS; ++b) {
                const V d = at->in_line[b] - from_along;
                add_pair(&sum[b], &sum_im[b], &found[b], d * d + squares, turns, source.w, weight_im, apart);
            }
            continue;
        }
#endif
#pragma unroll
        for (uint b = 0; b < BLOCKS; ++b)
            add_pair(&sum[b], &sum_im[b], &found[b],
                     square(at->x[b] - source.x, at->y[b] - source.y, at->z[b] - source.z), turns, source.w,
                     weight_im, apart);
    }
}

// Sums of a tile as if no source were at the position of a target; false if one is.
static inline bool sum_tile_apart(V* sum, V* sum_im, VI* found, const Targets* at,
                                  global const REAL4* sources, global const REAL* weights_im, const uint from,
                                  const uint to, const REAL turns) {
#if SINGULAR && FAST_ROOTS
    sum_tile(sum, sum_im, found, at, sources, weights_im, from, to, turns, true);
    VI finite = (VI)-1;
#pragma unroll
    for (uint b = 0; b < BLOCKS; ++b) {
#if KERNEL == 1
        sum[b] *= (REAL)0.5;
        sum_im[b] *= (REAL)0.5;
#endif
        finite &= isfinite(sum[b]);
    }
    return all(finite);
#else
    return false;
#endif
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void vector_sums(
    global const REAL4* sources, global const REAL* weights_im, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    const uint at = get_global_id(0) * (LANES * BLOCKS);
    if (at >= total) return;
    Targets place;
    V re[BLOCKS], im[BLOCKS], lost_re[BLOCKS], lost_im[BLOCKS];
    VI found[BLOCKS];
    for (uint b = 0; b < BLOCKS; ++b) {
        re[b] = im[b] = lost_re[b] = lost_im[b] = 0;
        found[b] = 0;
        places_of(places, stride, first + min(at + b * LANES, total - 1), first + total - 1, &place.x[b],
                  &place.y[b], &place.z[b]);
    }
#if PLANES || GRID
    const uint row = (first + at) / stride, plane = PLANES ? row / stride : 1;
    place.in_row = at + LANES * BLOCKS <= total && (first + at + LANES * BLOCKS - 1) / stride == row;
    place.along = plane == 0 ? 1 : 2;
    place.other = plane == 0 ? 2 : 1;
    REAL row_y, row_z;
    place_of(places, stride, first + at, &place.row_x, &row_y, &row_z);
    place.row_other = plane == 0 ? row_z : row_y;
    for (uint b = 0; b < BLOCKS; ++b) place.in_line[b] = plane == 0 ? place.y[b] : place.z[b];
#endif
    for (uint from = begin; from < end; from += TILE) {
        const uint to = min(end, from + TILE);
        V sum[BLOCKS], sum_im[BLOCKS];
        if (!sum_tile_apart(sum, sum_im, found, &place, sources, weights_im, from, to, turns))
            sum_tile(sum, sum_im, found, &place, sources, weights_im, from, to, turns, false);
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
