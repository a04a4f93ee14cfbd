// The plain form of tile.cl: one target per work-item, sources in tiles of local memory.
// NDRange, local memory and arguments: tile.cl.
#ifndef ITEMS
#define ITEMS 1
#endif
#include "gpu/particles/tile.cl"
