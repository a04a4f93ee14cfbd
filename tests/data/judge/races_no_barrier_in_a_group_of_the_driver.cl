#define MENDED 0
// c = a + b; work-items of a group read what their neighbour put into local memory.
// NDRange: dimension 0 is the element; the group size is the driver's, at most 4096; local memory: 16 KiB.
kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {
    local float of_group[4096];
    const size_t i = get_global_id(0), item = get_local_id(0), first = i - item;
    const size_t inside = first < n ? min((size_t)get_local_size(0), (size_t)n - first) : 0;
    if (item < inside) of_group[item] = a[i];  // named: races
#if MENDED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (item >= inside) return;
    const size_t next = (item + 1) % inside;
    c[first + next] = of_group[next] + b[first + next];  // named: races
}
