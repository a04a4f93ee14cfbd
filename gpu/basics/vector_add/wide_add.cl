// c = a + b, WIDTH elements per work-item with one wide load of each vector. The last item adds the remainder
// element by element.
// NDRange: dimension 0 counts pieces of WIDTH elements; the group size is the user's or
// the driver's; no local memory.
#ifndef WIDTH
#define WIDTH 4
#endif
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define LOAD NAMED(vload, WIDTH)
#define STORE NAMED(vstore, WIDTH)

kernel void add(const ulong n, global const float* a, global const float* b, global float* c) {
    const size_t piece = get_global_id(0), first = piece * WIDTH;
    if (first + WIDTH <= n)
        STORE(LOAD(piece, a) + LOAD(piece, b), piece, c);
    else
        for (size_t i = first; i < n; ++i) c[i] = a[i] + b[i];
}
