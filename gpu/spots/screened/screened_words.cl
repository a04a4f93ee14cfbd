// 8 pixels of a row and their neighbours as words of two 16-bit numbers; see gpu/spots/screened/screened.cl.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"

// 1: with PTX, if it can compare pairs.
#ifndef PTX
#define PTX 0
#endif
#define HALO (KX <= 4 ? 4 : 8)
// Words on each side that windows reach into.
#define REACH ((KX + 1) / 2)
#define WORDS (4 + 2 * REACH)
// The largest power of two for which the sum of a window of (CLAMP - 1) fits 16 bits, 1024 at most.
#define CLAMP_FITS(bits) (((1 << (bits)) - 1) * WINDOW <= 65535)
#define CLAMP_BITS (CLAMP_FITS(10) ? 10 : CLAMP_FITS(9) ? 9 : CLAMP_FITS(8) ? 8 : 7)
#define CLAMP (1u << CLAMP_BITS)
#define BOTH 0x10001u
#define TOPS 0x80008000u
#define OVER ((0xFFFF & ~(CLAMP - 1)) * BOTH)
// The bits of the 2 KY previous rows, below a top.
#define RECENT ((0x8000 - (0x8000 >> 2 * KY)) * BOTH)

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
typedef JOIN(SRC, 8) pixels_t;

// 1: pixels are packed as they are. Those of LIMIT and more are then left out like all that are large.
#ifndef LIMIT
#define PAIRS_IN_MEMORY (SRC_BYTES == 2)
#else
#define PAIRS_IN_MEMORY (SRC_BYTES == 2 && LIMIT >= 1024)
#endif
#define MOST (SRC_BYTES == 1 ? 255 : 65535)

// Words of pixels -2 REACH .. 8 + 2 REACH.
typedef struct {
    uint words[WORDS];
} span_t;

static inline uint plus(const uint a, const uint b) {
    return a + b;
}
#include "gpu/spots/lib/pair_windows.cl"

#if PTX
static inline uint largest_pair(const uint a, const uint b) {
    uint c;
    asm("max.u16x2 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}
static inline uint min_pair(const uint a, const uint b) {
    uint c;
    asm("min.u16x2 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));
    return c;
}
#else
static inline uint largest_pair(const uint a, const uint b) {
    return as_uint(max(as_ushort2(a), as_ushort2(b)));
}
static inline uint min_pair(const uint a, const uint b) {
    return as_uint(min(as_ushort2(a), as_ushort2(b)));
}
#endif

static inline uint largest_of_four(const uint* words) {
    return largest_pair(largest_pair(words[0], words[1]), largest_pair(words[2], words[3]));
}

// Without counts of CLAMP and more.
static inline uint without_cut(const uint pair) {
    const uint over = min_pair(pair >> CLAMP_BITS & (0xFFFF >> CLAMP_BITS) * BOTH, BOTH);
    return pair & ~(over * 0xFFFF);
}

#if !PAIRS_IN_MEMORY
static inline uint valid_count(const SRC count, const uint shift) {
    return is_valid(count, 0) ? (uint)min((SRC)(count >> shift), (SRC)MOST) : 0;
}
#endif

// Counts that exceed 16 bits become 65535.
static inline span_t load_span(global const SRC* image, const uint shift) {
    uint words[4 + HALO];
#if PAIRS_IN_MEMORY
#pragma unroll
    for (int k = 0; k < HALO / 2; k += 2) {
        const uint2 left = *(global const uint2*)(image - HALO + 2 * k),
                    right = *(global const uint2*)(image + 8 + 2 * k);
        words[k] = left.x;
        words[k + 1] = left.y;
        words[k + HALO / 2 + 4] = right.x;
        words[k + HALO / 2 + 5] = right.y;
    }
    const uint4 middle = *(global const uint4*)image;
    words[HALO / 2] = middle.x;
    words[HALO / 2 + 1] = middle.y;
    words[HALO / 2 + 2] = middle.z;
    words[HALO / 2 + 3] = middle.w;
#else
#pragma unroll
    for (int k = 0; k < 4 + HALO; ++k)
        words[k] = valid_count(image[2 * k - HALO], shift) | valid_count(image[2 * k + 1 - HALO], shift)
                                                                 << 16;
#endif
    span_t span;
#pragma unroll
    for (int k = 0; k < WORDS; ++k) span.words[k] = words[k + HALO / 2 - REACH];
    return span;
}

// Converts to units of 2^shift; for words as in memory.
static inline void in_units(span_t* span, const uint shift) {
#if PAIRS_IN_MEMORY
#pragma unroll
    for (int k = 0; k < WORDS; ++k) span->words[k] = span->words[k] >> shift & (0xFFFFu >> shift) * BOTH;
#endif
}

// Pixels first, first + 1 of 4 as a mask. @param bytes of 0 or 1
static inline uint mask_of_two(const uint bytes, const int first) {
    return ((bytes >> 8 * first & 1) | (bytes >> 8 * first & 0x100) << 8) * 0xFFFF;
}

// One byte per pixel of load_span(), 0 or 1.
#define IGNORED_WORDS ((8 + 2 * HALO) / 4)
typedef struct {
    uint words[IGNORED_WORDS];
} ignored_t;

// @param ignore of the first of the 8 pixels
static inline ignored_t load_ignored(global const uchar* ignore) {
    ignored_t ignored;
#pragma unroll
    for (int k = 0; k < IGNORED_WORDS; ++k) ignored.words[k] = *(global const uint*)(ignore + 4 * k - HALO);
    return ignored;
}

// Masked pixels become 0.
static inline void leave_out(span_t* span, const ignored_t ignored) {
    uint masks[4 + HALO];
#pragma unroll
    for (int k = 0; k < 4 + HALO; k += 2) {
        masks[k] = mask_of_two(ignored.words[k / 2], 0);
        masks[k + 1] = mask_of_two(ignored.words[k / 2], 2);
    }
#pragma unroll
    for (int k = 0; k < WORDS; ++k) span->words[k] &= ~masks[k + HALO / 2 - REACH];
}

// Bits of the largest of 8 counts.
// @param own the largest of the first and of the second pixels of their words; @param image the counts
static inline uint bits_of_largest(const uint own, global const SRC* image) {
#if SRC_BYTES <= 2
    return 32 - clz(max(own & 0xFFFF, own >> 16));
#else
    SRC largest = 0;
    for (int i = 0; i < 8; ++i)
        if (is_valid(image[i], 0)) largest = max(largest, image[i]);
    return largest < CLAMP ? 64 : 8 * SRC_BYTES - (uint)clz(largest);
#endif
}
