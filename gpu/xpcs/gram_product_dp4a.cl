// Tile product on NVIDIA devices by dp4a through inline PTX (sm_61 and later): u8 counts, 32-bit sums.
//
// Each work-item of the group computes blocks of RM x RN rows. It reads 16 bytes of a row and multiplies four of them at
// a time with four of another row, adding the products to 32 bits. flush steps of 16 bytes stay below 2^32 before they
// are added to G_T.

static inline uint add_four(uint sum, const uint a, const uint b) {
    asm volatile("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

static void tile_product(global const ELEM* a, global const ELEM* b, const uint row, const uint flush,
                         const bool diagonal, local G_T* g) {
    for (uint block = get_local_id(0); block < (TILE / RM) * (TILE / RN); block += WG) {
        const uint i = block / (TILE / RN) * RM, j = block % (TILE / RN) * RN;
        if (diagonal && j + RN <= i) continue;
        global const uint4* ra = (global const uint4*)(a + (size_t)i * row);
        global const uint4* rb = (global const uint4*)(b + (size_t)j * row);
        const uint steps = row / 16;
        G_T total[RM][RN] = {};
        for (uint k = 0; k < steps;) {
            uint sum[RM][RN] = {};
            const uint stop = min(steps, k + flush);
            for (; k < stop; ++k) {
                uint4 vb[RN];
#pragma unroll
                for (uint n = 0; n < RN; ++n) vb[n] = rb[(size_t)n * steps + k];
#pragma unroll
                for (uint m = 0; m < RM; ++m) {
                    const uint4 va = ra[(size_t)m * steps + k];
#pragma unroll
                    for (uint n = 0; n < RN; ++n) {
                        sum[m][n] = add_four(sum[m][n], va.x, vb[n].x);
                        sum[m][n] = add_four(sum[m][n], va.y, vb[n].y);
                        sum[m][n] = add_four(sum[m][n], va.z, vb[n].z);
                        sum[m][n] = add_four(sum[m][n], va.w, vb[n].w);
                    }
                }
            }
#pragma unroll
            for (uint m = 0; m < RM; ++m)
#pragma unroll
                for (uint n = 0; n < RN; ++n) total[m][n] += (G_T)sum[m][n];
        }
#pragma unroll
        for (uint m = 0; m < RM; ++m)
#pragma unroll
            for (uint n = 0; n < RN; ++n) g[(i + m) * TILE + j + n] = total[m][n];
    }
}
