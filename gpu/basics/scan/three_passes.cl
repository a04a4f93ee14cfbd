// Three passes: `sums` adds up the chunk of elements of each group, `scan_sums` turns these into the sum of
// all previous chunks, in a single group that processes WG of them at a time, and `add` scans each chunk from
// there, in steps of WG * ITEMS elements. Every element is read twice and written once.
// NDRange: dimension 0 is chunks times WG (a power of 2), for `scan_sums` WG; a chunk is a multiple of a
// step; local memory: 2 WG values. Fours of values are read through pointers to vectors, since chunks begin
// at multiples of four; vload4 guarantees a compiler only the alignment of a single value.
#ifndef WG
#define WG 256
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
#define STEP (WG * ITEMS)
#define GROUP __attribute__((reqd_work_group_size(WG, 1, 1)))

// The sum of the values of all items before this one, each item contributing one; *all is that of the group.
uint before_item(local uint* values, uint own, uint* all) {
    const uint item = get_local_id(0);
    local uint *from = values, *to = values + WG;
    uint sum = own;
    from[item] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = 1; far < WG; far *= 2) {
        if (item >= far) sum += from[item - far];
        to[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        local uint* const written = to;
        to = from;
        from = written;
    }
    *all = from[WG - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - own;
}

kernel GROUP void sums(const ulong n, const ulong chunk, global const uint* x, global uint* of_chunks) {
    local uint values[2 * WG];
    const ulong group = get_global_id(0) / WG, begin = group * chunk, end = min(n, begin + chunk);
    uint4 four = 0;
    ulong i = begin + 4 * get_local_id(0);
    for (; i + 4 <= end; i += 4 * WG) four += *(global const uint4*)(x + i);
    uint sum = four.x + four.y + four.z + four.w;
    for (; i < end; ++i) sum += x[i];  // fewer than four are left to one item
    uint all;
    before_item(values, sum, &all);
    if (get_local_id(0) == 0) of_chunks[group] = all;
}

kernel GROUP void scan_sums(const uint chunks, global uint* of_chunks) {
    local uint values[2 * WG];
    uint carry = 0;
    for (uint from = 0; from < chunks; from += WG) {
        const uint i = from + get_local_id(0);
        uint all;
        const uint before = before_item(values, i < chunks ? of_chunks[i] : 0, &all);
        if (i < chunks) of_chunks[i] = carry + before;
        carry += all;
    }
}

#if WG == 1
// A single item has no one to wait for.
kernel GROUP void add(const ulong n, const ulong chunk, global const uint* x, global const uint* of_chunks,
                      global uint* c) {
    const ulong group = get_global_id(0), end = min(n, (group + 1) * chunk);
    uint sum = of_chunks[group];
    ulong i = group * chunk;
    for (; i + 4 <= end; i += 4) {
        uint4 four = *(global const uint4*)(x + i);
        four.y += four.x;
        four.z += four.y;
        four.w += four.z;
        *(global uint4*)(c + i) = four + sum;
        sum += four.w;  // only one addition in four waits for the previous ones
    }
    for (; i < end; ++i) c[i] = sum += x[i];
}
#else
#define FOURS (ITEMS / 4)

// ITEMS consecutive elements; 0 past the end.
void load(uint4 to[FOURS], global const uint* x, ulong first, ulong end) {
    if (first + ITEMS <= end) {
        for (uint k = 0; k < FOURS; ++k) to[k] = ((global const uint4*)(x + first))[k];
        return;
    }
    for (uint k = 0; k < FOURS; ++k) {
        const ulong at = first + 4 * k;
        to[k] = (uint4)(at < end ? x[at] : 0, at + 1 < end ? x[at + 1] : 0, at + 2 < end ? x[at + 2] : 0,
                        at + 3 < end ? x[at + 3] : 0);
    }
}

void store(const uint4 from[FOURS], global uint* c, ulong first, ulong end) {
    if (first + ITEMS <= end) {
        for (uint k = 0; k < FOURS; ++k) ((global uint4*)(c + first))[k] = from[k];
        return;
    }
    for (uint k = 0; k < FOURS; ++k) {
        const ulong at = first + 4 * k;
        if (at < end) c[at] = from[k].x;
        if (at + 1 < end) c[at + 1] = from[k].y;
        if (at + 2 < end) c[at + 2] = from[k].z;
        if (at + 3 < end) c[at + 3] = from[k].w;
    }
}

kernel GROUP void add(const ulong n, const ulong chunk, global const uint* x, global const uint* of_chunks,
                      global uint* c) {
    local uint values[2 * WG];
    const ulong group = get_global_id(0) / WG, begin = group * chunk, end = min(n, begin + chunk);
    const uint own = ITEMS * get_local_id(0);
    uint carry = of_chunks[group];
    uint4 now[FOURS], next[FOURS];
    load(next, x, begin + own, end);
    for (ulong from = begin; from < end; from += STEP) {
        uint sum = 0;
        for (uint k = 0; k < FOURS; ++k) {
            now[k] = next[k];
            now[k].y += now[k].x;
            now[k].z += now[k].y;
            now[k].w += now[k].z;
            now[k] += sum;
            sum = now[k].w;
        }
        // the next elements are loaded while the items wait for each other
        if (from + STEP < end) load(next, x, from + STEP + own, end);
        uint all;
        const uint before = carry + before_item(values, sum, &all);
        for (uint k = 0; k < FOURS; ++k) now[k] += before;
        store(now, c, from + own, end);
        carry += all;
    }
}
#endif
