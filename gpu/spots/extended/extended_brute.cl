// dispersion_extended as described in its article: three passes over all pixels, each of which reads its whole
// neighbourhood anew and shares nothing with the others. The baseline of that algorithm.
//   dispersed        bits of pixels that are dispersed or invalid; INVALID_ERODES: invalid ones do not count
//   eroded           of these, the pixels with only such pixels at a Chebyshev distance below min(KX, KY); everything
//                    outside the image counts as one
//   over_background  of these, the pixels above the mean of their background
//
// NDRange of all: dimension 0: x, 1: y, 2: module; group (TX, TY, 1). A launch may cover some rows of a module through
// the global offset. All bits must have been cleared.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"
#include "gpu/spots/lib/background_test.cl"
#include "gpu/spots/lib/background_direct.cl"

#ifndef TX
#define TX 16
#endif
#ifndef TY
#define TY 12
#endif
#define PIXEL_KERNEL kernel __attribute__((reqd_work_group_size(TX, TY, 1))) void
#define PIXEL                                                                                             \
    const uint x = get_global_id(0), y = get_global_id(1), module = get_global_id(2);                     \
    if (x >= WIDTH_OF(shape) || y >= HEIGHT_OF(shape)) return

static inline void set_bit(global uint* bits, const uint4 shape, const uint module, const uint y, const uint x) {
    atomic_or(bits + word_at(shape, module, y, x), 1u << x % 32);
}

PIXEL_KERNEL dispersed(global const SRC* images, global const uchar* ignore, global uint* bits,
                       global const ulong* table, const uint4 shape) {
    PIXEL;
    const size_t at = pixel_at(shape, module, y, x);
    const bool valid = is_valid(images[at], ignore[at]);
    bool set = !valid && INVALID_SET;
    if (valid) {
        const sums_t sums = window_sums(images + at, ignore + at, PITCH_OF(shape));
        set = sums.m >= MIN_LOCAL && is_dispersed(sums, table);
    }
    if (set) set_bit(bits, shape, module, y, x);
}

PIXEL_KERNEL eroded(global const uint* bits, global uint* kept, const uint4 shape) {
    PIXEL;
    const int reach = min(KX, KY) - 1;
    for (int dy = -reach; dy <= reach; ++dy)
        for (int dx = -reach; dx <= reach; ++dx) {
            const int ox = (int)x + dx, oy = (int)y + dy;
            if (ox < 0 || oy < 0 || ox >= (int)WIDTH_OF(shape) || oy >= (int)HEIGHT_OF(shape)) continue;
            if ((bits[word_at(shape, module, (uint)oy, (uint)ox)] >> ox % 32 & 1) == 0) return;
        }
    set_bit(kept, shape, module, y, x);
}

PIXEL_KERNEL over_background(global const SRC* images, global const uchar* ignore, global const uint* kept,
                             global uint* bits, global const ulong* table, const uint4 shape) {
    PIXEL;
    if ((kept[word_at(shape, module, y, x)] >> x % 32 & 1) == 0) return;
    if (beyond_background(images, ignore, kept, table, shape, module, y, x)) set_bit(bits, shape, module, y, x);
}
