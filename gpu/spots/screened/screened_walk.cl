// How the work-items of gpu/spots/screened/screened.cl walk down their rows.

#include "gpu/spots/screened/screened_words.cl"

// Rows loaded ahead.
#ifndef AHEAD
#define AHEAD 1
#endif
// Rows below the one being loaded that are prefetched into the device's cache; 0: none.
#ifndef FETCHED
#define FETCHED 2
#endif
// 1: the faster way if nothing is masked; compilers for processors take long for it.
#define PLAIN PTX
// A constant saves additions.
#ifndef PITCH
#define PITCH pitch
#endif

#define DEPTH (2 * KY + 1)
#define WINDOW_ROWS ((1u << DEPTH) - 1)
// Rows read by a work-item, of which the last RUN have their windows.
#define CHUNK_ROWS (RUN + 2 * KY)

// What a group found.
typedef struct {
    uint rows;        // of all work-items, with counts of CLAMP and more
    uint min_bits;  // of the least of the largest counts of these
} cut_t;

typedef struct {
    uint above_low;
    float strong;  // sigma_s^2 gain, in units
    float more;    // by so much counts may have been rounded down
} limits_t;

static inline limits_t limits_of(global const ulong* table, const uint shift) {
    const limits_t limits = {(0x7FFF - (uint)min(table[4], (ulong)(CLAMP - 2))) * BOTH,
                             as_float((uint)table[3]) / (float)(1u << shift), shift == 0 ? 0 : 1};
    return limits;
}

// What a work-item found in its rows.
typedef struct {
    uint rows;     // bit r: a pixel of row r may be signal
    uint min_x;  // of all windows of these rows, as if all pixels were valid
} found_t;

// p > x/m + sigma_s sqrt(gain x/m) for x of a full window; slightly less strict to allow for rounding.
static inline bool may_be_strong(const float p, const float x, const limits_t limits) {
    const float one = (float)((1 - 1e-5) / WINDOW), excess = fma(x, -one, p + limits.more);
    return excess * fabs(excess) > x * (limits.strong * one);
}

// The least x of 8 windows, scaled as if they had as many valid pixels as full ones; 65535 at most. @param valid their
// numbers, as bytes
static inline uint min_as_if_full(const uint* windows, const uint2 valid) {
    float minimum = 65535;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const float m = (float)((i < 4 ? valid.x : valid.y) >> i % 4 * 8 & 0xFF);
        const float x = (float)(windows[i / 2] >> i % 2 * 16 & 0xFFFF);
        minimum = fmin(minimum, x * (float)(WINDOW * (1 - 1e-5)) * native_recip(m));
    }
    return (uint)minimum;
}

// What a work-item keeps of the rows above.
typedef struct {
    uint windows[4];
    uint own[KY + 1];  // the largest of its 8 pixels, of this row and of previous ones
    uint high;         // a top for each row with a count that makes a window disperse
} walk_t;

// Adds the words of a row; their sums over columns replace those of DEPTH rows before.
static inline void step_down(walk_t* walk, span_t span, uint* sums, global const SRC* image, const bool units,
                             local cut_t* cut, const limits_t limits) {
#pragma unroll
    for (int n = KY; n > 0; --n) walk->own[n] = walk->own[n - 1];
    walk->own[0] = largest_of_four(span.words + REACH);
    uint all = walk->own[0];
#pragma unroll
    for (int k = 0; k < REACH; ++k)
        all = largest_pair(largest_pair(span.words[k], span.words[REACH + 4 + k]), all);
    uint above = units ? TOPS : (all + limits.above_low) & TOPS;
    if ((all & OVER) != 0) {
        above = TOPS;
        if ((walk->own[0] & OVER) != 0) {
            atomic_inc(&cut->rows);
            atomic_min(&cut->min_bits, bits_of_largest(walk->own[0], image));
        }
#pragma unroll
        for (int k = 0; k < WORDS; ++k) span.words[k] = without_cut(span.words[k]);
    }
    walk->high = (walk->high >> 1 & RECENT) | above;
    uint now[4];
    window_words(span.words, now);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        walk->windows[k] += now[k] - sums[k];
        sums[k] = now[k];
    }
}

static inline uint min_window(const uint* windows) {
    const uint pair = min_pair(min_pair(windows[0], windows[1]), min_pair(windows[2], windows[3]));
    return min_pair(pair, swapped(pair)) & 0xFFFF;
}

// Whether a pixel of the row KY rows above may be signal. @param min_x of its windows
static inline bool may_be_signal(const walk_t walk, const uint min_x, const limits_t limits) {
    const uint largest = largest_pair(walk.own[KY], swapped(walk.own[KY])) & 0xFFFF;
    return may_be_strong((float)largest, (float)min_x, limits) && walk.high != 0;
}

static inline walk_t no_walk() {
    walk_t walk;
#pragma unroll
    for (int k = 0; k < 4; ++k) walk.windows[k] = 0;
    walk.high = 0;
    return walk;
}

#if PTX && FETCHED
#define FETCH(pixels, rows) \
    asm volatile("prefetch.global.L2 [%0+%1];" : : "l"(pixels), "n"((rows) * (PITCH) * SRC_BYTES))
#else
#define FETCH(pixels, rows)
#endif

#if PLAIN
// Walks down `count` rows, and on to a multiple of DEPTH, where no pixel is masked; rows after these are read, too:
// there are margins.
// @param image starts KY rows above the work-item's own
// @param ring room for sums of DEPTH rows, every WG-th; volatile, since compilers would otherwise use registers
static inline found_t walk_plain(global const SRC* image, const uint pitch, const uint count,
                                 volatile local uint4* ring, local cut_t* cut, const limits_t limits) {
    found_t found = {0, 0xFFFF};
    walk_t walk = no_walk();
    span_t spans[DEPTH];
#pragma unroll
    for (int d = 0; d < DEPTH; ++d) ring[d * WG] = (uint4)(0);
#pragma unroll
    for (int n = 0; n < AHEAD; ++n) spans[n] = load_span(image + n * PITCH, 0);
#pragma unroll 1
    for (uint first = 0; first < count; first += DEPTH, image += DEPTH * PITCH) {
        uint rows = 0;
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const span_t span = spans[d];
            spans[(d + AHEAD) % DEPTH] = load_span(image + (d + AHEAD) * PITCH, 0);
            FETCH(image + d * PITCH, AHEAD + FETCHED);
            const uint4 old = ring[d * WG];
            uint sums[4] = {old.x, old.y, old.z, old.w};
            step_down(&walk, span, sums, image + d * PITCH, false, cut, limits);
            ring[d * WG] = (uint4)(sums[0], sums[1], sums[2], sums[3]);
            if (d < 2 * KY && first == 0) continue;
            const uint min_x = min_window(walk.windows);
            if (may_be_signal(walk, min_x, limits)) {
                rows |= 1u << d;
                found.min_x = min(found.min_x, min_x);
            }
        }
        found.rows |= rows << first;
    }
    found.rows >>= 2 * KY;
    return found;
}
#endif

// The same with masked pixels, or in units of 2^shift: row by row, and slower.
// @param masked bit r: row r has masked pixels
// @param holes bit r: these may have counts; margins have none
static inline found_t walk_special(global const SRC* image, global const uchar* ignore,
                                   global const uchar* valid, const uint pitch, const uint count,
                                   const uint masked, const uint holes, const uint shift, local uint4* ring,
                                   local cut_t* cut, const limits_t limits) {
    found_t found = {0, 0xFFFF};
    walk_t walk = no_walk();
    for (int d = 0; d < DEPTH; ++d) ring[d * WG] = (uint4)(0);
    span_t next = load_span(image, shift);
    ignored_t ignored;
    if ((holes & 1) != 0) ignored = load_ignored(ignore);
    uint place = 0;
#pragma unroll 1
    for (uint row = 0; row < count; ++row) {
        span_t span = next;
        next = load_span(image + PITCH, shift);
        FETCH(image, 1 + FETCHED);
        if ((holes >> row & 1) != 0) leave_out(&span, ignored);
        if ((holes >> row & 2) != 0) ignored = load_ignored(ignore + PITCH);
        const bool partly = row >= 2 * KY && (masked >> (row - 2 * KY) & WINDOW_ROWS) != 0;
        uint2 numbers = 0;
        if (partly) numbers = *(global const uint2*)(valid - KY * (int)PITCH);
        if (shift != 0) in_units(&span, shift);
        const uint4 old = ring[place];
        uint sums[4] = {old.x, old.y, old.z, old.w};
        step_down(&walk, span, sums, image, shift != 0, cut, limits);
        ring[place] = (uint4)(sums[0], sums[1], sums[2], sums[3]);
        place = place + WG < DEPTH * WG ? place + WG : 0;
        if (row >= 2 * KY) {
            const uint min_x =
                partly ? min_as_if_full(walk.windows, numbers) : min_window(walk.windows);
            if (may_be_signal(walk, min_x, limits)) {
                found.rows |= 1u << (row - 2 * KY);
                found.min_x = min(found.min_x, min_x);
            }
        }
        image += PITCH;
        ignore += PITCH;
        valid += PITCH;
    }
    return found;
}
