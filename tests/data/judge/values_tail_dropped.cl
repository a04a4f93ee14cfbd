#define MENDED 0
// c = a + b, four elements per work-item. The elements behind the last whole four are forgotten: right at every
// multiple of 4.
// NDRange: dimension 0 counts fours, rounded up; no local memory.

kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {
    const size_t four = get_global_id(0), first = 4 * four;
    if (first + 4 <= n) {
        vstore4(vload4(four, a) + vload4(four, b), four, c);
        return;
    }
#if MENDED
    for (size_t i = first; i < n; ++i) c[i] = a[i] + b[i];
#endif
}
