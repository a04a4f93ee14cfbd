// Column sums of the windows of a row of the grid, 8 columns per work-item, and windows as sums of these: x in pairs of
// 16 bits and y in 32 bits are exact for counts below CLAMP.

typedef struct {
    uint pairs[4];  // x of columns 2 k and 2 k + 1
    uint y[8];
    uint invalid[2];  // number of invalid pixels, one byte per column
    uint here;        // bit i: pixel i of the row itself is invalid
    bool large;       // a valid count is CLAMP or more: pairs and y must not be used
} columns_t;

static inline void clear_columns(columns_t* columns) {
#pragma unroll
    for (int i = 0; i < 4; ++i) columns->pairs[i] = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) columns->y[i] = 0;
    columns->invalid[0] = columns->invalid[1] = columns->here = 0;
    columns->large = false;
}

static inline void add_words(columns_t* columns, const uint4 words) {
    const uint word[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint low = word[i] & 0xFFFF, high = word[i] >> 16;
        columns->pairs[i] += word[i];
        columns->y[2 * i] += low * low;
        columns->y[2 * i + 1] += high * high;
    }
}

// For rows with invalid pixels or large counts.
static void sum_with_care(global const SRC* image, global const uchar* ignore, const uint pitch, columns_t* columns) {
    clear_columns(columns);
    for (int row = 0; row < DEPTH; ++row) {
        uint word[4], left_out = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const SRC p = image[(size_t)row * pitch + i];
            const bool valid = is_valid(p, ignore[(size_t)row * pitch + i]);
            const uint count = valid && (ulong)p < CLAMP ? (uint)p : 0;
            columns->large = columns->large || (valid && (ulong)p >= CLAMP);
            left_out |= valid ? 0 : 1u << i;
            word[i / 2] = i % 2 == 0 ? count : word[i / 2] | count << 16;
        }
        add_words(columns, (uint4)(word[0], word[1], word[2], word[3]));
        // bits to bytes
        columns->invalid[0] += (left_out & 15) * 0x204081 & 0x01010101;
        columns->invalid[1] += (left_out >> 4) * 0x204081 & 0x01010101;
        if (row == KY) columns->here = left_out;
    }
}

static inline void sum_columns(global const SRC* image, global const uchar* ignore, const uint pitch,
                               const bool masked, columns_t* columns) {
    clear_columns(columns);
    pixels_t seen = 0;
#pragma unroll
    for (int row = 0; row < DEPTH; ++row) {
        const pixels_t p = *(global const pixels_t*)(image + (size_t)row * pitch);
        seen = or_of(seen, p);
        add_words(columns, pairs_of(p));
    }
    if (masked || any_not_plain(seen)) sum_with_care(image, ignore, pitch, columns);
}

// Sums of a row of the grid, by quads of columns: even and odd ones separately.
typedef struct {
    uint2 pairs[2][LANES];
    uint4 y[2][LANES];
    uint invalid[2][LANES];
} row_sums_t;

// Pixel i of a lane, summed anew from the columns.
static inline bool window_of_columns(local const row_sums_t* sums, const int lane, const int i,
                                     global const ulong* table) {
    sums_t window = no_sums();
    uint y = 0, invalid = 0;
    for (int column = lane * 8 + i - KX; column <= lane * 8 + i + KX; ++column) {
        const int quad = column >> 2 & 1, other = column >> 3;
        window.x += ((local const ushort*)&sums->pairs[quad][other])[column & 3];
        y += ((local const uint*)&sums->y[quad][other])[column & 3];
        invalid += ((local const uchar*)&sums->invalid[quad][other])[column & 3];
    }
    window.m = WINDOW - invalid;
    add_square(&window.y, y);
    return window.m >= MIN_LOCAL && is_dispersed(window, table);
}

// m - 1 + noise(m), times the gain. Capped: above the cap nothing is dispersed either way.
static inline float limit_of(const uint m, global const ulong* table) {
    const double noise = as_double(table[TABLE_NOISE + m]);
#if GAIN
    return min((float)(as_double(table[1]) * noise), 1e30f);
#else
    return min((float)((int)m - 1 + noise), 1e30f);
#endif
}

// Bit i: factor y > x (x + limit) for the window that begins at column i, in floats.
static inline uint windows_above(const uint* x, const uint* y, const float factor, const float limit) {
    uint sum = 0, squares = 0, found = 0;
#pragma unroll
    for (int i = 0; i < 2 * KX; ++i) {
        sum += x[i];
        squares += y[i];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        sum += x[2 * KX + i];
        squares += y[2 * KX + i];
        const float xf = (float)sum;
        found |= mad(xf, xf + limit, -((float)squares * factor)) < 0 ? 1u << i : 0;
        sum -= x[i];
        squares -= y[i];
    }
    return found;
}

// The same if the numbers m of the pixels differ. Factors are m times `factor`; limits depend on m.
static inline uint some_windows_above(const uint* x, const uint* y, const uint* invalid, const float factor,
                                      const float limit_factor, global const ulong* table) {
    uint sum = 0, squares = 0, left_out = 0, found = 0;
#pragma unroll
    for (int i = 0; i < 2 * KX; ++i) {
        sum += x[i];
        squares += y[i];
        left_out += invalid[i];
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        sum += x[2 * KX + i];
        squares += y[2 * KX + i];
        left_out += invalid[2 * KX + i];
        const float xf = (float)sum, m = (float)(WINDOW - left_out);
        const float limit = limit_of(WINDOW - left_out, table) * limit_factor;
        found |= mad(xf, xf + limit, -((float)squares * (m * factor))) < 0 ? 1u << i : 0;
        sum -= x[i];
        squares -= y[i];
        left_out -= invalid[i];
    }
    return found;
}

// Bit i: the window of pixel i, `full` or not, is dispersed; bit 8 + i: floats cannot decide. Their rounding errors are
// a few 2^-24 of m y, which is at least x^2, and of x limit.
static inline uint windows_dispersed(local const row_sums_t* sums, const int lane, const bool full,
                                     global const ulong* table) {
    uint x[SPAN], y[SPAN], invalid[SPAN];
#pragma unroll
    for (int q = 0; q < SPAN / 4; ++q) {
        const int quad = (q + 4 - QUADS) & 1;
        const int other = clamp(lane + (q + 4 - QUADS) / 2 - 2, 0, LANES - 1);
        const uint2 pairs = sums->pairs[quad][other];
        x[4 * q] = pairs.x & 0xFFFF;
        x[4 * q + 1] = pairs.x >> 16;
        x[4 * q + 2] = pairs.y & 0xFFFF;
        x[4 * q + 3] = pairs.y >> 16;
        vstore4(sums->y[quad][other], 0, y + 4 * q);
        if (!full) {
            const uint numbers = sums->invalid[quad][other];
#pragma unroll
            for (int i = 0; i < 4; ++i) invalid[4 * q + i] = numbers >> 8 * i & 255;
        }
    }
    const uint *const from_x = x + 4 * QUADS - KX, *const from_y = y + 4 * QUADS - KX;
    const uint* const from_invalid = invalid + 4 * QUADS - KX;
    uint maybe, surely;
    if (full && MIN_LOCAL <= WINDOW) {
        const float limit = limit_of(WINDOW, table);
        maybe = windows_above(from_x, from_y, WINDOW * (1 + 1e-6f), limit * (1 - 1e-6f));
        if (maybe == 0) return 0;
        surely = windows_above(from_x, from_y, WINDOW * (1 - 1e-6f), limit * (1 + 1e-6f));
    } else {
        maybe = some_windows_above(from_x, from_y, from_invalid, 1 + 1e-6f, 1 - 1e-6f, table);
        surely = MIN_LOCAL > 2 ? 0 : some_windows_above(from_x, from_y, from_invalid, 1 - 1e-6f, 1 + 1e-6f, table);
    }
    return surely | (maybe & ~surely) << 8;
}
