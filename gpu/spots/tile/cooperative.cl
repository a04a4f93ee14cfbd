// All work-items of a group load the tile together, neighbours next to each other; then, as in the published kernel,
// every pixel sums its window anew.
//
// NDRange and local memory: gpu/spots/tile/tile.cl.

#include "gpu/spots/tile/tile.cl"

kernel __attribute__((reqd_work_group_size(TX, TY, 1))) void find_in_tiles(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape) {
    local SRC tile[TILE_X * TILE_Y];
    local uchar valid[TILE_X * TILE_Y];
    for (uint i = get_local_id(1) * TX + get_local_id(0); i < TILE_X * TILE_Y; i += TX * TY)
        load_pixel(i, images, ignore, shape, tile, valid);
    barrier(CLK_LOCAL_MEM_FENCE);
    decide_pixel(tile, valid, bits, table, shape);
}
