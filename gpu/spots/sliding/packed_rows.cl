// Counts of a row in the form for sliding sums: count and number of valid pixels in one word, so that one addition does
// both. For integer counts only.
//
// V: adjacent pixels per work-item; 4, 8 or 16.

#ifndef V
#define V 8
#endif
#define HALO ((KX + 3) / 4 * 4)
#define SPAN (V + 2 * HALO)
#define DEPTH (2 * KY + 1)

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

// The sum of a window stays below 2^NUMBER_SHIFT, and its number of pixels fits above.
#if KIND == 0 && WINDOW <= 255
typedef uint packed_t;
#define PACKED uint
#define SIGNED int
#define NUMBER_SHIFT 24
#else
typedef ulong packed_t;
#define PACKED ulong
#define SIGNED long
#define NUMBER_SHIFT 48
#endif
#define ONE_PIXEL ((packed_t)1 << NUMBER_SHIFT)
#define SUM_MASK (ONE_PIXEL - 1)

#define PACK(WIDTH)                                                                                           \
    static inline void JOIN(pack, WIDTH)(global const SRC* image, global const uchar* ignore, packed_t* to) { \
        const JOIN(PACKED, WIDTH) value = JOIN(convert_, JOIN(PACKED, WIDTH))(*(global const JOIN(SRC, WIDTH)*)image);  \
        const JOIN(PACKED, WIDTH) ignored = JOIN(convert_, JOIN(PACKED, WIDTH))(*(global const JOIN(uchar, WIDTH)*)ignore); \
        const JOIN(PACKED, WIDTH) packed = (value | ONE_PIXEL) & (ignored - (packed_t)1);                      \
        JOIN(vstore, WIDTH)(WITHIN_LIMIT(packed, value, WIDTH), 0, to);                                        \
    }
#ifdef LIMIT
#define WITHIN_LIMIT(packed, value, WIDTH) \
    ((packed) & JOIN(as_, JOIN(PACKED, WIDTH))((value) < (JOIN(PACKED, WIDTH))((packed_t)LIMIT)))
#else
#define WITHIN_LIMIT(packed, value, WIDTH) (packed)
#endif
PACK(4)
#if V == 8
PACK(8)
#elif V == 16
PACK(16)
#endif

// Pixels -HALO .. V + HALO - 1 of a row: count + ONE_PIXEL, or 0 where invalid.
static inline void load_span(global const SRC* image, global const uchar* ignore, packed_t* span) {
#pragma unroll
    for (int i = 0; i < HALO; i += 4) {
        pack4(image - HALO + i, ignore - HALO + i, span + i);
        pack4(image + V + i, ignore + V + i, span + HALO + V + i);
    }
    JOIN(pack, V)(image, ignore, span + HALO);
}

// V sums of 2 KX + 1 neighbours.
static inline void slide(const packed_t* span, packed_t* sums) {
    packed_t sum = 0;
#pragma unroll
    for (int i = HALO - KX; i <= HALO + KX; ++i) sum += span[i];
    sums[0] = sum;
#pragma unroll
    for (int j = 1; j < V; ++j) {
        sum += span[HALO + j + KX] - span[HALO + j - KX - 1];
        sums[j] = sum;
    }
}

// Writes V bits of a row at pixel x; if V < 8 the bits must have been cleared. Bits past the width are already 0, since
// nothing is valid there.
static inline void store_bits(global uint* bits, const uint4 shape, const uint module, const uint y, const uint x,
                              const uint found) {
    global uint* word = bits + word_at(shape, module, y, x);
#if V == 16
    ((global ushort*)word)[x % 32 / 16] = (ushort)found;
#elif V == 8
    ((global uchar*)word)[x % 32 / 8] = (uchar)found;
#else
    if (found != 0) atomic_or(word, found << x % 32);
#endif
}
