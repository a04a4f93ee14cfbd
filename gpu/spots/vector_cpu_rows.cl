// What kernels with explicit vectors of 16 pixels share: see gpu/spots/vector_cpu.cl.

#define V 16
#define DEPTH (2 * KY + 1)
#define SATURATED 65535
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

// Valid counts, at most SATURATED; 0 elsewhere.
static inline ushort16 valid_counts(global const SRC* image, global const uchar* ignore) {
    const JOIN(SRC, 16) values = *(global const JOIN(SRC, 16)*)image;
    const short16 inside = convert_short16(*(global const uchar16*)ignore) == (short16)0;
#ifdef LIMIT
    const JOIN(SRC, 16) counts = select((JOIN(SRC, 16))0, values, values < (JOIN(SRC, 16))(SRC)(LIMIT));
#else
    const JOIN(SRC, 16) counts = values;
#endif
    return convert_ushort16_sat(counts) & as_ushort16(inside);
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
    return as_uchar16(inside & convert_char16(values < (JOIN(SRC, 16))(SRC)(LIMIT))) & (uchar16)1;
#else
    return as_uchar16(inside) & (uchar16)1;
#endif
}
