// A tile of image and mask in local memory, and the window sums from it: for kernels with one work-item per pixel.
//
// NDRange: dimension 0: x, 1: y, 2: module; group (TX, TY, 1). Local memory: (TX + 2 KX)(TY + 2 KY) pixels
// and flags. A launch may cover some rows of a module through the global offset.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"

#ifndef TX
#define TX 16
#endif
#ifndef TY
#define TY 12
#endif
#define TILE_X (TX + 2 * KX)
#define TILE_Y (TY + 2 * KY)

// Pixel `i` of the tile. Rows far below the image do not exist.
static inline void load_pixel(const uint i, global const SRC* images, global const uchar* ignore, const uint4 shape,
                              local SRC* tile, local uchar* valid) {
    const uint x0 = get_global_id(0) - get_local_id(0), y0 = get_global_id(1) - get_local_id(1);
    const uint dy = i / TILE_X, dx = i % TILE_X;
    SRC value = 0;
    uchar ok = 0;
    if (y0 + dy < HEIGHT_OF(shape) + 2 * KY) {
        const size_t at = pixel_at(shape, get_global_id(2), y0, x0) + (size_t)dy * PITCH_OF(shape) + dx -
                          ((size_t)KY * PITCH_OF(shape) + KX);
        value = images[at];
        ok = is_valid(value, ignore[at]) ? 1 : 0;
    }
    tile[i] = value;
    valid[i] = ok;
}

// Every pixel sums its whole window anew.
static inline void decide_pixel(local const SRC* tile, local const uchar* valid, global uint* bits,
                                global const ulong* table, const uint4 shape) {
    const uint x = get_global_id(0), y = get_global_id(1), module = get_global_id(2);
    if (x >= WIDTH_OF(shape) || y >= HEIGHT_OF(shape)) return;
    const uint corner = get_local_id(1) * TILE_X + get_local_id(0), centre = corner + KY * TILE_X + KX;
    if (!valid[centre] || !over_threshold(tile[centre], table)) return;
    sums_t sums = no_sums();
    for (uint dy = 0; dy <= 2 * KY; ++dy) {
        sums_t row = no_sums();
        for (uint dx = 0; dx <= 2 * KX; ++dx) {
            const uint i = corner + dy * TILE_X + dx;
            if (valid[i]) add_count(&row, (count_t)tile[i]);
        }
        add_row(&sums, row);
    }
    if (is_signal(sums, (count_t)tile[centre], table)) atomic_or(bits + word_at(shape, module, y, x), 1u << x % 32);
}
