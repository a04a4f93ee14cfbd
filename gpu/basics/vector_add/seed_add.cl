// c = a + b, one element per work-item: the lecture's first kernel. The range may exceed the length of the
// vectors, to be a multiple of a given group size.
// NDRange: dimension 0 is the element; the group size is the user's or the driver's; no local memory.

kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0);
    if (i < n) c[i] = a[i] + b[i];
}
