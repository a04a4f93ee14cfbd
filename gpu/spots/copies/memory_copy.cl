// Copies of 1-, 2- and 3-dimensional arrays of 16-bit values through tiles in local memory: the exercise before the spot finder,
// to be sure that global, local and group indices mean what one thinks.
//
// NDRange: copy_1d (x), copy_2d (x, y), copy_3d (x, y, frame), each rounded up to the group; groups LX, (LX, LY), (LX, LY, 1).
// Local memory: one value a work-item, 2 LX LY bytes at most.
//
// Every work-item fetches one value of the tile, and after the barrier writes one that a neighbour fetched: the tile is read
// back to front, and so are the places it is written to. A wrong index shows, which it would not if each item wrote what it
// had read itself. Items beyond the array (index >= length, not >) take part in the barrier and touch no global memory.

#ifndef LX
#define LX 16
#endif
#ifndef LY
#define LY 12
#endif

/// Place in the tile of the mirrored work-item.
#define MIRRORED(id, size) ((size)-1 - (id))

kernel __attribute__((reqd_work_group_size(LX, 1, 1))) void copy_1d(global const ushort* from, global ushort* to,
                                                                   const uint width) {
    local ushort tile[LX];
    const uint lx = get_local_id(0), first = get_group_id(0) * LX;
    if (first + lx < width) tile[lx] = from[first + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint x = MIRRORED(lx, LX);
    if (first + x < width) to[first + x] = tile[x];
}

kernel __attribute__((reqd_work_group_size(LX, LY, 1))) void copy_2d(global const ushort* from, global ushort* to,
                                                                    const uint height, const uint width) {
    local ushort tile[LY * LX];
    const uint lx = get_local_id(0), ly = get_local_id(1);
    const uint x0 = get_group_id(0) * LX, y0 = get_group_id(1) * LY;
    if (x0 + lx < width && y0 + ly < height) tile[ly * LX + lx] = from[(size_t)(y0 + ly) * width + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint x = MIRRORED(lx, LX), y = MIRRORED(ly, LY);
    if (x0 + x < width && y0 + y < height) to[(size_t)(y0 + y) * width + x0 + x] = tile[y * LX + x];
}

kernel __attribute__((reqd_work_group_size(LX, LY, 1))) void copy_3d(global const ushort* from, global ushort* to,
                                                                    const uint frames, const uint height,
                                                                    const uint width) {
    local ushort tile[LY * LX];
    const uint lx = get_local_id(0), ly = get_local_id(1), frame = get_global_id(2);
    const uint x0 = get_group_id(0) * LX, y0 = get_group_id(1) * LY;
    const size_t start = (size_t)frame * height * width;
    const bool there = frame < frames;
    if (there && x0 + lx < width && y0 + ly < height)
        tile[ly * LX + lx] = from[start + (size_t)(y0 + ly) * width + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint x = MIRRORED(lx, LX), y = MIRRORED(ly, LY);
    if (there && x0 + x < width && y0 + y < height) to[start + (size_t)(y0 + y) * width + x0 + x] = tile[y * LX + x];
}
