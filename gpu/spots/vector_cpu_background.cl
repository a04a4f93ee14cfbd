// The last pass of dispersion_extended for CPUs, as gpu/spots/extended.cl does it: of the bits kept, those of
// pixels above the mean of their background, which is summed in vectors of 16 pixels. Counts are below 2^24,
// so an element of the vectors holds a row's, and the sum is exact in a double in any order.
//
// NDRange: gpu/spots/candidate_queue.cl. Counts only (KIND 0, 1).

#include "gpu/spots/plane.cl"
#include "gpu/spots/window_test.cl"
#include "gpu/spots/vector_cpu_rows.cl"

#define BACK_X (KX + 2)
#define BACK_Y (KY + 2)

typedef JOIN(SRC, 16) __attribute__((aligned(sizeof(SRC)))) pixels_at;

// Bits `from` to `from` + 63 of a row; those outside of it are 0.
static inline ulong bits_from(global const uint* row, const int from, const int words) {
    const int w = from >> 5, shift = from & 31;
    const ulong low = w < 0 ? 0 : row[w], middle = w + 1 < words ? row[w + 1] : 0,
                high = w + 2 < words ? row[w + 2] : 0;
    const ulong bits = (low | middle << 32) >> shift;
    return shift == 0 ? bits : bits | high << (64 - shift);
}

static inline bool beyond_background(global const SRC* images, global const uchar* ignore,
                                     global const uint* kept, global const ulong* table, const uint4 shape,
                                     const uint module, const uint y, const uint x) {
    const size_t at = pixel_at(shape, module, y, x);
    const SRC p = images[at];
    if (!is_valid(p, ignore[at]) || !over_threshold(p, table)) return false;
    const ushort16 lane = (ushort16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                   bit = (ushort16)(ushort)1 << lane;
    uint8 low = 0, high = 0;
    short16 n = 0;
    for (int dy = -BACK_Y; dy <= BACK_Y; ++dy) {
        // Outside of the image nothing is valid, whatever the bits.
        const uint line = (uint)clamp((int)y + dy, 0, (int)shape.s0 - 1);
        const ulong skip =
            bits_from(kept + word_at(shape, module, line, 0), (int)x - BACK_X, (int)shape.s3);
        const size_t row = at + (long)dy * shape.s2 - BACK_X;
#pragma unroll
        for (int i = 0; i <= 2 * BACK_X; i += 16) {
            const JOIN(SRC, 16) values = *(global const pixels_at*)(images + row + i);
            const char16 heeded = *(global const uchar16_at*)(ignore + row + i) == (uchar16)0;
            short16 use = CONVERT(short16, heeded) & (lane <= (ushort16)(ushort)(2 * BACK_X - i)) &
                          ((bit & (ushort16)(ushort)(skip >> i)) == (ushort16)0);
#ifdef LIMIT
            use &= CONVERT(short16, values < (JOIN(SRC, 16))(SRC)(LIMIT));
#endif
            n -= use;
            low += CONVERT(uint8, values.lo) & as_uint8(CONVERT(int8, use.lo));
            high += CONVERT(uint8, values.hi) & as_uint8(CONVERT(int8, use.hi));
        }
    }
    ulong sum = 0;
    uint number = 0;
    for (uint i = 0; i < 8; ++i) {
        sum += (ulong)((uint*)&low)[i] + ((uint*)&high)[i];
        number += (uint)(((short*)&n)[i] + ((short*)&n)[i + 8]);
    }
    const double mean = number < 2 ? 0.0 : (double)sum / number;
    return (double)p >= mean + as_double(table[0]) * sqrt(as_double(table[1]) * mean);
}

#define DECIDE(module, y, x) beyond_background(images, ignore, kept, table, shape, module, y, x)
#include "gpu/spots/candidate_queue.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void over_background(
    global const SRC* images, global const uchar* ignore, global const uint* kept, global uint* bits,
    global const ulong* table, const uint4 shape, const uint word_count) {
    EACH_CANDIDATE(kept, bits, shape, word_count);
}
