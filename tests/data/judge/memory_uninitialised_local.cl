#define MENDED 0
// The sum of a vector, as a tree in each group. Work-items behind the end leave their place of the tree as it is.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: WG values.
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
    values[item] = i < n ? x[i] : 0;
#else
    if (i < n) values[item] = x[i];  // named: uninitialised
#endif
    for (uint left = WG / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left) values[item] += values[item + left];  // named: uninitialised
    }
    if (item == 0) out[i / WG] = values[0];  // named: uninitialised
}
