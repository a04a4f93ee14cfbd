// The first pass of dispersion_extended for CPUs: bits of pixels that are dispersed or invalid (INVALID_ERODES: that
// are dispersed), as far as erosion may
// keep something there. A kept pixel has only such pixels in the STEP rows around it, as far as these are in the image.
// One of these rows belongs to a grid: every STEP-th row, and the last row of the image. So only the rows of the grid
// are tested completely; from what these alone would keep, the test continues to the rows above and below, as long as
// something is left.
//
// NDRange: dimension 0: strips of COLUMNS columns; 1: bands of ROWS rows; 2: module. Group (1, 1, 1). Counts only (KIND
// 0, 1). All words of `bits` are written; untested pixels and bits past the width are 0.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"
#include "gpu/spots/vector_cpu/vector_cpu_rows.cl"

#ifndef COLUMNS
#define COLUMNS 512
#endif
#ifndef ROWS
#define ROWS 128
#endif
#define REACH ((KX < KY ? KX : KY) - 1)
#define STEP (2 * REACH + 1)
#define WORDS (COLUMNS / 32)

#include "gpu/spots/vector_cpu/vector_cpu_windows.cl"

// Bits of a row of a strip, with two words on both sides. The words beside the strip count as set: a pixel kept there
// may depend on the strip's pixels.
typedef struct {
    uint words[WORDS + 4];
} row_t;
#define STRIP_WORDS(row) ((row)->words + 2)

// Word `w` of the pixels with nothing but set bits within REACH in the row.
static inline uint kept_word(const row_t* row, const int w) {
    const uint* at = STRIP_WORDS(row) + w;
    uint all = at[0];
#pragma unroll
    for (int d = 1; d <= REACH; ++d) {
        all &= at[0] << d | at[-1] >> (32 - d);
        all &= at[0] >> d | at[1] << (32 - d);
    }
    return all;
}

// What may be kept of the columns of row y of the grid, also beside the strip: nothing of a column whose pixels are
// invalid within REACH, as it does not matter whether these are kept. Returns whether anything may be kept.
static bool find_open(const strip_t* strip, const row_t* row, const int y, const int words, row_t* open) {
    uint any = 0;
    for (int w = -1; w <= words; ++w) {
        uint bits = kept_word(row, w), valid = 0;
#if REACH > 0
        if (w < 0) bits &= ~0u << (32 - REACH);
        if (w == words) bits &= (1u << REACH) - 1;
#else
        if (w < 0 || w == words) bits = 0;
#endif
        for (int dy = -REACH; dy <= REACH && (bits & ~valid) != 0; ++dy)
            valid |= valid_bits(strip, y + dy, w * 32);
        STRIP_WORDS(open)[w] = bits & valid;
        any |= bits & valid;
    }
    STRIP_WORDS(open)[-2] = STRIP_WORDS(open)[words + 1] = 0;
    return any != 0;
}

// Tests row y around the open columns, and closes those that the row does not keep. Returns whether any are left.
static bool go_through(strip_t* strip, const int y, const int words, row_t* row, uchar* tested, row_t* open) {
    uint* bits = STRIP_WORDS(row);
    const uint* at = STRIP_WORDS(open);
    for (int w = 0; w < words; ++w) {
        int end = w;
        for (; end < words && !tested[end]; ++end) {
#if REACH > 0
            if ((at[end] | at[end - 1] >> (32 - REACH) | at[end + 1] << (32 - REACH)) == 0) break;
#else
            if (at[end] == 0) break;
#endif
            tested[end] = 1;
        }
        if (end > w) test_words(strip, y, w, end, bits);
        w = end;
    }
    uint any = 0;
    for (int w = -1; w <= words; ++w)
        if (at[w] != 0) any |= STRIP_WORDS(open)[w] &= kept_word(row, w);
    return any != 0;
}

static void set_row(row_t* row, const int words, const uint value) {
    for (int w = 0; w < WORDS + 4; ++w) row->words[w] = ~0u;
    for (int w = 0; w < words; ++w) STRIP_WORDS(row)[w] = value;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void dispersed_strips(global const SRC* images,
                                                                            global const uchar* ignores,
                                                                            global uint* bits,
                                                                            global const ulong* table,
                                                                            const uint4 shape) {
    const uint x0 = get_global_id(0) * COLUMNS, module = get_global_id(2);
    const int y0 = (int)get_global_id(1) * ROWS, height = (int)HEIGHT_OF(shape);
    if (x0 >= WIDTH_OF(shape) || y0 >= height) return;
    const int last = min(y0 + ROWS, height) - 1;
    const uint width = min((uint)COLUMNS, WIDTH_OF(shape) - x0);
    const int words = (int)(width + 31) / 32;
    const uint end_mask = width % 32 == 0 ? ~0u : (1u << width % 32) - 1;
    const size_t start = pixel_at(shape, module, 0, x0);
    strip_t strip;
    strip.image = images + start;
    strip.ignore = ignores + start;
    strip.table = table;
    strip.pitch = PITCH_OF(shape);
    strip.width = width;
    set_limits(&strip);

    // [STEP - 1]: the row of the grid below the others
    row_t rows[STEP], above, here;
    uchar tested[STEP][WORDS];
    bool open_above = false;
    int y = y0 <= REACH ? -1 : (y0 - 1 - REACH) / STEP * STEP + REACH;
    if (y >= 0) {
        set_row(&rows[STEP - 1], words, 0);
        test_words(&strip, y, 0, words, STRIP_WORDS(&rows[STEP - 1]));
        open_above = find_open(&strip, &rows[STEP - 1], y, words, &above);
    }
    while (y < last) {
        const int next = min(y < 0 ? REACH : y + STEP, height - 1), between = next - y - 1;
        row_t* grid = &rows[STEP - 1];
        set_row(grid, words, 0);
        test_words(&strip, next, 0, words, STRIP_WORDS(grid));
        bool open_here = find_open(&strip, grid, next, words, &here);
        row_t below = here;
        for (int i = 0; i < between; ++i) {
            set_row(&rows[i], words, 0);
            for (int w = 0; w < words; ++w) tested[i][w] = 0;
        }
        for (int i = 0; i < between && open_above; ++i)
            open_above = go_through(&strip, y + 1 + i, words, &rows[i], tested[i], &above);
        bool open_below = open_here;
        for (int i = between - 1; i >= 0 && open_below; --i)
            open_below = go_through(&strip, y + 1 + i, words, &rows[i], tested[i], &below);
        for (int i = 0; i <= between; ++i) {
            const int line = y + 1 + i;
            if (line < y0 || line > last) continue;
            const uint* from = STRIP_WORDS(i < between ? &rows[i] : grid);
            global uint* to = bits + word_at(shape, module, line, x0);
            for (int w = 0; w < words; ++w) to[w] = w + 1 == words ? from[w] & end_mask : from[w];
        }
        above = here;
        open_above = open_here;
        y = next;
    }
}
