// Tile product for x86 CPUs with AVX2: one work-item computes the whole tile.
//
// Counts up to 127 (ELEM uchar): vpmaddubsw multiplies 32 pairs of bytes and adds neighbours into 16-bit lanes. The lanes
// hold flush steps of 2 MAX_COUNT^2 <= 32767 before they are widened, so every sum is exact.
// Counts up to 32767 (ELEM short): vpmaddwd multiplies 16 pairs into 32-bit lanes.
// Blocks and chunks: gpu/xpcs/gram_product_lanes.cl.

typedef char bytes32 __attribute__((vector_size(32)));
typedef short shorts16 __attribute__((vector_size(32)));
typedef int ints8 __attribute__((vector_size(32)));

static inline long lanes_sum(ints8 v) {
    int8 x = *(int8*)&v;
    long4 s = convert_long4(x.lo) + convert_long4(x.hi);
    return s.s0 + s.s1 + s.s2 + s.s3;
}

#if ELEM_BYTES == 1
static void tile_product(global const ELEM* a, global const ELEM* b, const uint row, const uint flush,
                         const bool diagonal, G_T* g) {
    for (uint i = 0; i < TILE * TILE; ++i) g[i] = 0;
    for (uint k0 = 0; k0 < row; k0 += CHUNK) {
        const uint k1 = min(row, k0 + CHUNK);
        for (uint i = 0; i < TILE; i += RM)
            for (uint j = diagonal ? i / RN * RN : 0; j < TILE; j += RN) {
                global const ELEM* ra = a + (size_t)i * row;
                global const ELEM* rb = b + (size_t)j * row;
                const shorts16 ones = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
                ints8 sum[RM][RN] = {};
                for (uint k = k0; k < k1;) {
                    shorts16 part[RM][RN] = {};
                    const uint stop = min(k1, k + 32 * flush);
                    for (; k < stop; k += 32) {
                        bytes32 vb[RN];
#pragma unroll
                        for (uint n = 0; n < RN; ++n) vb[n] = *(global const bytes32*)(rb + (size_t)n * row + k);
#pragma unroll
                        for (uint m = 0; m < RM; ++m) {
                            const bytes32 va = *(global const bytes32*)(ra + (size_t)m * row + k);
#pragma unroll
                            for (uint n = 0; n < RN; ++n)
                                part[m][n] += (shorts16)__builtin_ia32_pmaddubsw256(va, vb[n]);
                        }
                    }
#pragma unroll
                    for (uint m = 0; m < RM; ++m)
#pragma unroll
                        for (uint n = 0; n < RN; ++n)
                            sum[m][n] += (ints8)__builtin_ia32_pmaddwd256(part[m][n], ones);
                }
#pragma unroll
                for (uint m = 0; m < RM; ++m)
#pragma unroll
                    for (uint n = 0; n < RN; ++n) g[(i + m) * TILE + j + n] += (G_T)lanes_sum(sum[m][n]);
            }
    }
}
#else
#define ADD_PRODUCTS(sum, a, b) sum += (ints8)__builtin_ia32_pmaddwd256(a, b)
#define STEP 16
#define SUMS ints8
#define COUNTS shorts16
#include "gpu/xpcs/gram_product_lanes.cl"
#endif
