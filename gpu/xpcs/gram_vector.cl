// Fused tiles of the Gram matrix, multiplied by plain OpenCL C, with explicit vectors of VW counts (PRODUCT 0). Any
// device runs it.
//
// NDRange: one group per tile of TILE x TILE frames, WG work-items per tile; everything else is the same for all
// products and is described in the included file.

#include "gpu/xpcs/gram_tiled.cl"
