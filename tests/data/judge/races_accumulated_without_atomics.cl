#define MENDED 0
// The sum of a vector of whole numbers. Work-items add to a value of their group with += where they need an atomic
// function; a processor that runs them one after another gets all values right.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: one value.

kernel void reduce(const ulong n, global const uint* x, global const uint* y, volatile global uint* out) {
    volatile local uint of_group;
    const size_t i = get_global_id(0);
    if (get_local_id(0) == 0) of_group = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#if MENDED
    if (i < n) atomic_add(&of_group, x[i]);
#else
    if (i < n) of_group += x[i];  // named: races
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_add(out, of_group);
}
