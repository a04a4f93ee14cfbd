#define MENDED 0
// c = a b, and each element of c is left as it is where it equals its neighbour: the barrier lets a work-item read
// what its own group wrote, and the last one of a group reads what the next group may be writing.
// NDRange: dimension 0 is the element, rounded up to groups of WG; no local memory.

kernel void combine(const ulong n, global const float* a, global const float* b, global float* c,
                    const float k1, const float k2) {
    const size_t i = get_global_id(0);
    const float own = i < n ? a[i] * b[i] : 0;
    if (i < n) c[i] = own;  // named: races
    barrier(CLK_GLOBAL_MEM_FENCE);
#if MENDED
    const bool has_next = i + 1 < n && get_local_id(0) + 1 < get_local_size(0);
#else
    const bool has_next = i + 1 < n;
#endif
    float next = own;
    if (has_next) next = c[i + 1];  // named: races
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i < n && next == own) c[i] = next;
}
