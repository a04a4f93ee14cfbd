// For CPUs: an item processes a block of the input (an event) alone. It counts and sorts its digis by slot,
// writes each module into a map of its pixels, where neighbours are looked up directly, and clears it again.
// Rows of a module stay in order, so an index in it stands for a row and no atomics are needed.
//
// NDRange: 1 dimension, an item takes blocks item, item + items, ...; group 1.
// blocks[b]: first row, rows, first slot, slots; rows and slots of the chunk, from 0. If there are few blocks, several
// items take the same rows, one after another in the list, and each of them some of the slots.
// Scratch per item: starts[slots + 1] of its largest block; digis[rows] pairs (row, position on the map);
// parent[rows], charge[rows] (CUT 1) of its largest module; map: 0 before and after.
// For the map see gpu/clusters/map_module.cl.

#define DROPPED (-2)
#define NO_SLOT 0xffffffffu

#include "gpu/clusters/map_module.cl"

/// starts[s] .. starts[s + 1]: the digis of slot s, as pairs, in the order of rows; after the last slot those
/// that have none or another item's. Branch-free: with digis in any order, branches would be mispredicted.
static void sort_block(global const uint* slot, global const ushort* x, global const ushort* y, const uint4 block,
                       const uint first_slot, const uint pitch, global uint* starts, global uint2* digis) {
    const uint end = block.s0 + block.s1, from = first_slot + block.s2, slots = block.s3;
    for (uint s = 0; s <= slots; ++s) starts[s] = 0;
    for (uint row = block.s0; row < end; ++row) ++starts[min(slot[row] - from, slots)];
    for (uint s = 0, sum = 0; s <= slots; ++s) starts[s] = sum += starts[s];
    for (uint row = end; row-- > block.s0;)
        digis[--starts[min(slot[row] - from, slots)]] = (uint2)(row, (y[row] + 1) * pitch + x[row] + 1);
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cluster_blocks(
    global const uint* slot, global const ushort* x, global const ushort* y, global const uint* adc,
    global const uint* cuts, global const uint4* blocks, global uint* all_starts, global uint2* all_digis,
    global uint* all_parents, global ulong* all_charges, global PLACE* all_maps, global int* labels,
    const uint block_count, const uint first_slot, const uint first_row, const uint cut_count,
    const uint pitch, const uint4 scratch) {
    const uint item = get_global_id(0);
    global uint* const starts = all_starts + (size_t)item * scratch.s0;
    global uint2* const digis = all_digis + (size_t)item * scratch.s1;
    global uint* const parent = all_parents + (size_t)item * scratch.s2;
    global ulong* const charge = all_charges + (CUT ? (size_t)item * scratch.s2 : 0);
    global PLACE* const map = all_maps + (size_t)item * scratch.s3;
    for (uint b = item; b < block_count; b += get_global_size(0)) {
        const uint4 block = blocks[b];
        sort_block(slot, x, y, block, first_slot, pitch, starts, digis);
        // every item that shares a block could label digis without a slot: the one with the first slots does
        if (b == 0 || blocks[b - 1].s0 != block.s0)
            for (uint i = starts[block.s3]; i < block.s1; ++i)
                if (slot[digis[i].x] == NO_SLOT) labels[digis[i].x] = -1;
        for (uint s = 0; s < block.s3; ++s) {
            const uint start = starts[s], n = starts[s + 1] - start;
            const uint cut = CUT ? cuts[(first_slot + block.s2 + s) % cut_count] : 0;
            if (n != 0)
                cluster_module(digis + start, n, pitch, map, parent, charge, adc, cut, first_row, labels);
        }
    }
}
