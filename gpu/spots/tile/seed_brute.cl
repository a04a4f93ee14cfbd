// The published spot finder: one work-item per pixel, and one work-item per group loads the tile for all of them. No
// sums are shared: every pixel sums its window anew.
//
// As published, the work-item that loads is selected by comparing the three local ids with each other in one chain,
// which is true for 180 of the 192 work-items of a group: all of these fill the whole tile at once, with the same
// values. AS_PUBLISHED=1 does that again, to measure its cost. Also corrected: sums are exact (the paper's are floats),
// products do not overflow, the tile is as wide as needed, and signal is one bit per pixel.
//
// NDRange and local memory: gpu/spots/tile/tile.cl.

#include "gpu/spots/tile/tile.cl"

#ifndef AS_PUBLISHED
#define AS_PUBLISHED 0
#endif

kernel __attribute__((reqd_work_group_size(TX, TY, 1))) void find_in_tiles(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape) {
    local SRC tile[TILE_X * TILE_Y];
    local uchar valid[TILE_X * TILE_Y];
#if AS_PUBLISHED
    const int same = get_local_id(2) == get_local_id(1);
    const bool loads = (same == (int)get_local_id(0)) == 0;
#else
    const bool loads = get_local_id(0) == 0 && get_local_id(1) == 0;
#endif
    if (loads)
        for (uint i = 0; i < TILE_X * TILE_Y; ++i) load_pixel(i, images, ignore, shape, tile, valid);
    barrier(CLK_LOCAL_MEM_FENCE);
    decide_pixel(tile, valid, bits, table, shape);
}
