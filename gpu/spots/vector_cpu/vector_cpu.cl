// For CPUs, whose compilers hardly vectorise a scalar work-item: explicit vectors of 16 pixels. A work-item walks down
// ROWS rows of a strip of COLUMNS columns. A row that enters adds its counts, clipped at CAP, to the strip's column
// sums, and the row that leaves is subtracted; both are in private memory, that is, in the cache. The sum of a window
// is that of 2 KX + 1 neighbouring columns. What passes the strong test in 16-bit integers and in floats, with a margin
// for their rounding, is decided immediately from its window summed anew. Blocks are skipped unless a nearby count is
// above the one up to which nothing is ever dispersed.
//
// Column sums have 16 bits, with counts clipped so that a window's sum fits, and 32 if the background is above that
// cap.
//
// NDRange: dimension 0: strips of COLUMNS columns; 1: bands of ROWS rows; 2: module. Group (1, 1, 1). Counts
// only (KIND 0, 1).

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"
#include "gpu/spots/vector_cpu/vector_cpu_rows.cl"

#ifndef COLUMNS
#define COLUMNS 512
#endif
#ifndef ROWS
#define ROWS 128
#endif
// One vector on both sides: KX is at most 15.
#define BLOCKS (COLUMNS / V + 2)
#define CAP_16 (65535 / WINDOW)

// The upper halves of products.
static inline ushort16 product_high(const ushort16 a, const ushort16 b) {
    return CONVERT(ushort16, (CONVERT(uint16, a) * CONVERT(uint16, b)) >> 16);
}

static inline float8 floats(const ushort8 v) { return CONVERT(float8, CONVERT(int8, v)); }

// Compares p count - x and its square with the right side, as core/spots/sliding/row_loops.h proves it: m is that of a
// full window, which lets more pass. -1 where a pixel may be strong; a clipped count may be any count above.
static inline ushort16 strong_16(const ushort16 counts, const ushort16 x, const float spread) {
    const ushort16 p = capped(counts, CAP_16), mp = p * (ushort16)WINDOW;
    const ushort16 e = (mp > x ? mp : x) - x;
    // e^2 and the right side, which nearly always differ in their upper 16 bits
    const ushort16 right = product_high(x, (ushort16)(ushort)min(spread, 65535.0f));
    const ushort16 open = as_ushort16(product_high(e, e) >= right) & as_ushort16(e != (ushort16)0),
                   bright = as_ushort16(counts > (ushort16)CAP_16);
    if (!any_set(open | bright)) return 0;
    const float8 a = floats(e.lo), b = floats(e.hi);
    const int8 low = a * a > spread * floats(x.lo), high = b * b > spread * floats(x.hi);
    return (open & (ushort16)(as_ushort8(CONVERT(short8, low)), as_ushort8(CONVERT(short8, high)))) | bright;
}

// The same for sums of 32 bits, which are below 2^31, where there is a conversion.
static inline short8 strong_32(const ushort8 p, const uint8 sums, const float count, const float spread) {
    const float8 x = CONVERT(float8, as_int8(sums)), e = floats(p) * count - x;
    const int8 strong = (e > 0.0f) & (e * e > spread * x);
    return CONVERT(short8, strong) | (p == (ushort8)SATURATED);
}

// Samples a few pixels of the strip for counts above CAP_16: whether 1 in 32 is.
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
#define CAP CAP_16
#define FIND find_16
#include "gpu/spots/vector_cpu/vector_cpu_strip.cl"
#undef SUM
#undef CAP
#undef FIND

#define SUM uint
#define CAP SATURATED
#define FIND find_32
#define WIDE
#include "gpu/spots/vector_cpu/vector_cpu_strip.cl"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void find_signal(global const SRC* images,
                                                                       global const uchar* ignore,
                                                                       global uint* bits,
                                                                       global const ulong* table,
                                                                       const uint4 shape) {
    const uint x = get_global_id(0) * COLUMNS, y = get_global_id(1) * ROWS, module = get_global_id(2);
    if (x >= WIDTH_OF(shape) || y >= HEIGHT_OF(shape)) return;
    const uint rows = min((uint)ROWS, HEIGHT_OF(shape) - y);
    const uint blocks = (min((uint)COLUMNS, WIDTH_OF(shape) - x) + V - 1) / V;
    const size_t at = pixel_at(shape, module, y, x);
    global uint* words = bits + word_at(shape, module, y, x);
    if (is_bright(images + at, ignore + at, PITCH_OF(shape), rows, blocks))
        find_32(images + at, ignore + at, words, table, shape, rows, blocks);
    else
        find_16(images + at, ignore + at, words, table, shape, rows, blocks);
}
