#define MENDED 0
// The sum of a vector of whole numbers by atomic functions. Work-item 0 sets the value of the group to 0, and no
// barrier keeps others from adding to it before.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: one value.

kernel void reduce(const ulong n, global const uint* x, global const uint* y, volatile global uint* out) {
    volatile local uint of_group;
    const size_t i = get_global_id(0);
    if (get_local_id(0) == 0) of_group = 0;  // named: races
#if MENDED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (i < n) atomic_add(&of_group, x[i]);  // named: races
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_add(out, of_group);
}
