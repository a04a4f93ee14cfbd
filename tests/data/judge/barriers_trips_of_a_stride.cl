#define MENDED 0
// c = a b; a work-item takes an element of each stretch that is as long as the group, by way of local memory. The
// last stretch is shorter, so that some work-items go through the loop once less.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: 16 floats.
#define STRETCH 4

kernel void combine(const ulong n, global const float* a, global const float* b, global float* c,
                    const float k1, const float k2) {
    local float kept[STRETCH];
    const size_t item = get_local_id(0), first = get_global_id(0) - item;
    const size_t end = min((size_t)n, first + get_local_size(0));
#if MENDED
    for (size_t from = first; from < end; from += STRETCH) {
        const size_t i = from + item;
        if (item < STRETCH && i < end) kept[STRETCH - 1 - item] = a[i] * b[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < STRETCH && i < end) c[i] = kept[STRETCH - 1 - item];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    for (size_t i = first + item; item < STRETCH && i < end; i += STRETCH) {
        kept[STRETCH - 1 - item] = a[i] * b[i];
        barrier(CLK_LOCAL_MEM_FENCE);  // named: barriers
        c[i] = kept[STRETCH - 1 - item];
        barrier(CLK_LOCAL_MEM_FENCE);  // named: barriers
    }
#endif
}
