// Links signal to pieces (4-connected in a frame) and, with LINKED 1, to spots (6-connected in x, y and frame), for all
// frames of a launch. `join_runs` unites, `count_roots` counts the roots of blocks of nodes, `number_roots` numbers
// them in the order of their first pixels and clears their sums.
//
// ranks[w]: signal pixels before word w of the bits, if it has any. numbers[f]: number of frame f. totals: see
// gpu/spots/grouping/records.cl; `before`: start of the records of spots. shape: of a frame. Nothing is done if
// there are more than `nodes` signal pixels, which is what fits.
//
// NDRange of all: dimension 0: WG work-items per group; any number of groups share the work. Group WG. Local memory of
// number_roots: 2 numbers per work-item.

#include "gpu/spots/grouping/forest.cl"
#include "gpu/spots/grouping/records.cl"

#ifndef WG
#define WG 256
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef LINKED
#define LINKED 1
#endif
#define BLOCK (WG * ITEMS)

static inline void unite_runs(volatile global uint* parent, global const uint* bits, global const uint* ranks,
                              const uint k, const uint mask, const uint other) {
    const uint word = bits[other];
    if ((word & mask) == 0) return;
    const uint rank = ranks[other], met = word & mask;
    for (uint starts = met & ~(met << 1); starts != 0; starts &= starts - 1)
        unite(parent, k, rank + popcount(word & ((starts & -starts) - 1)));
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void join_runs(
    global const uint* list, global const uint* bits, global const uint* ranks, global const uint* numbers,
    volatile global uint* piece_parent, volatile global uint* spot_parent, const uint4 shape, const uint nodes) {
    const uint n = list[0];
    if (n > nodes) return;
    for (uint k = get_global_id(0); k < n; k += get_global_size(0)) {
        const uint pixel = list[1 + k], row = pixel / WIDTH_OF(shape), x = pixel - row * WIDTH_OF(shape), bit = x % 32;
        const uint at = row * WORDS_OF(shape) + x / 32, word = bits[at];
        if (!starts_run(word, bit)) continue;
        const uint length = run_length(word, bit);
        const uint mask = (length == 32 ? ~0u : (1u << length) - 1) << bit;
        const bool from_left = bit == 0 && x > 0 && bits[at - 1] >> 31 != 0;
        const uint frame = row / HEIGHT_OF(shape), y = row - frame * HEIGHT_OF(shape);
        if (from_left) unite(piece_parent, k, k - 1);
        if (y > 0) unite_runs(piece_parent, bits, ranks, k, mask, at - WORDS_OF(shape));
#if LINKED
        if (from_left) unite(spot_parent, k, k - 1);
        if (y > 0) unite_runs(spot_parent, bits, ranks, k, mask, at - WORDS_OF(shape));
        if (frame > 0 && numbers[frame] == numbers[frame - 1] + 1)
            unite_runs(spot_parent, bits, ranks, k, mask, at - HEIGHT_OF(shape) * WORDS_OF(shape));
#endif
    }
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void count_roots(global const uint* list,
                                                                        volatile global uint* piece_parent,
                                                                        volatile global uint* spot_parent,
                                                                        global uint2* counts, const uint nodes) {
    local uint pieces, spots;
    const uint n = list[0], lid = get_local_id(0);
    if (n > nodes) return;
    for (uint block = get_group_id(0); block * BLOCK < n; block += get_num_groups(0)) {
        if (lid == 0) pieces = spots = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint2 own = 0;
        for (uint k = block * BLOCK + lid; k < min(n, (block + 1) * BLOCK); k += WG) {
            own.s0 += READ(&piece_parent[k]) == k ? 1 : 0;
#if LINKED
            own.s1 += READ(&spot_parent[k]) == k ? 1 : 0;
#endif
        }
        if (own.s0 != 0) atomic_add(&pieces, own.s0);
        if (own.s1 != 0) atomic_add(&spots, own.s1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0) counts[block] = (uint2)(pieces, spots);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/// Numbers of pieces and spots before this work-item's nodes.
static inline uint2 numbers_before(global const uint2* counts, const uint block, const uint2 own,
                                   local uint2* scan, local uint* sums) {
    const uint lid = get_local_id(0);
    if (lid == 0) sums[0] = sums[1] = 0;
    scan[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint2 before = 0;
    for (uint i = lid; i < block; i += WG) before += counts[i];
    if (before.s0 != 0) atomic_add(&sums[0], before.s0);
    if (before.s1 != 0) atomic_add(&sums[1], before.s1);
    for (uint step = 1; step < WG; step *= 2) {
        const uint2 other = lid >= step ? scan[lid - step] : (uint2)(0, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        scan[lid] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint2 found = scan[lid] - own + (uint2)(sums[0], sums[1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return found;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void number_roots(
    global const uint* list, volatile global uint* piece_parent, volatile global uint* spot_parent,
    global const uint2* counts, global uint* piece_numbers, global uint* spot_numbers, global uint* pieces,
    global ulong* records, volatile global ulong* totals, const uint4 shape, const uint nodes,
    const uint room, const uint before) {
    local uint2 scan[WG];
    local uint sums[2];
    const uint n = list[0], lid = get_local_id(0);
    if (get_global_id(0) == 0) {
        totals[SIGNAL] = n;
        totals[MARKED] = totals[INEXACT] = totals[UNDECIDED] = 0;
        if (n == 0) totals[PIECES] = totals[SPOTS] = 0;
    }
    if (n > nodes) return;
    for (uint block = get_group_id(0); block * BLOCK < n; block += get_num_groups(0)) {
        const uint from = block * BLOCK + lid * ITEMS;
        uint2 own = 0;
        for (uint k = from; k < min(n, from + ITEMS); ++k) {
            own.s0 += READ(&piece_parent[k]) == k ? 1 : 0;
#if LINKED
            own.s1 += READ(&spot_parent[k]) == k ? 1 : 0;
#endif
        }
        uint2 number = numbers_before(counts, block, own, scan, sums);
        for (uint k = from; k < min(n, from + ITEMS); ++k) {
            const uint pixel = list[1 + k];
            if (READ(&piece_parent[k]) == k) {
                piece_numbers[k] = number.s0;
                if (number.s0 < room) start_piece(pieces, number.s0, k, pixel, WIDTH_OF(shape));
#if !LINKED
                if (number.s0 < room) start_spot(records, before + number.s0, pixel);
#endif
                ++number.s0;
            }
#if LINKED
            if (READ(&spot_parent[k]) == k) {
                spot_numbers[k] = number.s1;
                if (number.s1 < room) start_spot(records, before + number.s1, pixel);
                ++number.s1;
            }
#endif
        }
        if (from < n && n <= from + ITEMS) {
            totals[PIECES] = number.s0;
            totals[SPOTS] = LINKED ? number.s1 : number.s0;
        }
    }
}
