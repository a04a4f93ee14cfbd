// The strip of a work-item for counts of at most 16 bits: two columns in a word, which one addition serves.
// Sums run down the columns first; those of DEPTH rows fit 16 bits as long as no count is above SMALL. So a
// larger count is taken as SMALL and becomes a candidate whatever its window holds: sums that are too low let
// more through, never less. The same goes for taking every window as full. Rows with ignored pixels or with
// counts above SMALL are settled pixel by pixel; they are few.

#if DEPTH <= 4
#define SMALL 16383
#elif DEPTH <= 8
#define SMALL 8191
#else
#define SMALL 4095
#endif
#define SPAN_WORDS (SPAN / 2)
#define BOTH(count) ((count) * 0x10001u)
#define FLOAT_BIAS 0x4b000000u  // bits of 2^23, to which counts below 2^23 add
#if V == 16
#define HALF 8
#elif V == 8
#define HALF 4
#else
#define HALF 2
#endif

#define WORDS_OF(WIDTH, HALF_WIDTH, from) \
    JOIN(as_uint, HALF_WIDTH)(JOIN(convert_ushort, WIDTH)(*(global const JOIN(SRC, WIDTH)*)(from)))

static inline void load_words(global const SRC* image, uint* words) {
#pragma unroll
    for (int i = 0; i < HALO; i += 4) {
        vstore2(WORDS_OF(4, 2, image - HALO + i), 0, words + i / 2);
        vstore2(WORDS_OF(4, 2, image + V + i), 0, words + (HALO + V + i) / 2);
    }
    JOIN(vstore, HALF)(WORDS_OF(V, HALF, image), 0, words + HALO / 2);
}

static inline uint ignored_of_span(global const uchar* ignored) {
    uint any = 0;
#pragma unroll
    for (int i = 0; i < HALO; i += 4)
        any |= *(global const uint*)(ignored - HALO + i) | *(global const uint*)(ignored + V + i);
#if V == 16
    const uint4 middle = *(global const uint4*)ignored;
    any |= middle.s0 | middle.s1 | middle.s2 | middle.s3;
#elif V == 8
    const uint2 middle = *(global const uint2*)ignored;
    any |= middle.s0 | middle.s1;
#else
    any |= *(global const uint*)ignored;
#endif
    return any;
}

// What is invalid becomes 0, what is above SMALL becomes SMALL.
static inline void settle(global const uchar* ignored, uint* words) {
#pragma unroll
    for (int w = 0; w < SPAN_WORDS; ++w) {
        const uint low = words[w] & 0xffff, high = words[w] >> 16;
        words[w] = (is_valid((SRC)low, ignored[2 * w - HALO]) ? min(low, (uint)SMALL) : 0) |
                   (is_valid((SRC)high, ignored[2 * w + 1 - HALO]) ? min(high, (uint)SMALL) : 0) << 16;
    }
}

// Bits of V pixels: valid, above SMALL and at least `least`.
static inline uint large_counts(global const SRC* image, global const uchar* ignored, const uint least) {
    uint flags = 0;
    for (int j = 0; j < V; ++j) {
        const uint p = image[j];
        flags |= p > SMALL && p >= least && is_valid(image[j], ignored[j]) ? 1u << j : 0;
    }
    return flags;
}

static inline bool beyond_noise(const uint x, const uint p, const float factor) {
    const float sum = as_float(x + FLOAT_BIAS) - 8388608.0f, pixel = as_float(p | FLOAT_BIAS) - 8388608.0f;
    const float excess = fma((float)WINDOW, pixel, -sum);
    return excess * fabs(excess) > factor * sum;
}

// Bits of V pixels: `columns` are sums of their window's rows, `pixels` the words of the middle row.
static inline uint strong_counts(const uint* columns, const uint* pixels, const float factor) {
    uint pair[SPAN_WORDS], found = 0;
#pragma unroll
    for (int w = 0; w < SPAN_WORDS; ++w) pair[w] = (columns[w] & 0xffff) + (columns[w] >> 16);
#pragma unroll
    for (int k = 0; k < V / 2; ++k) {
        const int first = (HALO + 2 * k - KX) / 2, last = (HALO + 2 * k + 1 + KX) / 2;
        uint middle = 0;
#pragma unroll
        for (int i = 0; i < KX; ++i) middle += pair[first + KX % 2 + i];
#if KX % 2 == 1
        const uint even = middle + (columns[first] >> 16), odd = middle + (columns[last] & 0xffff);
#else
        const uint even = middle + (columns[last] & 0xffff), odd = middle + pair[last] - (columns[first] & 0xffff);
#endif
        const uint both = pixels[HALO / 2 + k];
        found |= beyond_noise(even, both & 0xffff, factor) ? 1u << 2 * k : 0;
        found |= beyond_noise(odd, both >> 16, factor) ? 2u << 2 * k : 0;
    }
    return found;
}

static inline uint counts_from(const uint* pixels, const uint least) {
    uint flags = 0;
#pragma unroll
    for (int j = 0; j < V; ++j)
        flags |= (pixels[(HALO + j) / 2] >> 16 * (j % 2) & 0xffff) >= least ? 1u << j : 0;
    return flags;
}

// False where counts above SMALL are so many that the bits must be found with wide sums.
static inline bool packed_strip(global const SRC* image, global const uchar* ignored, global uint* bits,
                                global const ulong* table, const uint4 shape, const uint module, const uint y0,
                                const uint x, const uint rows) {
    const uint pitch = shape.s2;
    const uint least = (uint)min(table[2], 65536ul);
    const uint above = BOTH(0x8000u - (uint)min(table[4], (ulong)(SMALL - 1)) - 1);
    const float factor = as_float((uint)table[3]);
    uint columns[SPAN_WORDS], ring[DEPTH][SPAN_WORDS];
    uint high_rows = 0, settled_rows = 0, large = 0;
#pragma unroll
    for (int w = 0; w < SPAN_WORDS; ++w) columns[w] = 0;
#pragma unroll
    for (int phase = 0; phase < DEPTH; ++phase)
#pragma unroll
        for (int w = 0; w < SPAN_WORDS; ++w) ring[phase][w] = 0;
    for (uint start = 0; start < rows + 2 * KY; start += DEPTH) {
#pragma unroll
        for (int phase = 0; phase < DEPTH; ++phase) {
            const uint row = start + phase;
            if (row >= rows + 2 * KY) continue;
            uint words[SPAN_WORDS], any = 0, high = 0;
            load_words(image, words);
            const uint skip = ignored_of_span(ignored);
#pragma unroll
            for (int w = 0; w < SPAN_WORDS; ++w) any |= words[w];
            const bool unsettled = ((any & BOTH(0xffffu - SMALL)) | skip) != 0;
            if (unsettled) settle(ignored, words);
#pragma unroll
            for (int w = 0; w < SPAN_WORDS; ++w) {
                columns[w] += words[w] - ring[phase][w];
                ring[phase][w] = words[w];
                high |= words[w] + above;
            }
            high_rows = high_rows << 1 | ((high & BOTH(0x8000u)) != 0 ? 1 : 0);
            settled_rows = settled_rows << 1 | (unsettled ? 1 : 0);
            if (row >= 2 * KY) {
                uint found = 0;
                if ((high_rows & ((1u << DEPTH) - 1)) != 0) {
                    const int middle = (phase + DEPTH - KY) % DEPTH;
                    found = strong_counts(columns, ring[middle], factor);
                    if (least > 1 && found != 0) found &= counts_from(ring[middle], least);
                    if ((settled_rows >> KY & 1) != 0) {
                        const uint forced =
                            large_counts(image - (size_t)KY * pitch, ignored - (size_t)KY * pitch, least);
                        large += popcount(forced);
                        found |= forced;
                    }
                }
                store_bits(bits, shape, module, y0 + row - 2 * KY, x, found);
            }
            image += pitch;
            ignored += pitch;
        }
    }
    return large <= 4 * V;
}
