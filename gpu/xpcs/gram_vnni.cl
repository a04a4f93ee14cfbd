// Fused tiles of the Gram matrix, multiplied by AVX-512 VNNI instructions of x86 processors (PRODUCT 3): vpdpbusd for
// counts up to 127, vpdpwssd up to 32767.
//
// NDRange: one group per tile of TILE x TILE frames, one work-item per tile; everything else is the same for all
// products and is described in the included file.

#include "gpu/xpcs/gram_tiled.cl"
