// As plain.cl, WIDTH values of a row a work-item by one wide load and one wide store. The last item of a row
// takes what is left one by one.
// NDRange: dimension 0 counts pieces of WIDTH values, rounded up to groups of WG in a row, dimensions 1 and 2
// are row and slice where the array is indexed by them; no local memory.
#ifndef WIDTH
#define WIDTH 8
#endif
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define LOAD NAMED(vload, WIDTH)
#define STORE NAMED(vstore, WIDTH)

/// Copies what there is from x on of the row that begins at `start`.
void copy_piece(const size_t x, const size_t start, const ulong width, global const ushort* from,
                global ushort* to) {
    if (x + WIDTH <= width)
        STORE(LOAD(0, from + start + x), 0, to + start + x);
    else
        for (size_t i = start + x; i < start + width; ++i) to[i] = from[i];
}

kernel void copy_1d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    copy_piece(get_global_id(0) * WIDTH, 0, width, from, to);
}

kernel void copy_2d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t y = get_global_id(1);
    if (y < height) copy_piece(get_global_id(0) * WIDTH, y * width, width, from, to);
}

kernel void copy_3d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t y = get_global_id(1), z = get_global_id(2);
    if (y < height && z < depth)
        copy_piece(get_global_id(0) * WIDTH, (z * height + y) * width, width, from, to);
}
