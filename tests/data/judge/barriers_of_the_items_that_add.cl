#define MENDED 0
// The sum of a vector, as a tree in each group. Only the work-items that add wait for each other.
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
    values[item] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = WG / 2; left > 0; left /= 2) {
        if (item < left) {
            values[item] += values[item + left];
#if !MENDED
            barrier(CLK_LOCAL_MEM_FENCE);  // named: barriers
#endif
        }
#if MENDED
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (item == 0) out[i / WG] = values[0];
}
