// As plain.cl, by EACH wide loads and stores a work-item, of WIDTH values of a row each, side by side. The last
// item of a row takes what is left one by one. vload promises a compiler no more than the alignment of a single value,
// so rows that begin at a multiple of WIDTH are read through a pointer to vectors.
// NDRange: dimension 0 counts pieces of WIDTH EACH values, rounded up to groups of WG in a row, dimensions 1 and 2
// are row and slice where the array is indexed by them; no local memory.
#ifndef WIDTH
#define WIDTH 8
#endif
#ifndef EACH
#define EACH 1
#endif
#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define PIECE (WIDTH * EACH)
#define LOAD NAMED(vload, WIDTH)
#define STORE NAMED(vstore, WIDTH)
#define VALUES NAMED(ushort, WIDTH)

/// Copies what there is from x on of the row that begins at `start`.
void copy_piece(const size_t x, const size_t start, const ulong width, global const ushort* from,
                global ushort* to) {
    global const ushort* const source = from + start + x;
    global ushort* const target = to + start + x;
    if (x + PIECE <= width && start % WIDTH == 0)
        for (uint i = 0; i < EACH; ++i) ((global VALUES*)target)[i] = ((global const VALUES*)source)[i];
    else if (x + PIECE <= width)
        for (uint i = 0; i < EACH; ++i) STORE(LOAD(i, source), i, target);
    else
        for (size_t i = 0; x + i < width; ++i) target[i] = source[i];
}

kernel void copy_1d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    copy_piece(get_global_id(0) * PIECE, 0, width, from, to);
}

kernel void copy_2d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t y = get_global_id(1);
    if (y < height) copy_piece(get_global_id(0) * PIECE, y * width, width, from, to);
}

kernel void copy_3d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t y = get_global_id(1), z = get_global_id(2);
    if (y < height && z < depth)
        copy_piece(get_global_id(0) * PIECE, (z * height + y) * width, width, from, to);
}
