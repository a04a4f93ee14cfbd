// Offers tests of pixels in the rows near a row of the grid (grid_rows.cl): from sums across these rows, and of single
// pixels directly from memory.

// Whether an invalid pixel of column x counts as set: it does past the width, and elsewhere unless INVALID_ERODES.
static inline bool invalid_set(const uint4 shape, const int x) {
    return INVALID_SET || x < 0 || x >= (int)WIDTH_OF(shape);
}

// Pixel x of row y, directly from memory. Everything outside the image counts as set.
static inline bool dispersed_or_invalid(global const SRC* images, global const uchar* ignore, global const ulong* table,
                                 const uint4 shape, const uint module, const int y, const int x) {
    if (y < 0 || y >= (int)HEIGHT_OF(shape)) return true;
    const size_t at = pixel_at(shape, module, y, 0) + (long)x;
    if (!is_valid(images[at], ignore[at])) return invalid_set(shape, x);
    sums_t sums = no_sums();
    add_window(images + at, ignore + at, PITCH_OF(shape), &sums);
    return sums.m >= MIN_LOCAL && is_dispersed(sums, table);
}


// The rows around a row of the grid, for 8 columns: NEAR_SHARE work-items sum the rows across, then windows are sums of
// these.
#define AROUND_ROWS (NEAR_ROWS + 2 * KY)
#ifndef NEAR_SHARE
#define NEAR_SHARE (AROUND_ROWS <= 16 ? 16 : AROUND_ROWS <= 64 || WG < 64 ? 32 : 64)
#endif
#define NEAR_TASKS (WG / NEAR_SHARE)
// Chunks on each side that windows reach into.
#define NEAR_CHUNKS ((KX + 7) / 8)

typedef struct {
    uint x[8][AROUND_ROWS];  // sum over 2 KX + 1 columns; in the upper 16 bits the number of invalid ones
    uint y[8][AROUND_ROWS];
    uchar invalid[AROUND_ROWS];  // one bit per column
    uint large[2];  // a count was too large, in this round and the next one
} near_sums_t;

// Row `row` of these, which is row y of the image, from column x on; some_masked: ignored pixels may be near.
static inline void sum_across(global const SRC* images, global const uchar* ignore, const uint4 shape,
                              const uint module, const int y, const int x, const bool some_masked, const int row,
                              const uint turn, local near_sums_t* sums) {
    const bool there = y >= 0 && y < (int)HEIGHT_OF(shape);
    const size_t at = pixel_at(shape, module, there ? y : 0, 0) + (long)x;
    pixels_t pixels[2 * NEAR_CHUNKS + 1];
    ulong ignored[2 * NEAR_CHUNKS + 1];
#pragma unroll
    for (int c = 0; c <= 2 * NEAR_CHUNKS; ++c) {
        pixels[c] = *(global const pixels_t*)(images + at + (c - NEAR_CHUNKS) * 8);
        ignored[c] = some_masked ? *(global const ulong*)(ignore + at + (c - NEAR_CHUNKS) * 8) : 0;
        if (!there) ignored[c] = 0x0101010101010101ul;
    }
    uint counts[8 + 16 * NEAR_CHUNKS];
    ulong invalid = 0;
    bool large = false;
#pragma unroll
    for (int c = 0; c <= 2 * NEAR_CHUNKS; ++c)
        invalid |= (ulong)unpacked(pixels[c], ignored[c], counts + c * 8, &large) << c * 8;
    if (large) atomic_or(&sums->large[turn], 1u);
    sums->invalid[row] = (uchar)(invalid >> NEAR_CHUNKS * 8);
    uint sum = 0, squares = 0;
#pragma unroll
    for (int i = NEAR_CHUNKS * 8 - KX; i < NEAR_CHUNKS * 8 + KX; ++i) {
        sum += counts[i];
        squares += counts[i] * counts[i];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const uint enters = counts[NEAR_CHUNKS * 8 + KX + i], leaves = counts[NEAR_CHUNKS * 8 - KX + i];
        sum += enters;
        squares += enters * enters;
        const uint left_out = (uint)(invalid >> (NEAR_CHUNKS * 8 - KX + i)) & (uint)((1ul << (2 * KX + 1)) - 1);
        sums->x[i][row] = sum | popcount(left_out) << 16;
        sums->y[i][row] = squares;
        sum -= leaves;
        squares -= leaves * leaves;
    }
}

// Pixel i of row `near` of those that may need testing.
// if_invalid: what an invalid one is
static inline bool near_dispersed(local const near_sums_t* sums, const int near, const int i, const bool if_invalid,
                                  global const ulong* table) {
    if ((sums->invalid[near + KY] >> i & 1) != 0) return if_invalid;
    sums_t window = no_sums();
    uint y = 0, invalid = 0;
#pragma unroll
    for (int dy = 0; dy < DEPTH; ++dy) {
        const uint x = sums->x[i][near + dy];
        window.x += x & 0xFFFF;
        invalid += x >> 16;
        y += sums->y[i][near + dy];
    }
    window.m = WINDOW - invalid;
    add_square(&window.y, y);
    return window.m >= MIN_LOCAL && is_dispersed(window, table);
}
