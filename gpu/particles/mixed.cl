// Products in float; every term is added with compensation, or in double.
// NDRange, local memory and arguments: tile.cl.
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef MIXED
#define MIXED 1
#endif
#include "gpu/particles/tile.cl"
