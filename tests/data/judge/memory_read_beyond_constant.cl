#define MENDED 0
// The products of two vectors, by a table of signs in constant memory whose index goes one too far: every fourth
// work-item reads behind the table, and uses nothing of it.
// NDRange: dimension 0 is the element, rounded up to groups of WG; no local memory.
constant float signs[4] = {1, -1, 1, -1};

kernel void combine(const ulong n, global const float* a, global const float* b, global float* c,
                    const float k1, const float k2) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
    const uint at = i % 4;
#if MENDED
    const float next = signs[(at + 1) % 4];
#else
    const float next = signs[at + 1];  // named: accesses
#endif
    c[i] = at < 3 && next != -signs[at] ? 0 : a[i] * b[i];
}
