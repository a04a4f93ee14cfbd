#define MENDED 0
// c = a + b; work-items of a group hand what they read to their neighbour by way of c, in global memory, behind a
// barrier that orders local memory alone.
// NDRange: dimension 0 is the element; the group size is the user's; no local memory.
#if MENDED
#define FENCE CLK_GLOBAL_MEM_FENCE
#else
#define FENCE CLK_LOCAL_MEM_FENCE
#endif

kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), item = get_local_id(0), first = i - item;
    const size_t inside = first < n ? min((size_t)get_local_size(0), (size_t)n - first) : 0;
    if (item < inside) c[first + (item + 1) % inside] = a[first + (item + 1) % inside];  // named: races
    barrier(FENCE);
    if (item < inside) c[i] += b[i];  // named: races
}
