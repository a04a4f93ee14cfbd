// Union-find in global memory, for modules of any size: digis are entered into one hash table by slot and
// pixel, each looks for its later neighbours and is united with them. Rows are those of a chunk, from 0; the
// parents are the labels, rows of the chunk until the last kernel.
//
// In the order of launches: start_forest, enter_digis, link_digis, sum_clusters, finish_labels.
// table: `mask` + 1 words, a power of two, at least twice the digis, 0 before: row + 1.
// charge: two words per row (sum modulo 2^32, carries), 0 before; CUT 1 only.
// OVER 1: digis of slots with counts[slot] <= limit do not take part. Without it: all that have a slot.
//
// NDRange: 1 dimension, one item per row.

#define SPACE global
#include "gpu/clusters/forest.cl"
#include "gpu/clusters/half_neighbours.cl"

#define NO_SLOT 0xffffffffu

static inline bool takes_part(const uint s, global const uint* counts, const uint first_slot, const uint limit) {
#if OVER
    return s != NO_SLOT && counts[s - first_slot] > limit;
#else
    return s != NO_SLOT;
#endif
}

static inline uint place_of(const uint s, const uint key, const uint mask) {
    uint h = s * 0x9e3779b1u ^ key * 0x85ebca6bu;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) & mask;
}

#define DIGIS                                                                                                  \
    global const uint *slot, global const ushort *x, global const ushort *y, global const uint *counts,       \
        const uint rows, const uint first_slot, const uint limit
#define ROW                                                                                                    \
    const uint row = get_global_id(0);                                                                         \
    if (row >= rows || !takes_part(slot[row], counts, first_slot, limit)) return

kernel void start_forest(DIGIS, global int* labels) {
    const uint row = get_global_id(0);
    if (row >= rows) return;
#if OVER
    if (!takes_part(slot[row], counts, first_slot, limit)) return;
    labels[row] = (int)row;
#else
    labels[row] = slot[row] == NO_SLOT ? -1 : (int)row;
#endif
}

kernel void enter_digis(DIGIS, global int* labels, global uint* table, const uint mask) {
    ROW;
    const uint s = slot[row], key = (uint)y[row] << 16 | x[row];
    for (uint h = place_of(s, key, mask);; h = (h + 1) & mask) {
        const uint there = atomic_cmpxchg(&table[h], 0u, row + 1);
        if (there == 0) break;
        const uint other = there - 1;
        if (x[other] != x[row] || y[other] != y[row] || slot[other] != s) continue;
#if DROP
        atomic_xchg(&labels[row], DROPPED);
        atomic_xchg(&labels[other], DROPPED);
#else
        unite(labels, (int)row, (int)other);
#endif
        break;
    }
}

kernel void link_digis(DIGIS, global int* labels, global const uint* table, const uint mask) {
    ROW;
    if (READ(&labels[row]) == DROPPED) return;
    const uint s = slot[row], key = (uint)y[row] << 16 | x[row];
    for (uint k = 1; k <= HALF_NEIGHBOURS; ++k) {
        uint at;
        if (!half_neighbour(key, k, &at)) continue;
        for (uint h = place_of(s, at, mask); table[h] != 0; h = (h + 1) & mask) {
            const uint other = table[h] - 1;
            if (x[other] != (at & 0xffff) || y[other] != at >> 16 || slot[other] != s) continue;
            if (READ(&labels[other]) != DROPPED) unite(labels, (int)row, (int)other);
            break;
        }
    }
}

kernel void sum_clusters(DIGIS, global int* labels, global const uint* adc, global uint* charge) {
    ROW;
    if (READ(&labels[row]) == DROPPED) return;
    const uint root = (uint)FIND(labels, (int)row);
    atomic_min(&labels[row], (int)root);
#if CUT
    const uint own = adc[row], before = atomic_add(&charge[2 * root], own);
    if (before + own < before) atomic_inc(&charge[2 * root + 1]);
#endif
}

kernel void finish_labels(DIGIS, global int* labels, global const uint* charge, global const uint* cuts,
                          const uint cut_count, const uint first_row) {
    ROW;
    const int root = labels[row];
    if (root == DROPPED) return;
    int label = root + (int)first_row;
#if CUT
    if (charge[2 * root + 1] == 0 && charge[2 * root] < cuts[slot[row] % cut_count]) label = -3;
#endif
    labels[row] = label;
}
