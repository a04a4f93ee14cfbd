// Groups digis in any order by slot (a module in an event): a counting sort with the positions of the modules
// in any order. Rows and slots are those of a chunk, from 0.
//
// count_digis:   labels[row] = number of digis of its slot counted before it; -1 without a slot.
// place_modules: starts[slot]; slots of more than `small` and at most `limit` digis are listed. A group takes
//                WG slots. totals[0]: digis placed, totals[1]: slots listed; both 0 before.
// group_digis:   grouped[starts[slot] + labels[row]] = (row, y << 16 | x).
//
// NDRange: 1 dimension, one item per row (count_digis, group_digis) or per slot (place_modules, group WG).

#ifndef WG
#define WG 64
#endif
#define NO_SLOT 0xffffffffu

kernel void count_digis(global const uint* slot, global uint* counts, global int* labels, const uint rows,
                        const uint first_slot) {
    const uint row = get_global_id(0);
    if (row >= rows) return;
    const uint s = slot[row];
    labels[row] = s == NO_SLOT ? -1 : (int)atomic_inc(&counts[s - first_slot]);
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void place_modules(global const uint* counts,
                                                                          global uint* starts, global uint* totals,
                                                                          global uint* listed, const uint slots,
                                                                          const uint small, const uint limit) {
    local uint before[WG], base;
    const uint s = get_global_id(0), lid = get_local_id(0), n = s < slots ? counts[s] : 0;
    before[lid] = n;
    for (uint step = 1; step < WG; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = lid >= step ? before[lid - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        before[lid] += other;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == WG - 1) base = atomic_add(&totals[0], before[lid]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (s < slots) starts[s] = base + before[lid] - n;
    if (n > small && n <= limit) listed[atomic_inc(&totals[1])] = s;
}

kernel void group_digis(global const uint* slot, global const ushort* x, global const ushort* y,
                        global const int* labels, global const uint* starts, global uint2* grouped,
                        const uint rows, const uint first_slot) {
    const uint row = get_global_id(0);
    if (row >= rows) return;
    const uint s = slot[row];
    if (s == NO_SLOT) return;
    grouped[starts[s - first_slot] + (uint)labels[row]] = (uint2)(row, (uint)y[row] << 16 | x[row]);
}
