// The last pass of dispersion_extended: of the bits kept, keeps those of pixels above the mean of their background,
// which consists of the valid pixels around that were not kept. A task is what `keep` kept of 8 columns of STEP rows:
// BACK_SHARE work-items sum the rows across, count and number in one word; backgrounds are sums of these. Sums of
// counts below 2^24 are exact in any order.
//
// tasks: (module * rows of the grid + row) * chunks + chunk. numbers: their number for this frame at `which`; the other
// one, for the next frame, is set to 0.
//
// NDRange: any number of groups (WG, 1, 1). Sets bits in a cleared plane.

#define BACK_ROWS (STEP + 2 * BACK_Y)
#define BACK_SHARE (BACK_ROWS <= 16 ? 16 : 32)
#define BACK_TASKS (WG / BACK_SHARE)
#define BACK_CHUNKS ((BACK_X + 7) / 8)
#define BACK_PIXELS (8 + 16 * BACK_CHUNKS)
#if KIND == 0 && (2 * BACK_X + 1) * (2 * BACK_Y + 1) <= 255
typedef uint back_t;
#define BACK_SHIFT 24
#else
typedef ulong back_t;
#define BACK_SHIFT 48
#endif
#define BACK_ONE ((back_t)1 << BACK_SHIFT)

// Row y from column x on: the sums around each of 8 pixels.
static inline void sum_background(global const SRC* images, global const uchar* ignore, global const uint* kept,
                                  const uint4 shape, const uint module, const int y, const int x, const int row,
                                  local back_t (*sums)[BACK_ROWS]) {
    back_t counts[BACK_PIXELS];
#pragma unroll
    for (int i = 0; i < BACK_PIXELS; ++i) counts[i] = 0;
    if (y >= 0 && y < (int)HEIGHT_OF(shape)) {
        const size_t at = pixel_at(shape, module, y, 0) + (long)x;
        global const uchar* bits = (global const uchar*)(kept + word_at(shape, module, y, 0));
#pragma unroll
        for (int c = -BACK_CHUNKS; c <= BACK_CHUNKS; ++c) {
            const pixels_t p = *(global const pixels_t*)(images + at + c * 8);
            const uint skip = bits_of(*(global const ulong*)(ignore + at + c * 8)) |
                              bits[clamp(x / 8 + c, 0, (int)WORDS_OF(shape) * 4 - 1)];
            SRC value[8];
            vstore8(p, 0, value);
#pragma unroll
            for (int i = 0; i < 8; ++i)
                counts[(c + BACK_CHUNKS) * 8 + i] =
                    is_valid(value[i], (uchar)(skip >> i & 1)) ? (back_t)value[i] | BACK_ONE : 0;
        }
    }
    back_t sum = 0;
#pragma unroll
    for (int i = BACK_CHUNKS * 8 - BACK_X; i < BACK_CHUNKS * 8 + BACK_X; ++i) sum += counts[i];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        sum += counts[BACK_CHUNKS * 8 + BACK_X + i];
        sums[i][row] = sum;
        sum -= counts[BACK_CHUNKS * 8 - BACK_X + i];
    }
}

static inline bool beyond_background(global const SRC* images, global const uchar* ignore, global const ulong* table,
                                     const size_t at, local const back_t* sums) {
    const SRC p = images[at];
    if (!is_valid(p, ignore[at]) || !over_threshold(p, table)) return false;
    back_t sum = 0;
#pragma unroll
    for (int dy = 0; dy <= 2 * BACK_Y; ++dy) sum += sums[dy];
    return is_beyond(p, (double)(sum & (BACK_ONE - 1)), (uint)(sum >> BACK_SHIFT), table);
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void over_background(
    global const SRC* images, global const uchar* ignore, global const uint* kept, global uint* bits,
    global const uint* tasks, global uint* numbers, global const ulong* table, const uint4 shape, const uint which) {
    local back_t sums[BACK_TASKS][8][BACK_ROWS];
    local uint found[BACK_TASKS][STEP];
    const uint lid = get_local_id(0), share = lid % BACK_SHARE, own = lid / BACK_SHARE, number = numbers[which];
    const uint chunks = (WIDTH_OF(shape) + 7) / 8, grid_rows = (HEIGHT_OF(shape) + STEP - 1) / STEP;
    if (get_global_id(0) == 0) numbers[1 - which] = 0;
    for (uint start = get_group_id(0) * BACK_TASKS; start < number; start += get_num_groups(0) * BACK_TASKS) {
        const bool there = start + own < number;
        const uint task = tasks[there ? start + own : start], chunk = task % chunks, line = task / chunks,
                   module = line / grid_rows, top = line % grid_rows * STEP;
        if (there) {
            for (int row = share; row < BACK_ROWS; row += BACK_SHARE)
                sum_background(images, ignore, kept, shape, module, (int)top - BACK_Y + row, (int)chunk * 8, row,
                               sums[own]);
            for (uint row = share; row < STEP; row += BACK_SHARE) found[own][row] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint rows = there ? min((uint)STEP, HEIGHT_OF(shape) - top) : 0;
        for (uint i = share; i < rows * 8; i += BACK_SHARE) {
            const uint row = i / 8, bit = i % 8;
            global const uchar* bytes = (global const uchar*)(kept + word_at(shape, module, top + row, 0));
            if ((bytes[chunk] >> bit & 1) != 0 &&
                beyond_background(images, ignore, table, pixel_at(shape, module, top + row, chunk * 8 + bit),
                                  &sums[own][bit][row]))
                atomic_or(&found[own][row], 1u << bit);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint row = share; row < rows; row += BACK_SHARE)
            ((global uchar*)(bits + word_at(shape, module, top + row, 0)))[chunk] = (uchar)found[own][row];
    }
}
