// The first pass of dispersion_extended for CPUs: bits of pixels that are dispersed or invalid, with vectors
// of 16 pixels and column sums as in gpu/spots/vector_cpu.cl. Sums of counts and of their squares have 32
// bits, which is exact where no count of a window is above LARGEST; then m y, x^2 and their difference are
// exact in doubles, and the test is that of the definition. Other windows are summed anew.
//
// NDRange: dimension 0: strips of COLUMNS columns; 1: bands of ROWS rows; 2: module. Group (1, 1, 1). Counts
// only (KIND 0, 1). All words of `bits` are written; bits behind the width are 0.

#include "gpu/spots/plane.cl"
#include "gpu/spots/window_test.cl"
#include "gpu/spots/vector_cpu_rows.cl"

#ifndef COLUMNS
#define COLUMNS 512
#endif
#ifndef ROWS
#define ROWS 128
#endif
#define BLOCKS (COLUMNS / V + 2)

// Sums below 2^31, for which there is a conversion.
static inline int8 over_noise(const double8 m, const uint8 squares, const uint8 sums, const double8 noise,
                              global const ulong* table) {
    const double8 x = CONVERT(double8, as_int8(sums)), y = CONVERT(double8, as_int8(squares));
    const double8 spread = m * y - x * x;
#if GAIN
    const long8 over = spread > as_double(table[1]) * x * noise;
#else
    const long8 over = spread - x * (m - 1.0) > x * noise;
#endif
    return CONVERT(int8, over);
}

// What the columns of a strip add up to.
typedef struct {
    uint16 sums[BLOCKS], squares[BLOCKS];
    ushort16 valid[BLOCKS], high[BLOCKS], large[BLOCKS];
} columns_t;

static inline ushort16 across(const ushort16* columns, const uint from) {
    const ushort* start = (const ushort*)columns + from;
    ushort16 sum = vload16(0, start);
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) sum += vload16(0, start + i);
    return sum;
}

static inline uint16 across_wide(const uint16* columns, const uint from) {
    const uint* start = (const uint*)columns + from;
    uint16 sum = vload16(0, start);
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) sum += vload16(0, start + i);
    return sum;
}

static inline bool any_near(const ushort16* columns, const uint from) {
    const ushort* start = (const ushort*)columns + from;
    return any_set(vload16(0, start) | vload16(0, start + KX) | vload16(0, start + 2 * KX));
}

// -1 where the window of a pixel of the block is dispersed.
static int16 block_dispersed(const columns_t* columns, const uint from, global const ulong* table) {
    const uint16 sums = across_wide(columns->sums, from), squares = across_wide(columns->squares, from);
    const ushort16 m = across(columns->valid, from);
    int16 over;
    if (!any_set(m ^ (ushort16)WINDOW)) {
        const double8 noise = as_double(table[TABLE_NOISE + WINDOW]);
        over.lo = over_noise(WINDOW, squares.lo, sums.lo, noise, table);
        over.hi = over_noise(WINDOW, squares.hi, sums.hi, noise, table);
        return over;
    }
    double16 noise;
    ushort lanes[V];
    vstore16(m, 0, lanes);
    for (uint i = 0; i < V; ++i) ((double*)&noise)[i] = as_double(table[TABLE_NOISE + lanes[i]]);
    over.lo = over_noise(CONVERT(double8, m.lo), squares.lo, sums.lo, noise.lo, table);
    over.hi = over_noise(CONVERT(double8, m.hi), squares.hi, sums.hi, noise.hi, table);
    return over & (CONVERT(int16, m) >= MIN_LOCAL);
}

static inline uint bits_of(const ushort16 mask) {
    const ushort16 ones =
        mask & (ushort16)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
    const ushort8 a = ones.lo | ones.hi;
    const ushort4 b = a.lo | a.hi;
    const ushort2 c = b.lo | b.hi;
    return (uint)(ushort)(c.lo | c.hi);
}

// The bits of windows with large counts, from their sums taken anew.
static uint decided(global const SRC* image, global const uchar* ignore, global const ulong* table,
                    const uint pitch, const ushort16 large, uint found) {
    ushort lanes[V];
    vstore16(large, 0, lanes);
    for (uint i = 0; i < V; ++i) {
        if (lanes[i] == 0 || !is_valid(image[i], ignore[i])) continue;
        const sums_t sums = window_sums(image + i, ignore + i, pitch);
        const bool set = sums.m >= MIN_LOCAL && is_dispersed(sums, table);
        found = set ? found | 1u << i : found & ~(1u << i);
    }
    return found;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void dispersed_strips(global const SRC* images,
                                                                            global const uchar* ignores,
                                                                            global uint* bits,
                                                                            global const ulong* table,
                                                                            const uint4 shape) {
    const uint x0 = get_global_id(0) * COLUMNS, y0 = get_global_id(1) * ROWS, module = get_global_id(2);
    if (x0 >= shape.s1 || y0 >= shape.s0) return;
    const uint rows = min((uint)ROWS, shape.s0 - y0), width = min((uint)COLUMNS, shape.s1 - x0),
               blocks = (width + V - 1) / V;
    const uint pitch = shape.s2;
    const size_t start = pixel_at(shape, module, y0, x0) - (size_t)KY * pitch;
    global const SRC* image = images + start;
    global const uchar* ignore = ignores + start;
    global uint* words = bits + word_at(shape, module, y0, x0);
    const ushort harmless = (ushort)min(table[4], (ulong)(SATURATED - 1));
    const ushort largest = (ushort)sqrt(2147483647.0 / WINDOW);

    ushort16 ring[DEPTH][BLOCKS];
    uchar16 valid_ring[DEPTH][BLOCKS];
    columns_t columns;
    for (uint b = 0; b < blocks + 2; ++b) {
        columns.sums[b] = columns.squares[b] = 0;
        columns.valid[b] = columns.high[b] = columns.large[b] = 0;
        for (uint i = 0; i < DEPTH; ++i) {
            ring[i][b] = 0;
            valid_ring[i][b] = 0;
        }
    }
    uint slot = 0;
    for (uint row = 0; row < rows + 2 * KY; ++row, image += pitch, ignore += pitch) {
        for (uint b = 0; b < blocks + 2; ++b) {
            const long at = (long)b * V - V;
            const ushort16 enter = valid_counts(image + at, ignore + at), leave = ring[slot][b];
            const uchar16 valid = valid_pixels(image + at, ignore + at);
            const uint16 in = CONVERT(uint16, enter), out = CONVERT(uint16, leave);
            columns.sums[b] += in - out;
            columns.squares[b] += in * in - out * out;
            columns.valid[b] += CONVERT(ushort16, valid) - CONVERT(ushort16, valid_ring[slot][b]);
            // Comparisons of vectors are -1 where they hold.
            columns.high[b] += as_ushort16(leave > harmless) - as_ushort16(enter > harmless);
            columns.large[b] += as_ushort16(leave > largest) - as_ushort16(enter > largest);
            ring[slot][b] = enter;
            valid_ring[slot][b] = valid;
        }
        slot = slot + 1 == DEPTH ? 0 : slot + 1;
        if (row < 2 * KY) continue;
        // `slot` is now the oldest row.
        const uint middle = slot + KY < DEPTH ? slot + KY : slot + KY - DEPTH;
        global const SRC* here = image - (long)KY * pitch;
        global const uchar* ignored = ignore - (long)KY * pitch;
        uint word = 0;
        for (uint b = 0; b < blocks; ++b) {
            const uint from = (b + 1) * V - KX;
            uint found = 0;
            if (any_near(columns.high, from)) {
                found = bits_of(CONVERT(ushort16, as_uint16(block_dispersed(&columns, from, table))));
                if (any_near(columns.large, from))
                    found = decided(here + b * V, ignored + b * V, table, pitch, across(columns.large, from),
                                    found);
            }
            found |= bits_of(as_ushort16(CONVERT(short16, valid_ring[middle][b + 1] == (uchar16)0)));
            const uint used = width - b * V;
            if (used < V) found &= (1u << used) - 1;
            word |= found << b % 2 * V;
            if (b % 2 == 1 || b + 1 == blocks) {
                words[b / 2] = word;
                word = 0;
            }
        }
        words += shape.s3;
    }
}
