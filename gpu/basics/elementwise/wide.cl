// As scalar.cl, WIDTH elements per work-item with one wide load of each vector. The last item processes the
// remainder element by element.
// NDRange: dimension 0 counts pieces of WIDTH elements, rounded up to groups of WG; no local memory.
#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef MAP
#define MAP 0
#endif
#if MAP
#define COMBINED(a, b) (k1 * (a) + k2 * (b))
#else
#define COMBINED(a, b) ((a) * (b))
#endif
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define LOAD NAMED(vload, WIDTH)
#define STORE NAMED(vstore, WIDTH)

kernel void combine(const ulong n, global const float* a, global const float* b, global float* c,
                    const float k1, const float k2) {
    const size_t piece = get_global_id(0), first = piece * WIDTH;
    if (first + WIDTH <= n)
        STORE(COMBINED(LOAD(piece, a), LOAD(piece, b)), piece, c);
    else
        for (size_t i = first; i < n; ++i) c[i] = COMBINED(a[i], b[i]);
}
