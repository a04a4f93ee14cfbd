// Two pixels per word, so that one addition sums both: as halves, in which counts below CLAMP and their sums over a
// column are exact, or, without PTX, as 16-bit integers. A group loads a tile with its halo into local memory, 8 pixels
// at a time; counts of CLAMP and more are clipped. Work-items then walk down RUN rows of 8 pixels, with the sums of
// columns in registers.
//
// The strong test requires p > x/m + sigma_s sqrt(gain x/m), which rises with x and falls with m. So if counts are
// clipped, all pixels count as valid, and rounding is allowed for, no strong pixel fails it; what passes is a
// candidate. If most counts would be clipped, a tile is loaded again in units of 2^shift, rounded down. All candidates
// of the tile are then decided in parallel, exactly: from the tile, or from global memory if the window has a count
// that was clipped.
//
// NDRange: dimension 0: WG work-items per ACROSS * 8 columns; 1: tiles of WG / ACROSS * RUN rows; 2: module. Group (WG,
// 1, 1). Local memory: the tile, (columns + 16) x (rows + 2 KY) pixels of 2 bytes, its flags, a queue.
//
// For integer counts; 1 <= KX <= 8, KY <= 8.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"

#ifndef WG
#define WG 128
#endif
#ifndef ACROSS
#define ACROSS 16
#endif
#ifndef RUN
#define RUN 4
#endif
// Chunks of 8 pixels that a work-item loads at a time.
#ifndef LOADS
#define LOADS 3
#endif
#ifndef QUEUE
#define QUEUE 512
#endif
// 1: with PTX, if it can add pairs of halves.
#ifndef PTX
#define PTX 0
#endif

#define TILE_ROWS (WG / ACROSS * RUN)
#define TILE_WORDS (TILE_ROWS * ACROSS / 4)
#define HALO_ROWS (TILE_ROWS + 2 * KY)
#define CHUNKS (ACROSS + 2)
#define PITCH (CHUNKS * 4)
// Rows that the group loads at a time.
#define LOADED_ROWS (WG / CHUNKS)
#define FLAG_WORDS (HALO_ROWS / 32 + 2)
#define DEPTH (2 * KY + 1)
// Words on each side that windows reach into.
#define REACH ((KX + 1) / 2)
#define WORDS (4 + 2 * REACH)
// The largest power of two for which the sum of a column of (CLAMP - 1) is exact in halves, or that of a
// window fits 16 bits; the highest bit stays free.
#if PTX
#define CLAMP_FITS(bits) (((1 << (bits)) - 1) * DEPTH <= 2048)
#else
#define CLAMP_FITS(bits) (((1 << (bits)) - 1) * WINDOW <= 65535)
#endif
#define CLAMP_BITS                                                                                      \
    (CLAMP_FITS(14) ? 14 : CLAMP_FITS(13) ? 13 : CLAMP_FITS(12) ? 12 : CLAMP_FITS(11) ? 11 \
     : CLAMP_FITS(10) ? 10 : CLAMP_FITS(9) ? 9 : CLAMP_FITS(8) ? 8 : CLAMP_FITS(7) ? 7 : 6)
#define CLAMP (1u << CLAMP_BITS)
#define BOTH 0x10001u
#define TOPS 0x80008000u

// Where tiles have masked pixels: one word per row, including KY rows above and below the image, of each column of
// tiles; bit c: chunk c has an ignored pixel. masked[module][tile][row]. NDRange: dimension 0: rows; 1: columns of
// tiles; 2: module.
kernel void masked_chunks(global const uchar* ignore, global uint* masked, const uint4 shape) {
    const uint row = get_global_id(0), tile = get_global_id(1), module = get_global_id(2);
    const uint rows = HEIGHT_OF(shape) + 2 * KY, x0 = tile * ACROSS * 8;
    if (row >= rows) return;
    global const ulong* chunks =
        (global const ulong*)(ignore + pixel_at(shape, module, 0, x0) + ((long)row - KY) * PITCH_OF(shape) - 8);
    uint flags = 0;
    for (uint c = 0; c < CHUNKS && c < (WIDTH_OF(shape) - x0 + 7) / 8 + 2; ++c)
        flags |= chunks[c] != 0 ? 1u << c : 0;
    masked[(module * get_global_size(1) + tile) * rows + row] = flags;
}

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
typedef JOIN(SRC, 8) pixels_t;

// Constant if SRC has 16 bits: then pixels are packed as they are.
#define PAIRS_IN_MEMORY (sizeof(SRC) == 2)

static inline bool any_to_cut(const pixels_t p, const uint4 words) {
#ifdef LIMIT
    if (LIMIT < CLAMP) return true;
#endif
    if (PAIRS_IN_MEMORY)
        return ((words.x | words.y | words.z | words.w) & (0xFFFF & ~(CLAMP - 1)) * BOTH) != 0;
    const JOIN(SRC, 4) four = p.lo | p.hi;
    const JOIN(SRC, 2) two = four.lo | four.hi;
    return (two.x | two.y) >= CLAMP;
}

// 8 pixels as 4 words in units of 2^shift; invalid ones are 0, with a bit of `invalid`; large ones are clipped.
// `largest`: the largest of the valid counts.
static inline uint4 cut_pixels(const pixels_t p, const uchar8 flags, const uint shift, uint* invalid,
                               SRC* largest) {
    uchar ignored[8];
    SRC value[8];
    uint word[4];
    vstore8(flags, 0, ignored);
    vstore8(p, 0, value);
    *invalid = 0;
    *largest = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const bool valid = is_valid(value[i], ignored[i]);
        const uint count = valid ? (uint)min((SRC)(value[i] >> shift), (SRC)(CLAMP - 1)) : 0;
        if (valid) *largest = max(*largest, value[i]);
        *invalid |= valid ? 0 : 1u << i;
        word[i / 2] = i % 2 == 0 ? count : word[i / 2] | count << 16;
    }
    return (uint4)(word[0], word[1], word[2], word[3]);
}

// Bit i: pixel i of 8 is `least` or more.
static inline uint above_or_equal(const uint4 words, const uint least) {
    const uint4 over = ((words | TOPS) - least * BOTH & TOPS) >> (uint4)(15, 13, 11, 9);
    const uint found = over.x | over.y | over.z | over.w;
    return (found | found >> 15) & 0xFF;
}

static inline uint4 packed_pixels(const pixels_t p) {
    if (PAIRS_IN_MEMORY) return *(const uint4*)&p;
    return (uint4)((uint)p.s0 | (uint)p.s1 << 16, (uint)p.s2 | (uint)p.s3 << 16, (uint)p.s4 | (uint)p.s5 << 16,
                   (uint)p.s6 | (uint)p.s7 << 16);
}

// Bits first .. first + 31 of a column's flags.
static inline uint flags_from(local const uint* flags, const uint first) {
    return (uint)(((ulong)flags[first / 32 + 1] << 32 | flags[first / 32]) >> first % 32);
}

#if PTX
static inline uint plus(const uint a, const uint b) {
    uint sum;
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}
static inline uint minus(const uint a, const uint b) {
    uint difference;
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
    return difference;
}
static inline uint product_plus(const uint a, const uint b, const uint c) {
    uint sum;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
static inline uint both_halves(const float value) {  // towards 0
    ushort half_bits;
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(half_bits) : "f"(value));
    return half_bits * BOTH;
}
// 1024 + count has the count's bits.
#define HALVES_1024 0x64006400u
static inline uint pair_of_counts(const uint counts) { return minus(counts | HALVES_1024, HALVES_1024); }
static inline uint counts_of_pair(const uint pair) { return plus(pair, HALVES_1024) & 0x03FF03FF; }
static inline uint dot(const uint a, const uint b, const uint c) {
    uint sum;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
#else
static inline uint plus(const uint a, const uint b) { return a + b; }
static inline uint minus(const uint a, const uint b) { return a - b; }
static inline uint pair_of_counts(const uint counts) { return counts; }
static inline uint counts_of_pair(const uint pair) { return pair; }
#endif

#include "gpu/spots/lib/pair_windows.cl"

#if PTX
// Factors -1 / WINDOW and -sigma_s^2 gain / WINDOW, smaller by more than the relative rounding errors: those of 2 REACH
// + 1 sums in a window, and a few of the test.
#define ROUNDINGS ((2 * REACH + 1) / 2048.0f)
typedef struct {
    uint mean, variance, rounded_off;
} strong_t;
static inline strong_t strong_test(global const ulong* table, const uint shift) {
    const float factor = as_float((uint)table[3]) / (float)(1ul << shift);
    const strong_t test = {both_halves(-(1 - ROUNDINGS - 0.001f) / WINDOW),
                           both_halves(-(1 - ROUNDINGS - 0.003f) / WINDOW * factor),
                           shift == 0 ? 0 : 0x3C003C00u};
    return test;
}
// Bit i: pixel i of 8 may be strong. A window of zeros must not be: the smallest half is subtracted.
static inline uint maybe_strong(const uint* windows, const uint* pixels, const strong_t test) {
    uint found = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const uint excess = product_plus(windows[k], test.mean, plus(pixels[k], test.rounded_off));
        const uint limit = product_plus(windows[k], test.variance, 0x80018001u);
        found |= (~product_plus(excess, excess & ~TOPS, limit) & TOPS) >> (15 - 2 * k);
    }
    return (found | found >> 15) & 0xFF;
}
#else
static inline uint least_of_pairs(const uint a, const uint b) {
    return as_uint(min(as_ushort2(a), as_ushort2(b)));
}
typedef struct {
    float factor;
    uint above;
} strong_t;
static inline strong_t strong_test(global const ulong* table, const uint shift) {
    const strong_t test = {as_float((uint)table[3]) / (float)(1ul << shift), shift == 0 ? 1 : 0};
    return test;
}
// The least sum of the 8 windows gives a threshold that no signal of the 8 is below, at the cost of one root.
static inline uint maybe_strong(const uint* windows, const uint* pixels, const strong_t test) {
    uint low = least_of_pairs(least_of_pairs(windows[0], windows[1]), least_of_pairs(windows[2], windows[3]));
    low = least_of_pairs(low, swapped(low)) & 0xFFFF;
    const float mean = (float)low * (float)((1 - 1e-5) / WINDOW);
    const uint least = min((uint)(mean + sqrt(test.factor * mean)) + test.above, 0x7FFFu) * BOTH;
    uint found = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) found |= (((pixels[k] | TOPS) - least) & TOPS) >> (15 - 2 * k);
    return (found | found >> 15) & 0xFF;
}
#endif

static inline void load_words(local const uint* from, uint* words) {
#if REACH <= 2
    const uint2 left = *(local const uint2*)(from - 2), right = *(local const uint2*)(from + 4);
    const uint4 middle = *(local const uint4*)from;
#if REACH == 2
    words[0] = left.x;
#endif
    words[REACH - 1] = left.y;
    vstore4(middle, 0, words + REACH);
    words[REACH + 4] = right.x;
#if REACH == 2
    words[REACH + 5] = right.y;
#endif
#else
#pragma unroll
    for (int i = 0; i < WORDS; ++i) words[i] = from[i - REACH];
#endif
}

// Sums of a window without a clipped count. Squares fit: WINDOW (CLAMP - 1)^2 < 65536 CLAMP.
static inline sums_t sums_in_tile(local const uint* tile, local const uint* invalid_in_row,
                                  local const uchar* invalid, const uint row, const uint column) {
    uint x = 0, y = 0, m = WINDOW;
    for (uint dy = row; dy < row + DEPTH; ++dy) {
        const uint chunks = invalid_in_row[dy] >> column / 8 & 7;
        if (chunks == 0) continue;
        local const uchar* bits = invalid + dy * CHUNKS + column / 8;
        uint pixels = (chunks & 1) != 0 ? bits[0] : 0;
        pixels |= (chunks & 2) != 0 ? (uint)bits[1] << 8 : 0;
        pixels |= (chunks & 4) != 0 ? (uint)bits[2] << 16 : 0;
        m -= popcount(pixels >> (column % 8 + 8 - KX) & ((1u << (2 * KX + 1)) - 1));
    }
    const uint first = column + 8 - KX, odd = first & 1;
    local const uint* from = tile + row * PITCH + first / 2;
    for (int dy = 0; dy < DEPTH; ++dy, from += PITCH) {
#pragma unroll
        for (int i = 0; i <= KX; ++i) {
            uint word = counts_of_pair(from[i]);
            if (i == 0) word = odd ? word & 0xFFFF0000 : word;
            if (i == KX) word = odd ? word : word & 0xFFFF;
#if PTX && CLAMP_BITS <= 8
            // counts are bytes with a zero byte above
            x = dot(word, 0x01010101, x);
            y = dot(word, word, y);
#else
            x += word;
            y += (word & 0xFFFF) * (word & 0xFFFF) + (word >> 16) * (word >> 16);
#endif
        }
    }
    sums_t sums = no_sums();
    sums.m = m;
#if PTX && CLAMP_BITS <= 8
    sums.x = x;
#else
    sums.x = (x & 0xFFFF) + (x >> 16);
#endif
    add_square(&sums.y, y);
#if KIND == 0
    sums.y = y;
#endif
    return sums;
}

static inline void add_words(uint* columns, local const uint* from) {
    uint words[WORDS];
    load_words(from, words);
#pragma unroll
    for (int k = 0; k < WORDS; ++k) columns[k] = plus(columns[k], words[k]);
}

static inline void subtract_words(uint* columns, local const uint* from) {
    uint words[WORDS];
    load_words(from, words);
#pragma unroll
    for (int k = 0; k < WORDS; ++k) columns[k] = minus(columns[k], words[k]);
}

// A chunk of row y of the tile has a clipped count: sets its flag in `cut`, and its pixels of that count are candidates
// in any case.
static inline void flag_cut(const uint4 words, const uint y, const uint chunk, local uint* cut,
                            local uint* forced) {
    atomic_or(cut + chunk * FLAG_WORDS + y / 32, 1u << y % 32);
    const uint high_counts = above_or_equal(words, CLAMP - 1);
    if (y >= KY && y < KY + TILE_ROWS && chunk >= 1 && chunk <= ACROSS)
        atomic_or(forced + ((y - KY) * ACROSS + chunk - 1) / 4, high_counts << (chunk - 1) % 4 * 8);
}

// A work-item's RUN rows of 8 pixels: writes those that may be strong to `found`, one byte per row. `high` marks by
// column of chunks the rounds that loaded a count large enough to be strong.
static inline void find_candidates(local const uint* tile, local const uint* high, local uint* found,
                                   global const ulong* table, const uint shift, const uint lid) {
    const uint across = lid % ACROSS, first = lid / ACROSS * RUN;
    // Rounds that loaded any of the rows first .. first + RUN + 2 KY - 1.
    const uint rounds = ~0u >> (31 - (first + RUN + 2 * KY - 1) / LOADED_ROWS) & ~0u << first / LOADED_ROWS;
    const bool wanted = ((high[across] | high[across + 1] | high[across + 2]) & rounds) != 0;
    const strong_t test = strong_test(table, shift);
    local const uint* from = tile + first * PITCH + (across + 1) * 4;
    local uchar* to = (local uchar*)found + first * ACROSS + across;
    uint columns[WORDS];
#pragma unroll
    for (int k = 0; k < WORDS; ++k) columns[k] = 0;
    if (wanted) {
#pragma unroll
        for (int row = 0; row < 2 * KY; ++row) add_words(columns, from + row * PITCH);
#pragma unroll 1
        for (int row = 0; row < RUN; ++row, from += PITCH) {
            uint windows[4], pixels[4];
            add_words(columns, from + 2 * KY * PITCH);
            window_words(columns, windows);
            vstore4(*(local const uint4*)(from + KY * PITCH), 0, pixels);
            to[row * ACROSS] = (uchar)maybe_strong(windows, pixels, test);
            subtract_words(columns, from);
        }
    } else {
#pragma unroll
        for (int row = 0; row < RUN; ++row) to[row * ACROSS] = 0;
    }
}

// Exactly, from the tile, or from global memory if the window has a clipped count.
static inline bool is_signal_in_tile(global const SRC* images, global const uchar* ignore, global const ulong* table,
                                     const uint4 shape, const uint module, const uint y0, const uint x0,
                                     local const uint* tile, local const uint* invalid_in_row,
                                     local const uchar* invalid, local const uint* cut, const uint row,
                                     const uint column) {
    local const uint* flags = cut + column / 8 * FLAG_WORDS;
    const uint any_cut = flags_from(flags, row) | flags_from(flags + FLAG_WORDS, row) |
                         flags_from(flags + 2 * FLAG_WORDS, row);
    sums_t sums;
    count_t p;
    bool valid = true;  // else its count is 0 in the tile, which is below any threshold except that of large units
    if ((any_cut & ((1u << DEPTH) - 1)) == 0) {
        sums = sums_in_tile(tile, invalid_in_row, invalid, row, column);
        p = counts_of_pair(tile[(row + KY) * PITCH + (column + 8) / 2]) >> column % 2 * 16 & 0xFFFF;
    } else {
        const size_t pixel = pixel_at(shape, module, y0 + row, x0 + column);
        sums = window_sums(images + pixel, ignore + pixel, PITCH_OF(shape));
        p = (count_t)images[pixel];
        valid = is_valid(images[pixel], ignore[pixel]);
    }
    return valid && over_threshold((SRC)p, table) && is_signal(sums, p, table);
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void find_in_tiles(
    global const SRC* restrict images, global const uchar* restrict ignore, global const uint* restrict masked,
    global uint* restrict bits, global const ulong* restrict table, const uint4 shape) {
    local uint tile[HALO_ROWS * PITCH] __attribute__((aligned(16)));
    local uint masked_in_row[HALO_ROWS], invalid_in_row[HALO_ROWS], high[CHUNKS], cut[CHUNKS * FLAG_WORDS];
    local uchar invalid[HALO_ROWS * CHUNKS];  // of 8 pixels, where invalid_in_row has the chunk's bit
    local uint found[TILE_WORDS];             // candidates, then signal
    local uint forced[TILE_WORDS];            // candidates whose count is clipped
    local ushort queue[QUEUE];
    local uint queued, chunks_cut, least_bits;
    const uint lid = get_local_id(0), x0 = get_group_id(0) * ACROSS * 8, y0 = get_global_id(1) * TILE_ROWS,
               module = get_global_id(2), tiles = get_num_groups(0);

    for (uint i = lid; i < HALO_ROWS; i += WG)
        masked_in_row[i] = invalid_in_row[i] =
            y0 + i < HEIGHT_OF(shape) + 2 * KY
                ? masked[(module * tiles + get_group_id(0)) * (HEIGHT_OF(shape) + 2 * KY) + y0 + i]
                : ~0u;
    if (lid == 0) {
        queued = chunks_cut = 0;
        least_bits = 64;
    }
    for (uint i = lid; i < CHUNKS; i += WG) high[i] = 0;
    for (uint i = lid; i < CHUNKS * FLAG_WORDS; i += WG) cut[i] = 0;
    for (uint i = lid; i < TILE_WORDS; i += WG) forced[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint shift = 0;
    for (;;) {
        const uint low = (uint)min(table[4], (ulong)(CLAMP - 2));  // clipped counts are above it
        const uint above_low = (0x7FFF - low) * BOTH;
        const uint chunk = lid % CHUNKS, row = lid / CHUNKS, pitch = PITCH_OF(shape);
        const uint rows = row < LOADED_ROWS ? HALO_ROWS : 0;
        // Beyond these nothing is valid, and memory may end.
        const uint rows_there =
            chunk < (WIDTH_OF(shape) - x0 + 7) / 8 + 2 ? min(rows, HEIGHT_OF(shape) + 2 * KY - y0) : 0;
        const size_t first = pixel_at(shape, module, y0, x0) - (size_t)KY * pitch - 8 + row * pitch + chunk * 8;
        global const SRC* image = images + first;
        global const uchar* ignored = ignore + first;
        local uint* to = tile + row * PITCH + chunk * 4;
        uint high_rounds = 0, round = 0;  // bit n: a count above `low` in round n
        for (uint at = row; at < rows; at += LOADS * LOADED_ROWS, round += LOADS) {
            pixels_t pixels[LOADS];
#pragma unroll
            for (int n = 0; n < LOADS; ++n) {
                pixels[n] = 0;
                if (at + n * LOADED_ROWS < rows_there)
                    pixels[n] = *(global const pixels_t*)(image + n * LOADED_ROWS * pitch);
            }
#pragma unroll
            for (int n = 0; n < LOADS; ++n) {
                const uint y = at + n * LOADED_ROWS;
                if (y >= rows) break;
                uint4 words = packed_pixels(pixels[n]);
                if (shift != 0 || (masked_in_row[y] >> chunk & 1) != 0 || any_to_cut(pixels[n], words)) {
                    uint left_out = 0xFF;
                    SRC largest = 0;
                    words = 0;
                    if (y0 + y - KY < HEIGHT_OF(shape) && x0 + chunk * 8 - 8 < WIDTH_OF(shape))  // inside the image
                        words = cut_pixels(pixels[n],
                                           *(global const uchar8*)(ignored + n * LOADED_ROWS * pitch), shift,
                                           &left_out, &largest);
                    invalid[y * CHUNKS + chunk] = (uchar)left_out;
                    if (left_out != 0) atomic_or(invalid_in_row + y, 1u << chunk);
                    if (largest >= CLAMP) {
                        atomic_inc(&chunks_cut);
                        atomic_min(&least_bits, 32 - clz((uint)largest));
                    }
                    if (shift != 0 || largest >= CLAMP) flag_cut(words, y, chunk, cut, forced);
                }
                const uint over =
                    (words.x + above_low) | (words.y + above_low) | (words.z + above_low) | (words.w + above_low);
                high_rounds |= (over & TOPS) != 0 || shift != 0 ? 1u << n << round : 0;
                words.x = pair_of_counts(words.x);
                words.y = pair_of_counts(words.y);
                words.z = pair_of_counts(words.z);
                words.w = pair_of_counts(words.w);
                *(local uint4*)(to + n * LOADED_ROWS * PITCH) = words;
            }
            image += LOADS * LOADED_ROWS * pitch;
            ignored += LOADS * LOADED_ROWS * pitch;
            to += LOADS * LOADED_ROWS * PITCH;
        }
        if (high_rounds != 0) atomic_or(high + chunk, high_rounds);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (shift != 0 || chunks_cut <= HALO_ROWS * CHUNKS / 8) break;
        shift = least_bits + 1 - CLAMP_BITS;
        for (uint i = lid; i < TILE_WORDS; i += WG) forced[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    find_candidates(tile, high, found, table, shift, lid);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Candidates of all work-items, QUEUE at a time, in parallel.
    uint own[TILE_WORDS / WG], number = 0;
#pragma unroll
    for (int i = 0; i < TILE_WORDS / WG; ++i) {
        own[i] = found[lid + i * WG] | forced[lid + i * WG];
        number += popcount(own[i]);
        found[lid + i * WG] = 0;
    }
    uint rank = number == 0 ? 0 : atomic_add(&queued, number);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint all = queued;
    for (uint start = 0; start < all; start += QUEUE) {
#pragma unroll
        for (int i = 0; i < TILE_WORDS / WG; ++i)
            for (; own[i] != 0 && rank < start + QUEUE; own[i] &= own[i] - 1, ++rank)
                queue[rank - start] = (ushort)((lid + i * WG) * 32 + 31 - clz(own[i] & -own[i]));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lid; i < min(all - start, (uint)QUEUE); i += WG) {
            const uint row = queue[i] / (ACROSS * 8), column = queue[i] % (ACROSS * 8);
            if (is_signal_in_tile(images, ignore, table, shape, module, y0, x0, tile, invalid_in_row, invalid, cut,
                                  row, column))
                atomic_or(&found[queue[i] / 32], 1u << column % 32);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint i = lid; i < TILE_WORDS; i += WG) {
        const uint y = y0 + i / (ACROSS / 4), x = x0 + i % (ACROSS / 4) * 32;
        if (y < HEIGHT_OF(shape) && x < WORDS_OF(shape) * 32) bits[word_at(shape, module, y, x)] = found[i];
    }
}
