// Converts signal bits to an ascending list of pixels. A group takes a block of WG * WORDS words: `count_signal`
// counts, `list_signal` adds up the counts of the blocks before its own and writes in order. So the list is always the
// same. Few words have signal: they are queued, so that work-items write in parallel.
//
// list[0]: number of signal pixels; then the pixels (module * height + y) * width + x of ranks first .. first +
// capacity - 1. RANKED 1, with `first` 0: also ranks[w], the number of signal pixels before word w if it has any, and
// piece_parent[k], spot_parent[k]: the first pixel of the run that contains pixel k (gpu/spots/grouping/forest.cl).
//
// NDRange of both: dimension 0: WG work-items per block of up to 2048 words. Group WG. Local memory: one number per
// word of a block, and WG + 2.

#include "gpu/spots/lib/plane.cl"

#ifndef WG
#define WG 128
#endif
#ifndef WORDS
#define WORDS 8
#endif
#ifndef RANKED
#define RANKED 0
#endif
#define BLOCK (WG * WORDS)

static inline uint ones_of_item(global const uint* bits, const uint word_count) {
    const uint start = get_global_id(0) * WORDS;
    uint ones = 0;
#if WORDS % 4 == 0
    if (start + WORDS <= word_count) {
        uint4 sums = 0;
        for (uint i = 0; i < WORDS / 4; ++i) sums += popcount(((global const uint4*)(bits + start))[i]);
        return sums.x + sums.y + sums.z + sums.w;
    }
#endif
    for (uint i = start; i < start + WORDS && i < word_count; ++i) ones += popcount(bits[i]);
    return ones;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void count_signal(global const uint* bits,
                                                                         global uint* counts,
                                                                         const uint word_count) {
    local uint sum;
    if (get_local_id(0) == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint ones = ones_of_item(bits, word_count);
    if (ones != 0) atomic_add(&sum, ones);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) counts[get_group_id(0)] = sum;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void list_signal(
    global const uint* bits, global const uint* counts, global uint* list, const uint4 shape,
    const uint word_count, const uint first, const uint capacity
#if RANKED
    ,
    global uint* ranks, global uint* piece_parent, global uint* spot_parent
#endif
) {
    local uint before[WG], blocks_before, queued;
    // Words with signal: position in the block, number of pixels in the block before it.
    local ushort2 queue[BLOCK];
    const uint lid = get_local_id(0), group = get_group_id(0), last = get_num_groups(0) - 1;
    if (counts[group] == 0 && group != last) return;  // the same for all work-items
    if (lid == 0) blocks_before = queued = 0;
    const uint own = ones_of_item(bits, word_count);
    before[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = lid; i < group; i += WG) sum += counts[i];
    if (sum != 0) atomic_add(&blocks_before, sum);
    for (uint step = 1; step < WG; step *= 2) {
        const uint other = lid >= step ? before[lid - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        before[lid] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint start = group * BLOCK;
    if (own != 0) {
        uint rank = before[lid] - own;
        for (uint i = lid * WORDS; i < (lid + 1) * WORDS && start + i < word_count; ++i) {
            const uint word = bits[start + i];
            if (word == 0) continue;
            queue[atomic_inc(&queued)] = (ushort2)((ushort)i, (ushort)rank);
            rank += popcount(word);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0 && group == last) list[0] = blocks_before + counts[group];
    for (uint n = lid; n < queued; n += WG) {
        const uint i = start + queue[n].x, at = i / WORDS_OF(shape) * WIDTH_OF(shape) + i % WORDS_OF(shape) * 32;
        const uint word = bits[i];
        uint rank = blocks_before + queue[n].y;
#if RANKED
        ranks[i] = rank;
        for (uint starts = word & ~(word << 1), run = 0, k = rank, left = word; left != 0; left &= left - 1, ++k) {
            if ((left & -left & starts) != 0) run = k;
            if (k >= capacity) break;
            piece_parent[k] = run;
            spot_parent[k] = run;
        }
#endif
        for (uint left = word; left != 0; left &= left - 1, ++rank)
            if (rank >= first && rank - first < capacity)
                list[1 + rank - first] = at + 31 - clz(left & -left);
    }
}
