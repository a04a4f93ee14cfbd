// Tile product for x86 CPUs with AVX-512 VNNI: one work-item computes the whole tile.
//
// Counts up to 127 (ELEM uchar): vpdpbusd multiplies 64 pairs of bytes and adds four neighbours to each 32-bit lane.
// Counts up to 32767 (ELEM short): vpdpwssd does the same with 32 pairs, two neighbours per lane.

typedef int ints16 __attribute__((vector_size(64)));

#if ELEM_BYTES == 1
#define MULTIPLY_ADD "vpdpbusd"
#else
#define MULTIPLY_ADD "vpdpwssd"
#endif
#define ADD_PRODUCTS(sum, a, b) __asm__(MULTIPLY_ADD " %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b))
#define STEP (64 / ELEM_BYTES)
#define SUMS ints16
#define COUNTS ints16

static inline G_T lanes_sum(const ints16 v) {
    const int16 x = *(const int16*)&v;
#if G_BYTES == 4
    const int8 s = x.lo + x.hi;  // G_T is kept modulo 2^32
#else
    const long8 s = convert_long8(x.lo) + convert_long8(x.hi);
#endif
    return (G_T)(s.s0 + s.s1 + s.s2 + s.s3 + s.s4 + s.s5 + s.s6 + s.s7);
}

#include "gpu/xpcs/products/gram_product_lanes.cl"
