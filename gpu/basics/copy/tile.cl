// Copies an array through tiles in local memory, to verify that global, local and group indices mean what one
// expects. Every work-item loads one value of the tile, and after the barrier writes one that another item
// loaded: the tile is read in reverse, and so are the positions it is written to. A wrong index shows, which
// it would not if each item wrote the value it had read itself. Items beyond the array (index >= length, not
// >) take part in the barrier but do not access global memory.
//
// NDRange: copy_1d (x), copy_2d (x, y), copy_3d (x, y, z), each rounded up to the group; groups of LX LY
// items in one dimension, else (LX, LY) or (LX, LY, 1). Local memory: one value per work-item, 2 LX LY bytes.

#ifndef LX
#define LX 16
#endif
#ifndef LY
#define LY 12
#endif

/// Position in the tile of the mirrored work-item.
#define MIRRORED(id, size) ((size)-1 - (id))

kernel __attribute__((reqd_work_group_size(LX * LY, 1, 1))) void copy_1d(const ulong width, const ulong height,
                                                                        const ulong depth,
                                                                        global const ushort* from,
                                                                        global ushort* to) {
    local ushort tile[LX * LY];
    const size_t lx = get_local_id(0), first = get_global_id(0) - lx;
    if (first + lx < width) tile[lx] = from[first + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t x = MIRRORED(lx, LX * LY);
    if (first + x < width) to[first + x] = tile[x];
}

/// Copies the tile of the group in the slice that begins at `start`; does nothing if the slice is not `there`.
void copy_tile(const bool there, const size_t start, const ulong width, const ulong height,
               global const ushort* from, global ushort* to, local ushort* tile) {
    const size_t lx = get_local_id(0), ly = get_local_id(1);
    const size_t x0 = get_global_id(0) - lx, y0 = get_global_id(1) - ly;
    if (there && x0 + lx < width && y0 + ly < height)
        tile[ly * LX + lx] = from[start + (y0 + ly) * width + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t x = MIRRORED(lx, LX), y = MIRRORED(ly, LY);
    if (there && x0 + x < width && y0 + y < height) to[start + (y0 + y) * width + x0 + x] = tile[y * LX + x];
}

kernel __attribute__((reqd_work_group_size(LX, LY, 1))) void copy_2d(const ulong width, const ulong height,
                                                                    const ulong depth,
                                                                    global const ushort* from,
                                                                    global ushort* to) {
    local ushort tile[LY * LX];
    copy_tile(true, 0, width, height, from, to, tile);
}

kernel __attribute__((reqd_work_group_size(LX, LY, 1))) void copy_3d(const ulong width, const ulong height,
                                                                    const ulong depth,
                                                                    global const ushort* from,
                                                                    global ushort* to) {
    local ushort tile[LY * LX];
    const size_t z = get_global_id(2);
    copy_tile(z < depth, z * height * width, width, height, from, to, tile);
}
