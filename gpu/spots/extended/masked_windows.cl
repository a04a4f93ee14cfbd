// Offers the rows of the grid of gpu/spots/extended/grid_rows.cl, and the kernel that marks which of their windows have
// ignored pixels.

// Flags of `masked`: a window has an ignored pixel in these columns; all pixels that may be kept are ignored.
#define SOME_MASKED 1
#define ALL_MASKED 2

static inline int grid_row(const uint k, const uint4 shape) {
    return (int)min(k * STEP + REACH, HEIGHT_OF(shape) - 1);
}

// NDRange: dimension 0: chunks of 8 columns; 1: rows of the grid; 2: module.
kernel void masked_windows(global const uchar* ignore, global uchar* masked, const uint4 shape) {
    const uint chunk = get_global_id(0), k = get_global_id(1), module = get_global_id(2);
    const uint chunks = (WIDTH_OF(shape) + 7) / 8;
    if (chunk >= chunks) return;
    const int row = grid_row(k, shape);
    ulong some = 0, all = ~(ulong)0;
#pragma unroll
    for (int dy = -KY; dy <= KY; ++dy) {
        const ulong flags =
            *(global const ulong*)(ignore + pixel_at(shape, module, 0, chunk * 8) + (long)(row + dy) * PITCH_OF(shape));
        some |= flags;
        if (abs(dy) <= REACH) all &= flags;
    }
    masked[(module * get_global_size(1) + k) * chunks + chunk] =
        (some != 0 ? SOME_MASKED : 0) | (all == 0x0101010101010101ul ? ALL_MASKED : 0);
}
