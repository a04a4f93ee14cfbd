// Chunks of 8 pixels of a row, which the kernels of dispersion_extended load at once, and the sizes of their groups.
//
// WG: work-items per group; LANES: of those, the ones side by side in a row of chunks.

#ifndef WG
#define WG 128
#endif
#define REACH ((KX < KY ? KX : KY) - 1)
#define STEP (2 * REACH + 1)
#define DEPTH (2 * KY + 1)
// Chunks of 8 columns on each side that are summed but not written; and among these, those whose pixels are tested.
#define BESIDE ((KX + REACH + 7) / 8)
#define TESTED ((REACH + 7) / 8)
#define ACROSS (LANES - 2 * BESIDE)
#define GRID_ROWS (WG / LANES)
// Rows that a row of the grid may require to be tested: from 2 REACH above to 2 REACH below.
#define NEAR_ROWS (4 * REACH + 1)
// Quads of columns on each side that the windows of 8 pixels reach into.
#define QUADS ((KX + 3) / 4)
#define SPAN (8 + 8 * QUADS)
// The largest power of two for which columns and rows of CLAMP - 1 fit 16 bits, and squares of a window 32.
#define CLAMP_FITS(bits) \
    (((1ul << (bits)) - 1) * (2 * (KX > KY ? KX : KY) + 1) <= 65535 && \
     ((1ul << (bits)) - 1) * ((1ul << (bits)) - 1) * WINDOW <= 4294967295ul)
#define CLAMP_BITS (CLAMP_FITS(14) ? 14 : CLAMP_FITS(13) ? 13 : CLAMP_FITS(12) ? 12 : CLAMP_FITS(11) ? 11 : 10)
#define CLAMP (1u << CLAMP_BITS)
// Counts below this need no check: they are neither too large nor invalid.
#ifdef LIMIT
#define PLAIN (LIMIT < CLAMP ? (uint)LIMIT : CLAMP)
#else
#define PLAIN CLAMP
#endif

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
typedef JOIN(SRC, 8) pixels_t;

// 8 pixels as 4 words.
static inline uint4 pairs_of(const pixels_t p) {
    if (sizeof(SRC) == 2) return *(const uint4*)&p;
    return (uint4)((uint)p.s0 | (uint)p.s1 << 16, (uint)p.s2 | (uint)p.s3 << 16, (uint)p.s4 | (uint)p.s5 << 16,
                   (uint)p.s6 | (uint)p.s7 << 16);
}

// From the rows ORed together: whether a count may be above the plain ones. Pairs are compared with a power of two.
static inline bool any_not_plain(const pixels_t seen) {
    if (sizeof(SRC) == 2) {
        const uint4 words = *(const uint4*)&seen;
        const uint plain = PLAIN == 0 ? 0 : 1u << (31 - clz((uint)PLAIN));
        return plain == 0 || ((words.x | words.y | words.z | words.w) & (0xFFFF & ~(plain - 1)) * 0x10001u) != 0;
    }
    const JOIN(SRC, 4) four = seen.lo | seen.hi;
    const JOIN(SRC, 2) two = four.lo | four.hi;
    return (ulong)(two.x | two.y) >= PLAIN;
}

static inline pixels_t or_of(const pixels_t a, const pixels_t b) {
    if (sizeof(SRC) == 2) {
        const uint4 c = *(const uint4*)&a | *(const uint4*)&b;
        return *(const pixels_t*)&c;
    }
    return a | b;
}


// Bytes (0 or 1) to bits, in order.
static inline uint bits_of(const ulong bytes) { return (uint)(bytes * 0x0102040810204080ul >> 56); }

// 8 pixels as counts, invalid ones as 0; bit i: pixel i is invalid. A valid count of CLAMP or more sets `large`.
static inline uint unpacked(const pixels_t p, const ulong ignored, uint* counts, bool* large) {
    const uint4 words = pairs_of(p);
    counts[0] = words.x & 0xFFFF;
    counts[1] = words.x >> 16;
    counts[2] = words.y & 0xFFFF;
    counts[3] = words.y >> 16;
    counts[4] = words.z & 0xFFFF;
    counts[5] = words.z >> 16;
    counts[6] = words.w & 0xFFFF;
    counts[7] = words.w >> 16;
    if (ignored == 0 && !any_not_plain(p)) return 0;
    uint invalid = bits_of(ignored);
    SRC value[8];
    vstore8(p, 0, value);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const bool valid = is_valid(value[i], (uchar)(invalid >> i & 1));
        invalid |= valid ? 0 : 1u << i;
        counts[i] = valid ? (uint)value[i] : 0;
        *large = *large || (valid && (ulong)value[i] >= CLAMP);
    }
    return invalid;
}
