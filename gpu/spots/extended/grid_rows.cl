// What erosion keeps of counts: pixels with only dispersed or invalid pixels (INVALID_ERODES: dispersed ones) in the STEP
// rows around them, as far as these are in the image. One of these rows belongs to a grid: every STEP-th row, and the last row of the image.
// Therefore the rows of the grid are tested completely; the rows above and below only near columns that such a row
// alone would keep.
//
// A group takes LANES * 8 columns, of which it writes those outside its halo, of WG / LANES rows of the grid, each with
// the STEP rows around it. In a row of the grid, a work-item sums 8 columns of the window's rows (x in pairs of 16
// bits, y in 32 bits: exact for counts below CLAMP); windows are sums of columns. Windows with a count of CLAMP or more
// are summed anew, in parallel; those of the other rows by gpu/spots/extended/near_rows.cl.
//
// NDRange: dimension 0: WG work-items per ACROSS * 8 columns; 1: WG / LANES rows of the grid; 2: module. Group (WG, 1,
// 1). Writes all words of `kept`, clears those of `bits`, and lists where something was kept (see
// gpu/spots/extended/background.cl).
//
// masked: one byte per 8 columns of each row of the grid: masked[module][row][chunk] (masked_windows).

// Pixels of a group that must be tested one by one: (row * LANES + lane) * 8 + bit.
static inline void put_pixels(local ushort* list, local uint* listed, const uint item, uint pixels) {
    uint at = atomic_add(listed, popcount(pixels));
    for (; pixels != 0; pixels &= pixels - 1, ++at) list[at] = (ushort)(item * 8 + 31 - clz(pixels & -pixels));
}

static inline void store_columns(local row_sums_t* sums, const columns_t* columns, const int lane) {
    sums->pairs[0][lane] = (uint2)(columns->pairs[0], columns->pairs[1]);
    sums->pairs[1][lane] = (uint2)(columns->pairs[2], columns->pairs[3]);
    sums->y[0][lane] = vload4(0, columns->y);
    sums->y[1][lane] = vload4(1, columns->y);
    sums->invalid[0][lane] = columns->invalid[0];
    sums->invalid[1][lane] = columns->invalid[1];
}

// Which of the 8 columns of a work-item are dispersed, from sums of columns; those in `here` are known. large: the
// windows for which these sums are not valid, to be summed anew.
static inline uint test_columns(local const row_sums_t* sums, local const uchar* flags, const int lane,
                                const uint here, global const ulong* table, uint* large) {
    const uint around = flags[max(lane - 1, 0)] | flags[lane] | flags[min(lane + 1, LANES - 1)]
#if KX > 8
                        | flags[max(lane - 2, 0)] | flags[min(lane + 2, LANES - 1)]
#endif
        ;
    if ((around & 1) != 0) {
        *large = ~here & 255;
        return 0;
    }
    const uint verdicts = windows_dispersed(sums, lane, (around & 2) == 0, table);
    uint found = here | (verdicts & 255);
    uint open_question = verdicts >> 8 & ~found;
    // windows that reach beyond the lanes matter to no pixel that is written
    if (lane * 8 < KX) open_question &= ~0u << (KX - lane * 8);
    const int columns_right = LANES * 8 - KX - lane * 8;
    if (columns_right < 8) open_question &= (1u << columns_right) - 1;
    for (; open_question != 0; open_question &= open_question - 1) {
        const int i = 31 - clz(open_question & -open_question);
        found |= window_of_columns(sums, lane, i, table) ? 1u << i : 0;
    }
    return found;
}

// Tests the listed pixels of rows of the grid from `first` on, one by one and in parallel.
static inline void test_listed(global const SRC* images, global const uchar* ignore, global const ulong* table,
                               const uint4 shape, const uint module, const uint first,
                               local const ushort* list, const uint listed, local uint* near_bits) {
    for (uint i = get_local_id(0); i < listed; i += WG) {
        const uint item = list[i] / 8, other = item % LANES, at = item / LANES;
        const int x = ((int)(get_group_id(0) * ACROSS + other) - BESIDE) * 8 + list[i] % 8;
        if (dispersed_or_invalid(images, ignore, table, shape, module, grid_row(first + at, shape), x))
            atomic_or(&near_bits[((at * NEAR_ROWS + 2 * REACH) * LANES + other) / 4],
                      1u << (other % 4 * 8 + list[i] % 8));
    }
}

#if REACH > 0
// Whether a chunk that the rows near a row of the grid need has masked pixels: 4 in its flags.
static inline bool masked_near(local const uchar* flags, const int lane) {
    if (lane < NEAR_CHUNKS || lane >= LANES - NEAR_CHUNKS) return true;
    bool some_masked = false;
    for (int c = -NEAR_CHUNKS; c <= NEAR_CHUNKS; ++c) some_masked |= (flags[lane + c] & 4) != 0;
    return some_masked;
}
#endif

// Writes what is kept of the STEP rows around a row of the grid, and clears their bits.
// own: what the row of the grid alone keeps; rows: the rows near it, as bits of dispersed pixels
// @return the columns in which anything is kept
static inline uint write_kept(global uint* kept, global uint* bits, const uint4 shape, const uint module,
                              const int chunk, const uint k, const int row, const bool writes, const uint own,
                              local const uchar* rows, const int b, const int lane) {
    const uint last = min(k * STEP + STEP, HEIGHT_OF(shape));
    const size_t first_byte = word_at(shape, module, k * STEP, 0) * 4 + chunk;
    uint across[NEAR_ROWS], any_kept = 0;
#pragma unroll
    for (int near = 0; near < NEAR_ROWS; ++near)
        across[near] = own == 0 ? 0 : eroded(rows + (b * NEAR_ROWS + near) * LANES, lane);
    // row - REACH + o, of which one to all STEP belong to this row
#pragma unroll
    for (int o = 0; o < STEP; ++o) {
        const int y = row - REACH + o;
        if (!writes || y < (int)(k * STEP) || y >= (int)last) continue;
        uint all = own;
#pragma unroll
        for (int near = o; near <= o + 2 * REACH; ++near) all &= across[near];
        const size_t byte = first_byte + (size_t)(y - (int)(k * STEP)) * WORDS_OF(shape) * 4;
        ((global uchar*)kept)[byte] = (uchar)all;
        ((global uchar*)bits)[byte] = 0;
        any_kept |= all;
    }
    return any_kept;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void keep(global const SRC* images,
                                                                 global const uchar* ignore,
                                                                 global const uchar* masked,
                                                                 global uint* kept,
                                                                 global uint* bits,
                                                                 global uint* tasks, global uint* numbers,
                                                                 global const ulong* table,
                                                                 const uint4 shape, const uint which) {
    local row_sums_t sums[GRID_ROWS];
    local uchar flags[GRID_ROWS][LANES];  // 1: a count is too large; 2: a pixel is invalid; 4: masked near
    local uint near_bits[GRID_ROWS * NEAR_ROWS * LANES / 4];
    local uchar open[GRID_ROWS][LANES];
    local ushort list[WG * 8];
#if REACH > 0
    local near_sums_t near_sums[NEAR_TASKS];
#endif
    local uint listed[2], any_open;
    const uint lid = get_local_id(0), module = get_global_id(2), chunks = (WIDTH_OF(shape) + 7) / 8;
    const int lane = lid % LANES, b = lid / LANES, chunk = (int)(get_group_id(0) * ACROSS) + lane - BESIDE;
    const uint grid_rows = (HEIGHT_OF(shape) + STEP - 1) / STEP, first = get_global_id(1) * GRID_ROWS, k = first + b;
    const int row = grid_row(k, shape);
    const bool inside = chunk >= 0 && chunk < (int)chunks && k < grid_rows;
    local uchar* const rows = (local uchar*)near_bits;

    if (lid == 0) listed[0] = listed[1] = any_open = 0;
    columns_t columns;
    clear_columns(&columns);
    uint masks = ALL_MASKED, near_masks = SOME_MASKED;
    if (inside) {
        global const uchar* of_row = masked + (module * grid_rows + k) * chunks + chunk;
        masks = of_row[0];
        near_masks = masks | (k > 0 ? of_row[-(int)chunks] : 0) | (k + 1 < grid_rows ? of_row[chunks] : 0);
        const size_t at = pixel_at(shape, module, 0, chunk * 8) + (long)(row - KY) * PITCH_OF(shape);
        sum_columns(images + at, ignore + at, PITCH_OF(shape), (masks & SOME_MASKED) != 0, &columns);
    } else {
        columns.invalid[0] = columns.invalid[1] = DEPTH * 0x01010101;
        columns.here = 255;
    }
    store_columns(&sums[b], &columns, lane);
    flags[b][lane] = (columns.large ? 1 : 0) | ((columns.invalid[0] | columns.invalid[1]) != 0 ? 2 : 0) |
                     ((near_masks & SOME_MASKED) != 0 ? 4 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);

    const bool tests = lane >= BESIDE - TESTED && lane < LANES - BESIDE + TESTED;
    uint found = columns.here, large = 0;
    if (tests && inside && columns.here != 255)
        found |= test_columns(&sums[b], flags[b], lane, found, table, &large);
#if !INVALID_SET
    // past the width everything counts as set
    if (inside) {
        const uint there = WIDTH_OF(shape) - (uint)chunk * 8;
        found = (found & ~columns.here) | (there >= 8 ? 0 : 255 & ~0u << there);
    }
#endif
    rows[(b * NEAR_ROWS + 2 * REACH) * LANES + lane] = (uchar)found;
    if (large != 0) put_pixels(list, &listed[0], lid, large);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint large_pixels = listed[0];
    if (large_pixels != 0) {
        test_listed(images, ignore, table, shape, module, first, list, large_pixels, near_bits);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const bool writes = lane >= BESIDE && lane < LANES - BESIDE && chunk < (int)WORDS_OF(shape) * 4 && k < grid_rows;
    uint own = 0;
    if (writes && (masks & ALL_MASKED) == 0) own = eroded(rows + (b * NEAR_ROWS + 2 * REACH) * LANES, lane);
    open[b][lane] = (uchar)own;
    if (own != 0) atomic_or(&any_open, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
#if REACH > 0
    if (any_open) {
        const uint wanted = k < grid_rows ? dilated(open[b], lane) : 0;
        // outside the image everything counts as set
        for (int near = 0; near < NEAR_ROWS; ++near)
            if (near != 2 * REACH) rows[(b * NEAR_ROWS + near) * LANES + lane] = inside ? 0 : 255;
        if (wanted != 0 && inside) list[atomic_inc(&listed[1])] = (ushort)(wanted << 8 | lid);
        if (lid < NEAR_TASKS) near_sums[lid].large[0] = near_sums[lid].large[1] = 0;
        uint turn = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint number = listed[1], share = lid % NEAR_SHARE;
        local near_sums_t* const own_sums = &near_sums[lid / NEAR_SHARE];
        for (uint start = 0; start < number; start += NEAR_TASKS, turn = 1 - turn) {
            const uint task = start + lid / NEAR_SHARE, item = list[min(task, number - 1)] & 255,
                       pixels = list[min(task, number - 1)] >> 8, other = item % LANES, at = item / LANES;
            const int x = ((int)(get_group_id(0) * ACROSS + other) - BESIDE) * 8,
                      top = grid_row(first + at, shape) - 2 * REACH;
            if (task < number) {
                const bool some_masked = masked_near(flags[at], (int)other);
                for (int y = share; y < AROUND_ROWS; y += NEAR_SHARE)
                    sum_across(images, ignore, shape, module, top - KY + y, x, some_masked, y, turn, own_sums);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (task < number)
                for (int i = share; i < NEAR_ROWS * 8; i += NEAR_SHARE) {
                    const int near = i / 8, bit = i % 8;
                    if (near == 2 * REACH || (pixels >> bit & 1) == 0) continue;
                    if (top + near < 0 || top + near >= (int)HEIGHT_OF(shape) ||
                        (own_sums->large[turn] != 0
                             ? dispersed_or_invalid(images, ignore, table, shape, module, top + near, x + bit)
                             : near_dispersed(own_sums, near, bit, invalid_set(shape, x + bit), table)))
                        atomic_or(&near_bits[((at * NEAR_ROWS + near) * LANES + other) / 4],
                                  1u << (other % 4 * 8 + bit));
                }
            if (share == 0) own_sums->large[1 - turn] = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
#endif
    const uint any_kept = write_kept(kept, bits, shape, module, chunk, k, row, writes, own, rows, b, lane);
    if (any_kept != 0) tasks[atomic_inc(&numbers[which])] = (module * grid_rows + k) * chunks + chunk;
}
