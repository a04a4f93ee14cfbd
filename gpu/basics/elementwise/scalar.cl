// One element of c per work-item: a b, or with MAP k1 a + k2 b. The range may exceed the length of the
// vectors, to be a multiple of the group size. NDRange: dimension 0 is the element, rounded up to groups of
// WG; no local memory.
#ifndef MAP
#define MAP 0
#endif

kernel void combine(const ulong n, global const float* a, global const float* b, global float* c,
                    const float k1, const float k2) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
#if MAP
    c[i] = k1 * a[i] + k2 * b[i];
#else
    c[i] = a[i] * b[i];
#endif
}
