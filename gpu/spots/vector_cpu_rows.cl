// What kernels with explicit vectors of 16 pixels share: see gpu/spots/vector_cpu.cl.

#define V 16
#define DEPTH (2 * KY + 1)
#define SATURATED 65535
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

// Conversions of vectors: what the compiler has itself, as the library's go through single elements.
#ifdef __has_builtin
#if __has_builtin(__builtin_convertvector)
#define CONVERT(type, vector) __builtin_convertvector(vector, type)
#endif
#endif
#ifndef CONVERT
#define CONVERT(type, vector) JOIN(convert_, type)(vector)
#endif

// Valid counts, at most SATURATED; 0 elsewhere.
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
    const ulong2 b = a.lo | a.hi;
    return (b.lo | b.hi) != 0;
}

// 1 where valid.
static inline uchar16 valid_pixels(global const SRC* image, global const uchar* ignore) {
    const char16 inside = *(global const uchar16*)ignore == (uchar16)0;
#ifdef LIMIT
    const JOIN(SRC, 16) values = *(global const JOIN(SRC, 16)*)image;
    return as_uchar16(inside & CONVERT(char16, values < (JOIN(SRC, 16))(SRC)(LIMIT))) & (uchar16)1;
#else
    return as_uchar16(inside) & (uchar16)1;
#endif
}
