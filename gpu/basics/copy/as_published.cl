// The published copy in three dimensions, with both of its mistakes. One item of a group is meant to load the tile for
// all of them and is selected by comparing its three local ids in one chain, which is true for 180 of the 192 items:
// all of these load the whole tile, with the same values. In addition, positions outside are detected by `>` instead
// of `>=`: the tile includes the value after each row, and the row after each slice. These are never written, so the
// copy is correct; but after the last slice they are not part of the array.
// NDRange: (slice, row, value), as published, each rounded up to groups of (1, 12, 16); local memory: 512 bytes.
// With COUNTED it also marks which values past the end are read, and counts the items that load.
#ifndef COUNTED
#define COUNTED 0
#endif
#define PLACES 256

kernel void copy_3d(global const ushort* from, const int depth, const int height, const int width,
                    global ushort* to, volatile global uint* behind, volatile global uint* loading) {
    local ushort tile[PLACES];
    const int z = get_global_id(0), y = get_global_id(1), x = get_global_id(2);
    const int lz = get_local_id(0), ly = get_local_id(1), lx = get_local_id(2);
    const int nz = get_local_size(0), ny = get_local_size(1), nx = get_local_size(2);
    // lz == ly == lx == 0, as C evaluates it
    const int same = lz == ly, chain = same == lx;
    if (chain == 0) {
#if COUNTED
        atomic_inc(loading);
#endif
        for (int k = 0; k < nz; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i) {
                    const int gz = z - lz + k, gy = y - ly + j, gx = x - lx + i;
                    ushort value = 0;
                    if (!(gz > depth || gy > height || gx > width)) {
                        const int at = (gz * height + gy) * width + gx;
                        value = from[at];
#if COUNTED
                        if (at >= depth * height * width) atomic_xchg(behind + (at - depth * height * width), 1u);
#endif
                    }
                    tile[(k * ny + j) * nx + i] = value;
                }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (z < depth && y < height && x < width)
        to[(z * height + y) * width + x] = tile[(lz * ny + ly) * nx + lx];
}
