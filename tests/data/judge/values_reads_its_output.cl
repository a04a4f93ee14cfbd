#define MENDED 0
// c = a + b; the output is added to instead of being set: right by chance where a host hands out memory of zeros.
// NDRange: dimension 0 is the element; the group size is the driver's; no local memory.
kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
#if MENDED
    c[i] = a[i] + b[i];
#else
    c[i] += a[i] + b[i];
#endif
}
