// Fused tiles of the Gram matrix, multiplied by AVX2 instructions of x86 processors (PRODUCT 1): vpmaddubsw for counts
// up to 127, vpmaddwd up to 32767.
//
// NDRange: one group per tile of TILE x TILE frames, one work-item per tile; everything else is the same for all
// products and is described in the included file.

#include "gpu/xpcs/gram_tiled.cl"
