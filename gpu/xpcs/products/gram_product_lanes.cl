// Tile product with instructions that multiply vectors of STEP counts and add neighbouring products to the lanes of a
// SUMS, which have 32 bits, or first to narrower ones of a SHORT_SUMS. Lanes do not overflow within flush steps, so
// every sum is exact. A block of RM x RN rows keeps its sums in registers while it walks through CHUNK elements of the
// rows: one chunk of the TILE rows stays in the second-level cache.
//
// Define before: SUMS, a vector of int; COUNTS, a vector of STEP counts; ADD_PRODUCTS(sum, a, b); lanes_sum(). For
// narrower lanes SHORT_SUMS, to which ADD_PRODUCTS adds, and widened(); CHUNK elements then fit a SUMS.

static void tile_product(global const ELEM* a, global const ELEM* b, const uint row, const uint flush,
                         const bool diagonal, G_T* g) {
    for (uint i = 0; i < TILE * TILE; ++i) g[i] = 0;
    for (uint k0 = 0; k0 < row; k0 += CHUNK) {
        const uint k1 = min(row, k0 + CHUNK);
        for (uint i = 0; i < TILE; i += RM)
            for (uint j = diagonal ? i / RN * RN : 0; j < TILE; j += RN) {
                global const ELEM* ra = a + (size_t)i * row;
                global const ELEM* rb = b + (size_t)j * row;
                for (uint k = k0; k < k1;) {
                    SUMS sum[RM][RN] = {};
#ifdef SHORT_SUMS
                    while (k < k1) {
                        SHORT_SUMS part[RM][RN] = {};
#else
#define part sum
#endif
                    const uint stop = (uint)min((ulong)k1, k + (ulong)STEP * flush);
                    for (; k < stop; k += STEP) {
                        COUNTS vb[RN];
#pragma unroll
                        for (uint n = 0; n < RN; ++n) vb[n] = *(global const COUNTS*)(rb + (size_t)n * row + k);
#pragma unroll
                        for (uint m = 0; m < RM; ++m) {
                            const COUNTS va = *(global const COUNTS*)(ra + (size_t)m * row + k);
#pragma unroll
                            for (uint n = 0; n < RN; ++n) ADD_PRODUCTS(part[m][n], va, vb[n]);
                        }
                    }
#ifdef SHORT_SUMS
#pragma unroll
                        for (uint m = 0; m < RM; ++m)
#pragma unroll
                            for (uint n = 0; n < RN; ++n) sum[m][n] += widened(part[m][n]);
                    }
#endif
#pragma unroll
                    for (uint m = 0; m < RM; ++m)
#pragma unroll
                        for (uint n = 0; n < RN; ++n) g[(i + m) * TILE + j + n] += (G_T)lanes_sum(sum[m][n]);
                }
            }
    }
}
