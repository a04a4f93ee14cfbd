// Fused tiles of the Gram matrix, multiplied by the tensor cores of NVIDIA devices (PRODUCT 2), for counts up to 255.
//
// NDRange: one group per tile of TILE x TILE frames, 128 work-items per tile; everything else is the same for all
// products and is described in the included file.

#include "gpu/xpcs/gram_tiled.cl"
