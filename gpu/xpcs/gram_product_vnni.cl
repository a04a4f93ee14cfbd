// Tile product for x86 CPUs with AVX-512 VNNI: one work-item computes the whole tile.
//
// Counts up to 127 (ELEM uchar): vpdpbusd multiplies 64 pairs of bytes and adds four neighbours to each 32-bit lane.
// Counts up to 32767 (ELEM short): vpdpwssd does the same with 32 pairs, two neighbours per lane. flush steps stay
// below 2^31 in a lane, so every sum is exact.
// A block of RM x RN rows keeps its sums in registers while it walks through CHUNK elements of the rows: one chunk of the
// TILE rows stays in the second-level cache.

typedef int ints16 __attribute__((vector_size(64)));

#if ELEM_BYTES == 1
#define MULTIPLY_ADD "vpdpbusd"
#else
#define MULTIPLY_ADD "vpdpwssd"
#endif
#define STEP (64 / ELEM_BYTES)

static inline G_T lanes_sum(const ints16 v) {
    const int16 x = *(const int16*)&v;
#if G_BYTES == 4
    const int8 s = x.lo + x.hi;  // G_T is kept modulo 2^32
#else
    const long8 s = convert_long8(x.lo) + convert_long8(x.hi);
#endif
    return (G_T)(s.s0 + s.s1 + s.s2 + s.s3 + s.s4 + s.s5 + s.s6 + s.s7);
}

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
                    ints16 sum[RM][RN] = {};
                    const uint stop = (uint)min((ulong)k1, k + (ulong)STEP * flush);
                    for (; k < stop; k += STEP) {
                        ints16 vb[RN];
#pragma unroll
                        for (uint n = 0; n < RN; ++n) vb[n] = *(global const ints16*)(rb + (size_t)n * row + k);
#pragma unroll
                        for (uint m = 0; m < RM; ++m) {
                            const ints16 va = *(global const ints16*)(ra + (size_t)m * row + k);
#pragma unroll
                            for (uint n = 0; n < RN; ++n)
                                __asm__(MULTIPLY_ADD " %2, %1, %0" : "+v"(sum[m][n]) : "v"(va), "v"(vb[n]));
                        }
                    }
#pragma unroll
                    for (uint m = 0; m < RM; ++m)
#pragma unroll
                        for (uint n = 0; n < RN; ++n) g[(i + m) * TILE + j + n] += lanes_sum(sum[m][n]);
                }
            }
    }
}
