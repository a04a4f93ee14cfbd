// Exact sums of the window of a pixel, from words of two; see gpu/spots/screened/screened.cl. After
// gpu/spots/screened/screened_walk.cl.

#if PTX
// Low bytes of two pairs, and high ones.
static inline uint low_bytes(const uint a, const uint b) {
    uint c;
    asm("prmt.b32 %0, %1, %2, 0x6420;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}
static inline uint high_bytes(const uint a, const uint b) {
    uint c;
    asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}
// a . b + c, of 4 bytes each.
static inline uint dot_bytes(const uint a, const uint b, const uint c) {
    uint d;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}
#define ROWS_UNROLLED _Pragma("unroll")
#else
static inline uint low_bytes(const uint a, const uint b) {
    return as_uint((uchar4)(as_uchar4(a).s02, as_uchar4(b).s02));
}
static inline uint high_bytes(const uint a, const uint b) {
    return as_uint((uchar4)(as_uchar4(a).s13, as_uchar4(b).s13));
}
static inline uint dot_bytes(const uint a, const uint b, const uint c) {
    const uint4 x = convert_uint4(as_uchar4(a)) * convert_uint4(as_uchar4(b));
    return x.x + x.y + x.z + x.w + c;
}
// Compilers for processors take long to unroll it.
#define ROWS_UNROLLED _Pragma("unroll 1")
#endif

// Sums of a window without masked pixels, or only with those of margins, which are zeros; `m` as if there were none.
// False if it contains counts of CLAMP and more. @param odd whether the first pixel of a row of the window is the
// second of a word
static inline bool quick_sums(global const SRC* pixel, const uint pitch, const bool odd, sums_t* sums) {
#if PAIRS_IN_MEMORY
    global const SRC* row = pixel - KX - (odd ? 1 : 0) - KY * (int)PITCH;
    const uint first = odd ? 0xFFFF0000 : 0xFFFFFFFF, last = odd ? 0xFFFFFFFF : 0xFFFF;
    uint pairs = 0, hh = 0, hl = 0, ll = 0, any = 0;  // of counts h 256 + l
    ROWS_UNROLLED
    for (int dy = 0; dy < DEPTH; ++dy) {
        uint words[KX + 2];
#pragma unroll
        for (int k = 0; k <= KX; ++k) words[k] = ((global const uint*)(row + dy * (int)PITCH))[k];
        words[0] &= first;
        words[KX] &= last;
        words[KX + 1] = 0;
#pragma unroll
        for (int k = 0; k <= KX; k += 2) {
            const uint high = high_bytes(words[k], words[k + 1]), low = low_bytes(words[k], words[k + 1]);
            any |= words[k] | words[k + 1];
            pairs += words[k] + words[k + 1];
            hh = dot_bytes(high, high, hh);
            hl = dot_bytes(high, low, hl);
            ll = dot_bytes(low, low, ll);
        }
    }
    *sums = no_sums();
    sums->m = WINDOW;
    sums->x = (pairs & 0xFFFF) + (pairs >> 16);
    sums->y = (hh << 16) + (hl << 9) + ll;
    return (any & OVER) == 0;
#else
    return false;
#endif
}
