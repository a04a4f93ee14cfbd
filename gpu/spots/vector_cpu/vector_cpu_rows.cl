// Functions shared by kernels with explicit vectors of 16 pixels: see gpu/spots/vector_cpu/vector_cpu.cl. No function
// takes or returns a vector of more than 32 bytes, as the calling convention for these depends on the processor.

#define V 16
#define DEPTH (2 * KY + 1)
#define SATURATED 65535
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

// Conversions of vectors: the compiler's built-in ones, as the library's work element by element.
#ifdef __has_builtin
#if __has_builtin(__builtin_convertvector)
#define CONVERT(type, vector) __builtin_convertvector(vector, type)
#endif
#endif
#ifndef CONVERT
#define CONVERT(type, vector) JOIN(convert_, type)(vector)
#endif

// Vectors at any element: the library's vload works element by element, too.
typedef ushort16 __attribute__((aligned(2))) ushort16_at;
typedef ushort8 __attribute__((aligned(2))) ushort8_at;
typedef uint8 __attribute__((aligned(4))) uint8_at;
typedef uchar16 __attribute__((aligned(1))) uchar16_at;
typedef uchar8 __attribute__((aligned(1))) uchar8_at;

// Valid counts, clipped at SATURATED; 0 elsewhere.
static inline ushort16 valid_counts(global const SRC* image, global const uchar* ignore) {
    JOIN(SRC, 16) counts = *(global const JOIN(SRC, 16)*)image;
    const char16 heeded = *(global const uchar16*)ignore == (uchar16)0;
    const short16 inside = CONVERT(short16, heeded);
#ifdef LIMIT
    counts = counts < (JOIN(SRC, 16))(SRC)(LIMIT) ? counts : (JOIN(SRC, 16))0;
#endif
#if KIND == 1
    counts = counts < (JOIN(SRC, 16))(SRC)SATURATED ? counts : (JOIN(SRC, 16))(SRC)SATURATED;
#endif
    return CONVERT(ushort16, counts) & as_ushort16(inside);
}

static inline ushort16 capped(const ushort16 counts, const ushort cap) {
    return counts < (ushort16)cap ? counts : (ushort16)cap;
}

static inline bool any_set(const ushort16 v) {
    const ulong4 a = as_ulong4(v);
    return (a.s0 | a.s1 | a.s2 | a.s3) != 0;
}

// -1 where valid.
static inline char16 valid_pixels(global const SRC* image, global const uchar* ignore) {
    const char16 inside = *(global const uchar16*)ignore == (uchar16)0;
#ifdef LIMIT
    const JOIN(SRC, 16) values = *(global const JOIN(SRC, 16)*)image;
    return inside & CONVERT(char16, values < (JOIN(SRC, 16))(SRC)(LIMIT));
#else
    return inside;
#endif
}

// Bit i where element i is -1; elements are 0 or -1.
static inline uint bits_of(const ushort16 mask) {
    const ushort16 ones =
        mask & (ushort16)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
    const ushort8 a = ones.lo | ones.hi;
    const ushort4 b = a.lo | a.hi;
    const ushort2 c = b.lo | b.hi;
    return (uint)(ushort)(c.lo | c.hi);
}

// Whether a block or its neighbours had an event in the last DEPTH rows, from the rows of the latest ones.
static inline bool lately(const int* last, const int row) {
    return max(max(last[0], last[1]), last[2]) + DEPTH > row;
}

// The sums of window_sums; counts of 16 bits in vectors of 8.
static inline sums_t summed(global const SRC* image, global const uchar* ignore, const uint pitch) {
#if KIND == 0
    uint8 x = 0;
    ushort8 m = 0;
    ulong4 low = 0, high = 0;
    for (int dy = -KY; dy <= KY; ++dy) {
        global const SRC* values = image + (long)dy * pitch - KX;
        global const uchar* ignored = ignore + (long)dy * pitch - KX;
#pragma unroll
        for (int i = 0; i <= 2 * KX; i += 8) {
            const char8 heeded = *(global const uchar8_at*)(ignored + i) == (uchar8)0;
            const ushort8 p = CONVERT(ushort8, *(global const JOIN(JOIN(SRC, 8), _at)*)(values + i));
            short8 inside = CONVERT(short8, heeded) & ((short8)(0, 1, 2, 3, 4, 5, 6, 7) <= (short8)(short)(2 * KX - i));
#ifdef LIMIT
            inside &= p < (ushort8)(ushort)(LIMIT);
#endif
            const uint8 q = CONVERT(uint8, p & as_ushort8(inside)), squares = q * q;
            m -= as_ushort8(inside);
            x += q;
            low += CONVERT(ulong4, squares.lo);
            high += CONVERT(ulong4, squares.hi);
        }
    }
    const ushort4 m4 = m.lo + m.hi;
    const uint4 x4 = x.lo + x.hi;
    const ulong4 y4 = low + high;
    const sums_t sums = {(uint)(m4.s0 + m4.s1 + m4.s2 + m4.s3), x4.s0 + x4.s1 + x4.s2 + x4.s3,
                         y4.s0 + y4.s1 + y4.s2 + y4.s3};
    return sums;
#else
    return window_sums(image, ignore, pitch);
#endif
}
