// Fused tiles of the Gram matrix, multiplied by the instruction dp4a of NVIDIA devices (PRODUCT 4), which multiplies
// four pairs of bytes and adds them.
//
// NDRange: one group per tile of TILE x TILE frames, 256 work-items per tile; everything else is the same for all
// products and is described in the included file.

#include "gpu/xpcs/gram_tiled.cl"
