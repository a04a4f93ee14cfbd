// The windows of a few rows of a strip for gpu/spots/vector_cpu/vector_cpu_extended.cl: column sums of DEPTH rows in
// vectors of 16 pixels, computed anew for each row, then sums across. They are exact if no count of a window is above
// LARGEST; other windows are summed anew. Floats decide everything but near ties, which are decided by the definition
// from their windows summed anew, too.

// One vector on both sides: KX is at most 15.
#define BLOCKS (COLUMNS / V + 2)
// Column sums below 2^16, and squares of a window below 2^31: 46340^2 is, and the root of WINDOW is at most (WINDOW / d
// + d) / 2 for every d.
#define ROOT_BOUND ((WINDOW / (KX + KY + 1) + KX + KY + 2) / 2 + 1)
#define BY_SQUARES (46340 / ROOT_BOUND - 1)
#define BY_SUMS (65535 / DEPTH - 1)
#define LARGEST (BY_SQUARES < BY_SUMS ? BY_SQUARES : BY_SUMS)

// Whether windows are dispersed: over if that is certain, near if rounding may matter. In floats,
//   a = m y,  b = x^2 + x limit,  a - b
// have at most five rounding errors of 2^-24 (a + b), and the definition's are negligible against that. Not valid if x
// or y is 2^31 or more. With x = 0 neither holds.
typedef struct {
    short8 over, near;
} verdict_t;

static inline verdict_t judged(const uint8 sums, const uint8 squares, const float8 m, const float8 limit) {
    const float8 x = CONVERT(float8, as_int8(sums)), y = CONVERT(float8, as_int8(squares));
    const float8 a = m * y, b = x * x + x * limit, over = a - b, slack = (a + b) * 0x1p-20f;
    const verdict_t verdict = {CONVERT(short8, over > slack), CONVERT(short8, over > -slack)};
    return verdict;
}

// A strip of an image whose first pixel of row 0 is at `image` and `ignore`, and the sums of its columns around one
// row: element 0 belongs to the vector to the left of the strip.
typedef struct {
    global const SRC* image;
    global const uchar* ignore;
    global const ulong* table;
    uint pitch, width;
    float limits[WINDOW + 1];  // by the number of valid pixels
    ushort sums[BLOCKS * V] __attribute__((aligned(32)));
    uint squares[BLOCKS * V] __attribute__((aligned(32)));
    uchar valid[BLOCKS * V] __attribute__((aligned(32)));
    ushort large[BLOCKS * V] __attribute__((aligned(32)));  // not 0: a count is above LARGEST
    char whole[BLOCKS], any_large[BLOCKS];
} strip_t;

static void set_limits(strip_t* strip) {
    for (uint m = 0; m <= WINDOW; ++m) {
        const double noise = as_double(strip->table[TABLE_NOISE + m]);
#if GAIN
        strip->limits[m] = (float)(as_double(strip->table[1]) * noise);
#else
        strip->limits[m] = (float)(noise + m - 1.0);
#endif
    }
}

// Bits of the valid pixels of 32, from pixel x of the strip on.
static inline uint valid_bits(const strip_t* strip, const int y, const int x) {
    const long at = (long)y * strip->pitch + x;
    const char16 low = valid_pixels(strip->image + at, strip->ignore + at),
                 high = valid_pixels(strip->image + at + V, strip->ignore + at + V);
    return bits_of(as_ushort16(CONVERT(short16, low))) | bits_of(as_ushort16(CONVERT(short16, high))) << V;
}

// Columns of vectors `first` to `last` - 1 around row y.
static void sum_columns(strip_t* strip, const int y, const uint first, const uint last) {
    for (uint b = first; b < last; ++b) {
        const long at = (long)(y - KY) * strip->pitch + (long)b * V - V;
        global const SRC* image = strip->image + at;
        global const uchar* ignore = strip->ignore + at;
        ushort16 sums = 0, large = 0;
        uint8 low = 0, high = 0;
        char16 valid = 0;
        for (uint row = 0; row < DEPTH; ++row, image += strip->pitch, ignore += strip->pitch) {
            // A count above LARGEST becomes LARGEST + 1.
            const ushort16 counts = capped(valid_counts(image, ignore), LARGEST + 1);
            const uint8 a = CONVERT(uint8, counts.lo), c = CONVERT(uint8, counts.hi);
            sums += counts;
            low += a * a;
            high += c * c;
            valid -= valid_pixels(image, ignore);
            large |= as_ushort16(counts > (ushort16)LARGEST);
        }
        *(ushort16*)(strip->sums + b * V) = sums;
        *(uint8*)(strip->squares + b * V) = low;
        *(uint8*)(strip->squares + b * V + 8) = high;
        *(char16*)(strip->valid + b * V) = valid;
        *(ushort16*)(strip->large + b * V) = large;
        strip->any_large[b] = any_set(large);
        const ulong2 missing = as_ulong2(valid ^ (char16)DEPTH);
        strip->whole[b] = (missing.s0 | missing.s1) == 0;
    }
}

// 8 windows, from column `from` on; `full` if all of their pixels are valid.
static inline verdict_t judged_at(const strip_t* strip, const uint from, const bool full) {
    uint8 sums = CONVERT(uint8, *(const ushort8_at*)(strip->sums + from)),
          squares = *(const uint8_at*)(strip->squares + from);
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) {
        sums += CONVERT(uint8, *(const ushort8_at*)(strip->sums + from + i));
        squares += *(const uint8_at*)(strip->squares + from + i);
    }
    if (full) return judged(sums, squares, (float8)WINDOW, (float8)strip->limits[WINDOW]);
    ushort8 m = CONVERT(ushort8, *(const uchar8_at*)(strip->valid + from));
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) m += CONVERT(ushort8, *(const uchar8_at*)(strip->valid + from + i));
    const float* limits = strip->limits;
    const float8 limit = (float8)(limits[m.s0], limits[m.s1], limits[m.s2], limits[m.s3], limits[m.s4],
                                  limits[m.s5], limits[m.s6], limits[m.s7]);
    const short8 enough = m >= (ushort8)MIN_LOCAL;
    verdict_t verdict = judged(sums, squares, CONVERT(float8, CONVERT(int8, m)), limit);
    verdict.over &= enough;
    verdict.near &= enough;
    return verdict;
}

// The dispersed pixels among the valid ones of vector `b` of row y, as bits.
static uint dispersed_bits(const strip_t* strip, const int y, const uint b, const uint valid) {
    const char* whole = strip->whole + b;
    const bool full = whole[0] && whole[1] && whole[2];
    const uint from = (b + 1) * V - KX;
    const verdict_t low = judged_at(strip, from, full), high = judged_at(strip, from + 8, full);
    const ushort16 over = (ushort16)(as_ushort8(low.over), as_ushort8(high.over)),
                   near = (ushort16)(as_ushort8(low.near), as_ushort8(high.near));
    const char* large = strip->any_large + b;
    const bool is_large = large[0] || large[1] || large[2];
    if (!any_set(near) && !is_large) return 0;
    uint open = bits_of(near & ~over);
    if (is_large) {
        ushort16 any = 0;
#pragma unroll
        for (int i = 0; i <= 2 * KX; ++i) any |= *(const ushort16_at*)(strip->large + from + i);
        open |= bits_of(any);
    }
    uint found = bits_of(over) & ~open & valid;
    for (open &= valid; open != 0; open &= open - 1) {
        const uint i = 31 - clz(open & -open);
        const long at = (long)y * strip->pitch + b * V + i;
        const sums_t sums = summed(strip->image + at, strip->ignore + at, strip->pitch);
        found |= sums.m >= MIN_LOCAL && is_dispersed(sums, strip->table) ? 1u << i : 0;
    }
    return found;
}

// The pixels of words `first` to `last` - 1 of row y that are dispersed or invalid, as bits. INVALID_ERODES: invalid
// ones do not count, but bits past the width are set.
static void test_words(strip_t* strip, const int y, const uint first, const uint last, uint* bits) {
    uint any = 0;
    for (uint w = first; w < last; ++w) any |= valid_bits(strip, y, (int)w * 32);
    if (any != 0) sum_columns(strip, y, 2 * first, 2 * last + 2);
    for (uint w = first; w < last; ++w) {
        const uint valid = any == 0 ? 0 : valid_bits(strip, y, (int)w * 32);
#if INVALID_SET
        uint found = ~valid;
#else
        uint found = (w + 1) * 32 <= strip->width ? 0 : ~0u << (strip->width - w * 32);
#endif
        if (valid != 0)
            found |= dispersed_bits(strip, y, 2 * w, valid & 0xffff) |
                     dispersed_bits(strip, y, 2 * w + 1, valid >> V) << V;
        bits[w] = found;
    }
}
