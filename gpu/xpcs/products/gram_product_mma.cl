// Tile product on NVIDIA tensor cores through inline PTX (sm_80 and later): u8 counts, 32-bit sums.
//
// WG = 128 work-items are four warps; each computes a quarter of 32 x 32 of a tile of 64 x 64, as 2 x 4 products
// m16n8k32. Both operands have their pixels in the same order, so the order inside a step may be permuted at will: a
// lane reads 16 bytes of a row and uses them as its share of two steps, straight from global memory (four lanes read 64
// bytes of a row; the first-level cache serves the other warp that needs them). flush steps of 64 bytes stay below 2^32
// before they are added to G_T.

#if TILE != 64 || WG != 128
#error "the tensor-core product is written for TILE 64 and WG 128"
#endif

#include "gpu/xpcs/products/gram_mma.cl"

static void tile_product(global const ELEM* a, global const ELEM* b, const uint row, const uint flush,
                         const bool diagonal, local G_T* g) {
    const uint warp = get_local_id(0) / 32, lane = get_local_id(0) % 32, group = lane / 4, quad = lane % 4;
    const uint i0 = warp / 2 * 32, j0 = warp % 2 * 32;
    for (uint i = get_local_id(0); i < TILE * TILE; i += WG) g[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (diagonal && i0 > j0) return;  // the epilogue reads the upper triangle only
    global const uint4* pa[4];
    global const uint4* pb[4];
#pragma unroll
    for (uint n = 0; n < 4; ++n) {
        pa[n] = (global const uint4*)(a + (size_t)(i0 + 8 * n + group) * row) + quad;
        pb[n] = (global const uint4*)(b + (size_t)(j0 + 8 * n + group) * row) + quad;
    }
    const uint steps = row / 64;
    for (uint step = 0; step < steps;) {
        uint c[2][4][4] = {};
        const uint stop = min(steps, step + flush);
#pragma unroll 2
        for (; step < stop; ++step) {
            uint4 va[4], vb[4];
#pragma unroll
            for (uint n = 0; n < 4; ++n) va[n] = pa[n][step * 4];
#pragma unroll
            for (uint n = 0; n < 4; ++n) vb[n] = pb[n][step * 4];
#pragma unroll
            for (uint m = 0; m < 2; ++m)
#pragma unroll
                for (uint n = 0; n < 4; ++n) {
                    mma(c[m][n], va[2 * m].x, va[2 * m + 1].x, va[2 * m].y, va[2 * m + 1].y, vb[n].x, vb[n].y);
                    mma(c[m][n], va[2 * m].z, va[2 * m + 1].z, va[2 * m].w, va[2 * m + 1].w, vb[n].z, vb[n].w);
                }
        }
#pragma unroll
        for (uint m = 0; m < 2; ++m)
#pragma unroll
            for (uint n = 0; n < 4; ++n)
#pragma unroll
                for (uint e = 0; e < 4; ++e) {
                    const uint i = i0 + 16 * m + group + e / 2 * 8, j = j0 + 8 * n + 2 * quad + e % 2;
                    g[i * TILE + j] += (G_T)c[m][n][e];
                }
    }
}
