// Tile product on NVIDIA devices by dp4a through inline PTX (sm_61 and later): u8 counts, 32-bit sums.
//
// The 256 work-items copy 64 bytes of each row of the two bands into local memory, where G will be, while those of the next
// step are on their way in registers. Each computes 4 x 4 products of rows that are 16 apart: neighbouring work-items read
// neighbouring rows, which lie in different banks. Four products are added to 32 bits at a time; flush times 16 of them
// stay below 2^32 before they are added to G_T.

#if TILE != 64 || WG != 256
#error "the product by dp4a is written for TILE 64 and WG 256"
#endif

static inline uint add_four(uint sum, const uint a, const uint b) {
    asm volatile("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

static void tile_product(global const ELEM* a, global const ELEM* b, const uint row, const uint flush,
                         const bool diagonal, local G_T* g) {
    const uint words = 5;  // of 16 bytes: four, and one that is never used
    local uint4* const staged_a = (local uint4*)g;
    local uint4* const staged_b = staged_a + TILE * words;
    const uint lid = get_local_id(0), i0 = lid / 16, j0 = lid % 16, own = lid / 4 * words + lid % 4;
    global const uint4* const from_a = (global const uint4*)(a + (size_t)(lid / 4) * row) + lid % 4;
    global const uint4* const from_b = (global const uint4*)(b + (size_t)(lid / 4) * row) + lid % 4;
    const uint steps = row / 64;
    uint4 next_a = from_a[0], next_b = from_b[0];
    G_T total[4][4] = {};
    for (uint step = 0; step < steps;) {
        uint sum[4][4] = {};
        const uint stop = min(steps, step + max(1u, flush / 4));
        for (; step < stop; ++step) {
            barrier(CLK_LOCAL_MEM_FENCE);
            staged_a[own] = next_a;
            staged_b[own] = next_b;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (step + 1 < steps) {
                next_a = from_a[4 * step + 4];
                next_b = from_b[4 * step + 4];
            }
#pragma unroll
            for (uint k = 0; k < 4; ++k) {
                uint4 va[4], vb[4];
#pragma unroll
                for (uint n = 0; n < 4; ++n) {
                    va[n] = staged_a[(i0 + 16 * n) * words + k];
                    vb[n] = staged_b[(j0 + 16 * n) * words + k];
                }
#pragma unroll
                for (uint m = 0; m < 4; ++m)
#pragma unroll
                    for (uint n = 0; n < 4; ++n) {
                        sum[m][n] = add_four(sum[m][n], va[m].x, vb[n].x);
                        sum[m][n] = add_four(sum[m][n], va[m].y, vb[n].y);
                        sum[m][n] = add_four(sum[m][n], va[m].z, vb[n].z);
                        sum[m][n] = add_four(sum[m][n], va[m].w, vb[n].w);
                    }
            }
        }
#pragma unroll
        for (uint m = 0; m < 4; ++m)
#pragma unroll
            for (uint n = 0; n < 4; ++n) total[m][n] += (G_T)sum[m][n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint m = 0; m < 4; ++m)
#pragma unroll
        for (uint n = 0; n < 4; ++n) g[(i0 + 16 * m) * TILE + j0 + 16 * n] = total[m][n];
}
