// Several targets per work-item: each source read from local memory serves all of them, and their
// exponentials overlap. NDRange, local memory and arguments: tile.cl.
#ifndef ITEMS
#define ITEMS 4
#endif
#include "gpu/particles/tile.cl"
