// The first pass of dispersion_extended for CPUs: bits of pixels that are dispersed or invalid, with vectors
// of 16 pixels and column sums as in gpu/spots/vector_cpu.cl. Sums are exact where no count of a window is
// above LARGEST; other windows are summed anew. Floats decide but what is nearly a tie, which is decided by
// the definition from its window summed anew, too.
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
// Column sums below 2^16, and squares of a window below 2^31: 46340^2 is, and the root of WINDOW is at most
// (WINDOW / d + d) / 2 for every d.
#define ROOT_BOUND ((WINDOW / (KX + KY + 1) + KX + KY + 2) / 2 + 1)
#define BY_SQUARES (46340 / ROOT_BOUND - 1)
#define BY_SUMS (65535 / DEPTH - 1)
#define LARGEST (BY_SQUARES < BY_SUMS ? BY_SQUARES : BY_SUMS)

// Whether windows are dispersed: over where it is sure, near where roundings may matter. In floats,
//   a = m y,  b = x^2 + x limit,  a - b
// have at most five roundings of 2^-24 (a + b), and the definition's are nothing to that. Not valid where x or
// y are 2^31 or more. With x = 0 nothing is either.
typedef struct {
    short8 over, near;
} verdict_t;

static inline verdict_t judged(const uint8 sums, const uint8 squares, const float8 m, const float8 limit) {
    const float8 x = CONVERT(float8, as_int8(sums)), y = CONVERT(float8, as_int8(squares));
    const float8 a = m * y, b = x * x + x * limit, over = a - b, slack = (a + b) * 0x1p-20f;
    const verdict_t verdict = {CONVERT(short8, over > slack), CONVERT(short8, over > -slack)};
    return verdict;
}

// What the columns of a strip add up to, and in which row something happened last in a block.
typedef struct {
    ushort sums[BLOCKS * V] __attribute__((aligned(32)));
    uint squares[BLOCKS * V] __attribute__((aligned(32)));
    uchar valid[BLOCKS * V] __attribute__((aligned(32)));
    int high[BLOCKS], large[BLOCKS], invalid[BLOCKS];
} columns_t;

// 8 sums across, from column `from` on.
static inline uint8 across_sums(const ushort* columns) {
    uint8 sum = CONVERT(uint8, *(const ushort8_at*)columns);
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) sum += CONVERT(uint8, *(const ushort8_at*)(columns + i));
    return sum;
}

static inline uint8 across_squares(const uint* columns) {
    uint8 sum = *(const uint8_at*)columns;
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) sum += *(const uint8_at*)(columns + i);
    return sum;
}

static inline ushort8 across_valid(const uchar* columns) {
    ushort8 sum = CONVERT(ushort8, *(const uchar8_at*)columns);
#pragma unroll
    for (int i = 1; i <= 2 * KX; ++i) sum += CONVERT(ushort8, *(const uchar8_at*)(columns + i));
    return sum;
}

// 8 windows, from column `from` on; `full` where all of their pixels are valid.
static inline verdict_t judged_at(const columns_t* columns, const uint from, const bool full,
                                  const float* limits) {
    const uint8 sums = across_sums(columns->sums + from), squares = across_squares(columns->squares + from);
    if (full) return judged(sums, squares, (float8)WINDOW, (float8)limits[WINDOW]);
    const ushort8 m = across_valid(columns->valid + from);
    const float8 limit = (float8)(limits[m.s0], limits[m.s1], limits[m.s2], limits[m.s3], limits[m.s4],
                                  limits[m.s5], limits[m.s6], limits[m.s7]);
    const short8 enough = m >= (ushort8)MIN_LOCAL;
    verdict_t verdict = judged(sums, squares, CONVERT(float8, CONVERT(int8, m)), limit);
    verdict.over &= enough;
    verdict.near &= enough;
    return verdict;
}

// The pixels of a block whose window has a count above LARGEST, as bits.
static uint near_large(const ushort16 ring[DEPTH][BLOCKS], const uint block) {
    ushort16 columns[3] = {0, 0, 0};
    for (uint i = 0; i < DEPTH; ++i)
#pragma unroll
        for (uint j = 0; j < 3; ++j)
            columns[j] |= as_ushort16(ring[i][block + j] > (ushort16)LARGEST);
    const ushort* window = (const ushort*)columns + V - KX;
    ushort16 any = 0;
#pragma unroll
    for (int i = 0; i <= 2 * KX; ++i) any |= *(const ushort16_at*)(window + i);
    return bits_of(any);
}

// `found` with the pixels of `open` decided from their windows.
static uint decided(global const SRC* image, global const uchar* ignore, global const ulong* table,
                    const uint pitch, uint open, uint found) {
    found &= ~open;
    for (; open != 0; open &= open - 1) {
        const uint i = 31 - clz(open & -open);
        const sums_t sums = summed(image + i, ignore + i, pitch);
        found |= sums.m >= MIN_LOCAL && is_dispersed(sums, table) ? 1u << i : 0;
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
    const ushort harmless = (ushort)min(table[4], (ulong)LARGEST);
    float limits[WINDOW + 1];
    for (uint m = 0; m <= WINDOW; ++m) {
        const double noise = as_double(table[TABLE_NOISE + m]);
#if GAIN
        limits[m] = (float)(as_double(table[1]) * noise);
#else
        limits[m] = (float)(noise + m - 1.0);
#endif
    }

    ushort16 ring[DEPTH][BLOCKS];
    char16 valid_ring[DEPTH][BLOCKS];  // -1 where valid
    columns_t columns;
    for (uint b = 0; b < blocks + 2; ++b) {
        for (uint i = b * V; i < b * V + V; ++i) columns.sums[i] = columns.squares[i] = columns.valid[i] = 0;
        columns.high[b] = columns.large[b] = columns.invalid[b] = -DEPTH;
        for (uint i = 0; i < DEPTH; ++i) {
            ring[i][b] = 0;
            valid_ring[i][b] = 0;
        }
    }
    uint slot = 0;
    for (int row = 0; row < (int)rows + 2 * KY; ++row, image += pitch, ignore += pitch) {
        for (uint b = 0; b < blocks + 2; ++b) {
            const long at = (long)b * V - V;
            // A count above LARGEST is that and 1.
            const ushort16 enter = capped(valid_counts(image + at, ignore + at), LARGEST + 1),
                           leave = ring[slot][b];
            const char16 valid = valid_pixels(image + at, ignore + at);
            *(ushort16*)(columns.sums + b * V) += enter - leave;
            const uint8 in0 = CONVERT(uint8, enter.lo), in1 = CONVERT(uint8, enter.hi),
                        out0 = CONVERT(uint8, leave.lo), out1 = CONVERT(uint8, leave.hi);
            *(uint8*)(columns.squares + b * V) += (in0 - out0) * (in0 + out0);
            *(uint8*)(columns.squares + b * V + 8) += (in1 - out1) * (in1 + out1);
            *(uchar16*)(columns.valid + b * V) += as_uchar16(valid_ring[slot][b] - valid);
            if (any_set(as_ushort16(enter > (ushort16)harmless))) {
                columns.high[b] = row;
                if (any_set(as_ushort16(enter > (ushort16)LARGEST))) columns.large[b] = row;
            }
            const ulong2 all = as_ulong2(valid);
            if ((all.s0 & all.s1) != ~0ul) columns.invalid[b] = row;
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
            const bool full = !lately(columns.invalid + b, row);
            const uint invalid =
                full ? 0 : ~bits_of(as_ushort16(CONVERT(short16, valid_ring[middle][b + 1]))) & 0xffff;
            uint found = invalid;
            if (lately(columns.high + b, row) && invalid != 0xffff) {
                const verdict_t low = judged_at(&columns, from, full, limits),
                                high = judged_at(&columns, from + 8, full, limits);
                const ushort16 near = (ushort16)(as_ushort8(low.near), as_ushort8(high.near));
                uint open = lately(columns.large + b, row) ? near_large(ring, b) : 0;
                if (any_set(near) || open != 0) {
                    const ushort16 over = (ushort16)(as_ushort8(low.over), as_ushort8(high.over));
                    const uint sure = bits_of(over);
                    open |= bits_of(near & ~over);
                    found |= decided(here + b * V, ignored + b * V, table, pitch, open & ~invalid, sure);
                }
            }
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
