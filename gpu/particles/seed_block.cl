// The published kernel: one work-item for each target and source of a block, terms in local memory, summed by
// the first row of items. Corrected: sources are processed SOURCES at a time, so that any number of them
// works, and each is loaded from its own position.
//
// NDRange: dimension 0: target, rounded up to the group; dimension 1: source of the block. Group (TARGETS,
// SOURCES), all in dimension 1. Local memory: terms [TARGETS][SOURCES], coordinates of both.
//
// out: real parts of `total` targets, then imaginary ones; the range of a launch begins with target `first`.

#ifndef TARGETS
#define TARGETS 16
#endif
#ifndef SOURCES
#define SOURCES 64
#endif
#include "gpu/particles/device_functions.cl"
#include "gpu/particles/pair.cl"
#include "gpu/particles/targets.cl"

kernel __attribute__((reqd_work_group_size(TARGETS, SOURCES, 1))) void block_sums(
    global const REAL4* sources, global const REAL* weights_im, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    local REAL targets[TARGETS][3], block[SOURCES][3], weights[SOURCES], terms[TARGETS][SOURCES];
    local uint coincident[TARGETS][SOURCES];
#if COMPLEX
    local REAL imaginary_weights[SOURCES], imaginary_terms[TARGETS][SOURCES];
#endif
    const uint tx = get_local_id(0), ty = get_local_id(1), at = get_global_id(0);
    if (ty == 0 && at < total) {
        REAL x, y, z;
        place_of(places, stride, first + at, &x, &y, &z);
        targets[tx][0] = x;
        targets[tx][1] = y;
        targets[tx][2] = z;
    }

    REAL re = 0, im = 0;
    uint found = 0;
    for (uint from = begin; from < end; from += SOURCES) {
        if (tx == 0 && from + ty < end) {
            const REAL4 source = sources[from + ty];
            block[ty][0] = source.x;
            block[ty][1] = source.y;
            block[ty][2] = source.z;
            weights[ty] = source.w;
#if COMPLEX_WEIGHTS
            imaginary_weights[ty] = weights_im[from + ty];
#elif COMPLEX
            imaginary_weights[ty] = 0;
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        REAL own_re = 0, own_im = 0;
        coincident[tx][ty] = 0;
        if (at < total && from + ty < end) {
            const REAL r2 = square(targets[tx][0] - block[ty][0], targets[tx][1] - block[ty][1],
                                   targets[tx][2] - block[ty][2]);
#if COMPLEX
            add_term(&own_re, &own_im, r2, turns, weights[ty], imaginary_weights[ty]);
            imaginary_terms[tx][ty] = own_im;
#else
            add_term(&own_re, &own_im, r2, turns, weights[ty], 0);
#endif
            terms[tx][ty] = own_re;
            coincident[tx][ty] = SINGULAR && r2 == 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        if (ty == 0 && at < total) {
            REAL block_re = 0, block_im = 0;
            for (uint j = 0; j < min((uint)SOURCES, end - from); ++j) {
                block_re += terms[tx][j];
#if COMPLEX
                block_im += imaginary_terms[tx][j];
#endif
                found += coincident[tx][j];
            }
            re += block_re;
            im += block_im;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (ty != 0 || at >= total) return;
    out[at] = begin == 0 ? re : out[at] + re;
#if COMPLEX
    out[total + at] = begin == 0 ? im : out[total + at] + im;
#endif
    count_skipped(skipped, found);
}
