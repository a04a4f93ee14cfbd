// Reads data of a power of 2 of uint4 repeatedly, from private, local, constant or global memory: work-item g
// reads number (g + pass * step) modulo the size in each pass. The values read are XORed with the number of
// the pass and summed, so that no compiler can omit a pass.
// NDRange: dimension 0 is the reading work-item, rounded up to groups of WG; items from `items` on help to
// copy and write nothing; local memory: the data, if they are read there.
#ifndef QUADS
#define QUADS 4  // size of the private array
#endif

#define READ_ALL(data)                                                            \
    const uint g = get_global_id(0);                                              \
    if (g >= items) return;                                                       \
    uint4 sum = 0;                                                                \
    for (uint pass = 0; pass < passes; ++pass) sum += data[(g + pass * step) & mask] ^ pass; \
    sums[g] = sum.x + sum.y + sum.z + sum.w

kernel void read_global(const uint items, const uint passes, const uint step, const uint mask, global uint* sums,
                        global const uint4* data) {
    READ_ALL(data);
}

kernel void read_constant(const uint items, const uint passes, const uint step, const uint mask,
                          global uint* sums, constant uint4* data) {
    READ_ALL(data);
}

kernel void read_local(const uint items, const uint passes, const uint step, const uint mask, global uint* sums,
                       global const uint4* data, local uint4* copy) {
    for (uint i = get_local_id(0); i <= mask; i += get_local_size(0)) copy[i] = data[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    READ_ALL(copy);
}

kernel void read_private(const uint items, const uint passes, const uint step, const uint mask, global uint* sums,
                         global const uint4* data) {
    uint4 own[QUADS];
    for (uint i = 0; i < QUADS; ++i) own[i] = data[i];
    READ_ALL(own);
}
