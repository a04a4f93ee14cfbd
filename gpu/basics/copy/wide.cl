// As plain.cl, with EACH wide loads and stores per work-item, each of WIDTH values of a row. The remainder at
// the end of a row is copied value by value. vload guarantees a compiler only the alignment of a single
// value, so rows that begin at a multiple of WIDTH are read through a pointer to vectors.
// NDRange: dimension 0 counts pieces of WIDTH EACH values, rounded up to groups of WG in a row, dimensions 1
// and 2 are row and slice if the array is indexed by them; no local memory.
#ifndef WIDTH
#define WIDTH 8
#endif
#ifndef WG
#define WG 256
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

// Copies a work-item's loads of the row that begins at `start`; those of a group are adjacent.
void copy_piece(const size_t start, const ulong width, global const ushort* from, global ushort* to) {
    const size_t item = get_local_id(0), first = (get_global_id(0) - item) * PIECE + item * WIDTH;
    global const ushort* const source = from + start;
    global ushort* const target = to + start;
    for (uint i = 0; i < EACH; ++i) {
        const size_t x = first + i * WG * WIDTH;
        if (x + WIDTH > width)
            for (size_t at = x; at < width; ++at) target[at] = source[at];
        else if (start % WIDTH == 0)
            *(global VALUES*)(target + x) = *(global const VALUES*)(source + x);
        else
            STORE(LOAD(0, source + x), 0, target + x);
    }
}

kernel void copy_1d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    copy_piece(0, width, from, to);
}

kernel void copy_2d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t y = get_global_id(1);
    if (y < height) copy_piece(y * width, width, from, to);
}

kernel void copy_3d(const ulong width, const ulong height, const ulong depth, global const ushort* from,
                    global ushort* to) {
    const size_t y = get_global_id(1), z = get_global_id(2);
    if (y < height && z < depth)
        copy_piece((z * height + y) * width, width, from, to);
}
