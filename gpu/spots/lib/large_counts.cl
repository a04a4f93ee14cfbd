// The last pass of `dispersion` for counts of 32 bits and more and for floats: whether pixels of 2^24 and more, which
// are too large for the sums of windows, are signal themselves. They are rare: a work-item reads 16 pixels of a row at
// a time, and tests those it finds from windows summed anew.
//
// Defines in addition to those of gpu/spots/lib/window_test.cl: END, the smallest invalid count; MODULES per frame.
// `images` may hold several frames, one after another like modules; all have the same mask.
//
// NDRange: dimension 0: vectors of 16 pixels; 1: rows; 2: modules of all frames. Group (WG, 1, 1). Only sets bits.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"

#ifndef WG
#define WG 64
#endif
#ifndef MODULES
#define MODULES 1
#endif
#define LARGE ((SRC)16777216)
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void large_counts(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape) {
    const uint x = get_global_id(0) * 16, y = get_global_id(1), module = get_global_id(2);
    if (x >= WIDTH_OF(shape)) return;
    const size_t first = pixel_at(shape, module, y, x), of_mask = pixel_at(shape, module % MODULES, y, x);
    const JOIN(SRC, 16) pixels = *(global const JOIN(SRC, 16)*)(images + first);
    if (!any(pixels >= (JOIN(SRC, 16))LARGE)) return;
    for (uint i = 0; i < 16; ++i) {
        const SRC p = images[first + i];
        if (!(p >= LARGE && p < END) || ignore[of_mask + i] != 0 || !over_threshold(p, table)) continue;
        const sums_t sums = window_sums(images + first + i, ignore + of_mask + i, PITCH_OF(shape));
        if (is_signal(sums, (count_t)p, table)) atomic_or(bits + word_at(shape, module, y, x + i), 1u << (x + i) % 32);
    }
}
