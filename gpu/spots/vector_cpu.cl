// For CPUs, whose compilers hardly vectorise a scalar work-item: explicit vectors of 16 pixels. An item walks
// down ROWS rows of a strip of COLUMNS columns. A row that enters adds its counts, of at most CAP, to the
// strip's column sums, and the row that leaves is subtracted; both live in private memory, which is the
// cache. The sum of a window is that of 2 KX + 1 neighbouring columns. What passes the strong test in floats,
// with a margin for their rounding, is decided at once from its window summed anew. Blocks without a count
// above the one up to which nothing is ever dispersed are passed over.
//
// Column sums have 16 bits, with counts capped so that a window's sum fits, and 32 where the background is
// above that cap.
//
// NDRange: dimension 0: strips of COLUMNS columns; 1: bands of ROWS rows; 2: module. Group (1, 1, 1). Counts
// only (KIND 0, 1).

#include "gpu/spots/plane.cl"
#include "gpu/spots/window_test.cl"
#include "gpu/spots/vector_cpu_rows.cl"

#ifndef COLUMNS
#define COLUMNS 512
#endif
#ifndef ROWS
#define ROWS 128
#endif
// One vector on both sides: KX is at most 15.
#define BLOCKS (COLUMNS / V + 2)
#define CAP_16 (65535 / WINDOW)

// p count - x and its square against those of the right side, as core/spots/row_loops.h proves it: m is that
// of a full window, which lets pass more. A count of SATURATED may be any above.
static inline short16 maybe_strong(const ushort16 p, const float16 x, const float count, const float spread) {
    const float16 e = CONVERT(float16, p) * count - x;
    const int16 strong = (e > 0.0f) & (e * e > spread * x);
    return CONVERT(short16, strong) | (p == (ushort16)SATURATED);
}

// How many of a few pixels of the strip have more than CAP_16 counts: whether 1 in 32.
static inline bool is_bright(global const SRC* image, global const uchar* ignore, const uint pitch,
                             const uint rows, const uint blocks) {
    uint bright = 0, seen = 0;
    for (uint y = 0; y < rows; y += 8)
        for (uint b = y / 8 % 4; b < blocks; b += 4) {
            const size_t at = (size_t)y * pitch + b * V;
            const ushort p = valid_counts(image + at, ignore + at).s5;
            bright += p > CAP_16 ? 1 : 0;
            ++seen;
        }
    return bright * 32 > seen;
}

#define SUM ushort
#define SUM16 ushort16
#define CAP CAP_16
#define FIND find_16
#define TO_FLOAT(sums) CONVERT(float16, sums)
#define TO_SUM(counts) (counts)
#include "gpu/spots/vector_cpu_strip.cl"
#undef SUM
#undef SUM16
#undef CAP
#undef FIND
#undef TO_SUM
#undef TO_FLOAT

#define SUM uint
#define SUM16 uint16
#define CAP SATURATED
#define FIND find_32
// below 2^31, for which there is an instruction
#define TO_FLOAT(sums) CONVERT(float16, as_int16(sums))
#define TO_SUM(counts) CONVERT(uint16, counts)
#include "gpu/spots/vector_cpu_strip.cl"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void find_signal(global const SRC* images,
                                                                       global const uchar* ignore,
                                                                       global uint* bits,
                                                                       global const ulong* table,
                                                                       const uint4 shape) {
    const uint x = get_global_id(0) * COLUMNS, y = get_global_id(1) * ROWS, module = get_global_id(2);
    if (x >= shape.s1 || y >= shape.s0) return;
    const uint rows = min((uint)ROWS, shape.s0 - y), blocks = (min((uint)COLUMNS, shape.s1 - x) + V - 1) / V;
    const size_t at = pixel_at(shape, module, y, x);
    global uint* words = bits + word_at(shape, module, y, x);
    if (is_bright(images + at, ignore + at, shape.s2, rows, blocks))
        find_32(images + at, ignore + at, words, table, shape, rows, blocks);
    else
        find_16(images + at, ignore + at, words, table, shape, rows, blocks);
}
