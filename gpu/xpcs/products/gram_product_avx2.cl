// Tile product for x86 CPUs with AVX2: one work-item computes the whole tile.
//
// Counts up to 127 (ELEM uchar): vpmaddubsw multiplies 32 pairs of bytes and adds neighbours into 16-bit lanes. The lanes
// hold flush steps of 2 MAX_COUNT^2 <= 32767 before they are widened, so every sum is exact.
// Counts up to 32767 (ELEM short): vpmaddwd multiplies 16 pairs into 32-bit lanes.

typedef char bytes32 __attribute__((vector_size(32)));
typedef short shorts16 __attribute__((vector_size(32)));
typedef int ints8 __attribute__((vector_size(32)));

static inline long lanes_sum(ints8 v) {
    int8 x = *(int8*)&v;
    long4 s = convert_long4(x.lo) + convert_long4(x.hi);
    return s.s0 + s.s1 + s.s2 + s.s3;
}

static inline ints8 widened(const shorts16 v) {
    const shorts16 ones = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return (ints8)__builtin_ia32_pmaddwd256(v, ones);
}

#define STEP (32 / ELEM_BYTES)
#define SUMS ints8
#if ELEM_BYTES == 1
#define COUNTS bytes32
#define SHORT_SUMS shorts16
#define ADD_PRODUCTS(sum, a, b) sum += (shorts16)__builtin_ia32_pmaddubsw256(a, b)
#else
#define COUNTS shorts16
#define ADD_PRODUCTS(sum, a, b) sum += (ints8)__builtin_ia32_pmaddwd256(a, b)
#endif
#include "gpu/xpcs/products/gram_product_lanes.cl"
