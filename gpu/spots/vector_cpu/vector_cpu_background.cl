// The last pass of dispersion_extended for CPUs, like that of gpu/spots/extended/extended.cl: of the bits kept, keeps
// those of pixels above the mean of their background. The kept pixels of a word are close together, so the columns of
// the background are summed once for all of them, in vectors of 16 pixels. Counts are below 2^24: the sum of a column
// fits 32 bits, and that of a window is exact in a double in any order.
//
// NDRange: dimension 0: WG work-items per block of WG * WORDS words, of which a work-item takes WORDS. Counts only
// (KIND 0, 1).

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"
#include "gpu/spots/vector_cpu/vector_cpu_rows.cl"

#ifndef WG
#define WG 1
#endif
#ifndef WORDS
#define WORDS 1024
#endif
#define BACK_X (KX + 2)
#define BACK_Y (KY + 2)
// The columns that windows around a word reach into: BACK_X is at most 17, so two vectors on both sides.
#define BESIDE 2
#define VECTORS (2 * BESIDE + 2)

// Columns of the background, from BESIDE vectors to the left of a word on: sums and numbers of counts.
typedef struct {
    uint sums[VECTORS * V] __attribute__((aligned(32)));
    ushort numbers[VECTORS * V] __attribute__((aligned(32)));
} columns_t;

// Which word, where its first pixel is, and where its row of bits is.
typedef struct {
    global const SRC* image;
    global const uchar* ignore;
    global const uint* kept;
    int w, up, down;  // rows of bits above and below that exist
} word_t;

// Vectors `first` to `last` of the columns.
static void sum_columns(const word_t word, const uint4 shape, const int first, const int last,
                        columns_t* columns) {
    const ushort16 bit = (ushort16)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
    for (int v = first; v <= last; ++v) {
        const int x = (v - BESIDE) * V, w = word.w + (x >> 5);
        // Outside the image nothing is valid, whatever the bits.
        global const uint* kept = word.kept + (clamp(w, 0, (int)WORDS_OF(shape) - 1) - word.w);
        uint8 low = 0, high = 0;
        short16 n = 0;
        for (int dy = -word.up; dy <= word.down; ++dy) {
            const long at = (long)dy * PITCH_OF(shape) + x;
            const ushort skip = (ushort)(kept[(long)dy * WORDS_OF(shape)] >> (x & 31));
            const JOIN(SRC, 16) values = *(global const JOIN(SRC, 16)*)(word.image + at);
            const char16 valid = valid_pixels(word.image + at, word.ignore + at);
            const short16 use = CONVERT(short16, valid) & ((bit & skip) == (ushort16)0);
            n -= use;
            low += CONVERT(uint8, values.lo) & as_uint8(CONVERT(int8, use.lo));
            high += CONVERT(uint8, values.hi) & as_uint8(CONVERT(int8, use.hi));
        }
        *(uint8*)(columns->sums + v * V) = low;
        *(uint8*)(columns->sums + v * V + 8) = high;
        *(short16*)(columns->numbers + v * V) = n;
    }
}

static inline bool beyond_background(const columns_t* columns, const uint bit, const SRC p,
                                     global const ulong* table) {
    ulong sum = 0;
    uint n = 0;
    const uint from = BESIDE * V + bit - BACK_X;
#pragma unroll
    for (int i = 0; i <= 2 * BACK_X; ++i) {
        sum += columns->sums[from + i];
        n += columns->numbers[from + i];
    }
    const double mean = n < 2 ? 0.0 : (double)sum / n;
    return (double)p >= mean + as_double(table[0]) * sqrt(as_double(table[1]) * mean);
}

static uint decided(global const SRC* images, global const uchar* ignore, global const uint* kept,
                    global const ulong* table, const uint4 shape, const uint i) {
    const uint w = i % WORDS_OF(shape), line = i / WORDS_OF(shape), module = line / HEIGHT_OF(shape);
    const int y = (int)(line % HEIGHT_OF(shape));
    const size_t at = pixel_at(shape, module, (uint)y, w * 32);
    uint candidates = 0;
    for (uint left = kept[i]; left != 0; left &= left - 1) {
        const uint bit = 31 - clz(left & -left);
        if (is_valid(images[at + bit], ignore[at + bit]) && over_threshold(images[at + bit], table))
            candidates |= 1u << bit;
    }
    if (candidates == 0) return 0;
    const word_t word = {images + at, ignore + at, kept + i, (int)w, min(BACK_Y, y),
                         min(BACK_Y, (int)HEIGHT_OF(shape) - 1 - y)};
    const int from = 31 - (int)clz(candidates & -candidates), to = 31 - (int)clz(candidates);
    columns_t columns;
    sum_columns(word, shape, (from - BACK_X + BESIDE * V) / V, (to + BACK_X + BESIDE * V) / V, &columns);
    uint found = 0;
    for (; candidates != 0; candidates &= candidates - 1) {
        const uint bit = 31 - clz(candidates & -candidates);
        found |= beyond_background(&columns, bit, images[at + bit], table) ? 1u << bit : 0;
    }
    return found;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void over_background(
    global const SRC* images, global const uchar* ignore, global const uint* kept, global uint* bits,
    global const ulong* table, const uint4 shape, const uint word_count) {
    const uint first = get_global_id(0) * WORDS;
    for (uint i = first; i < min(first + WORDS, word_count); ++i)
        bits[i] = kept[i] == 0 ? 0 : decided(images, ignore, kept, table, shape, i);
}
