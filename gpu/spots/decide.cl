// Second pass: whether a candidate is signal, from its window summed anew and exactly. In place: candidates'
// bits become signal's.
//
// LANES items share a candidate: each sums some rows of the window, one of them adds up and decides. Floats
// have an order of their own and one item for each candidate.
//
// NDRange and local memory: gpu/spots/candidate_queue.cl, with LANES > 1 also a window's sums for each item.

#include "gpu/spots/plane.cl"
#include "gpu/spots/window_test.cl"

#ifndef LANES
#if KIND == 2 || !defined(WG) || WG < 32
#define LANES 1
#else
#define LANES 8
#endif
#endif

static inline bool decided(global const SRC* images, global const uchar* ignore, global const ulong* table,
                           const uint pitch, const size_t at) {
    const sums_t sums = window_sums(images + at, ignore + at, pitch);
    return is_signal(sums, (count_t)images[at], table);
}

#define DECIDE(module, y, x) decided(images, ignore, table, shape.s2, pixel_at(shape, module, y, x))
#if LANES > 1
// The queue's candidates, LANES items each: called by the whole group.
static inline void decide_shared(global const SRC* images, global const uchar* ignore, global const ulong* table,
                                 const uint4 shape, const uint first, local const uint* queue, const uint number,
                                 local uint* found, local sums_t* parts) {
    const uint lid = get_local_id(0), lane = lid % LANES;
    for (uint start = 0; start < number; start += WG / LANES) {
        const uint i = start + lid / LANES;
        size_t at = 0;
        if (i < number) {
            const uint word = first + queue[i] / 32, row = word / shape.s3;
            at = pixel_at(shape, row / shape.s0, row % shape.s0, word % shape.s3 * 32 + queue[i] % 32);
            sums_t part = no_sums();
            for (int dy = (int)lane - KY; dy <= KY; dy += LANES) {
                global const SRC* values = images + at + (long)dy * shape.s2 - KX;
                global const uchar* ignored = ignore + at + (long)dy * shape.s2 - KX;
#pragma unroll
                for (int dx = 0; dx <= 2 * KX; ++dx)
                    if (is_valid(values[dx], ignored[dx])) add_count(&part, (count_t)values[dx]);
            }
            parts[lid] = part;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < number && lane == 0) {
            sums_t sums = parts[lid];
            for (uint other = 1; other < LANES; ++other) {
                const sums_t part = parts[lid + other];
                add_row(&sums, part);
            }
            if (is_signal(sums, (count_t)images[at], table))
                atomic_or(&found[queue[i] / 32], 1u << queue[i] % 32);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#define DECIDE_QUEUE(first, queue, number, found) \
    decide_shared(images, ignore, table, shape, first, queue, number, found, parts)
#endif
#include "gpu/spots/candidate_queue.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void decide(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape, const uint word_count) {
#if LANES > 1
    local sums_t parts[WG];
#endif
    EACH_CANDIDATE(bits, bits, shape, word_count);
}
