#define MENDED 0
// The sum of the products of two vectors, as a tree in each group. The last element is taken for one behind the end.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: WG floats.
#ifndef WG
#define WG 256
#endif
#ifndef DOT
#define DOT 0
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce(const ulong n, global const float* x,
                                                                   global const float* y, global float* out) {
    local float values[WG];
    const size_t i = get_global_id(0), item = get_local_id(0);
#if MENDED
    const bool inside = i < n;
#else
    const bool inside = DOT ? i + 1 < n : i < n;
#endif
    values[item] = inside ? x[i] * (DOT ? y[i] : 1) : 0;
    for (uint left = WG / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left) values[item] += values[item + left];
    }
    if (item == 0) out[i / WG] = values[0];
}
