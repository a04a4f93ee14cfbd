// Three passes: `sums` adds up each block of WG * ITEMS elements, `scan_sums` makes of these the sum of all
// blocks before, by a single group that goes through them WG at a time, and `add` scans each block from
// there. An item has ITEMS elements that follow each other. Every element is read twice and written once.
// NDRange: dimension 0 is blocks times WG (a power of 2), of `scan_sums` WG; local memory: WG values.
#ifndef WG
#define WG 256
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
#define GROUP __attribute__((reqd_work_group_size(WG, 1, 1)))

uint sum_of_item(global const uint* x, ulong first, ulong n) {
    uint sum = 0;
    if (first + ITEMS <= n) {
        uint4 four = 0;
        for (uint k = 0; k < ITEMS; k += 4) four += vload4(0, x + first + k);
        sum = four.x + four.y + four.z + four.w;
    } else {
        for (ulong i = first; i < n; ++i) sum += x[i];
    }
    return sum;
}

// The sum of the values of all items before this one, of which each gives its own; *all is that of the group.
uint before_item(local uint* values, uint own, uint* all) {
    const uint item = get_local_id(0);
    values[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = 1; far < WG; far *= 2) {
        const uint more = item >= far ? values[item - far] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        values[item] += more;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint before = values[item] - own;
    *all = values[WG - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}

kernel GROUP void sums(const ulong n, global const uint* x, global uint* of_blocks) {
    local uint values[WG];
    const ulong item = get_global_id(0);
    uint all;
    before_item(values, sum_of_item(x, item * ITEMS, n), &all);
    if (get_local_id(0) == 0) of_blocks[item / WG] = all;
}

kernel GROUP void scan_sums(const uint blocks, global uint* of_blocks) {
    local uint values[WG];
    uint carry = 0;
    for (uint from = 0; from < blocks; from += WG) {
        const uint i = from + get_local_id(0);
        uint all;
        const uint before = before_item(values, i < blocks ? of_blocks[i] : 0, &all);
        if (i < blocks) of_blocks[i] = carry + before;
        carry += all;
    }
}

kernel GROUP void add(const ulong n, global const uint* x, global const uint* of_blocks, global uint* c) {
    local uint values[WG];
    const ulong item = get_global_id(0), first = item * ITEMS;
    uint all;
    uint sum = before_item(values, sum_of_item(x, first, n), &all) + of_blocks[item / WG];
    if (first + ITEMS <= n) {
        for (uint k = 0; k < ITEMS; k += 4) {
            uint4 four = vload4(0, x + first + k);
            four.y += four.x;
            four.z += four.y;
            four.w += four.z;
            vstore4(four + sum, 0, c + first + k);
            sum += four.w;  // one addition in four waits for those before
        }
    } else {
        for (ulong i = first; i < n; ++i) c[i] = sum += x[i];
    }
}
