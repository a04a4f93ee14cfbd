// dispersion_extended with all sums computed anew, in the order of the definition, as floats need (see
// sliding_real.cl).
//   dispersed        bits of pixels that are dispersed or invalid (INVALID_ERODES: invalid ones do not count); the bits
//                    must have been cleared
//   erode            gpu/spots/extended/erode.cl
//   over_background  of the bits kept: the mean of the background over valid pixels that are not kept, and the test
//
// NDRange of dispersed: dimension 0: groups of V pixels; 1: strips of STRIP rows; 2: module. Of over_background:
// gpu/spots/lib/candidate_queue.cl.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"
#include "gpu/spots/lib/background_test.cl"

#ifndef V
#define V 4
#endif
#ifndef STRIP
#define STRIP 32
#endif

kernel void dispersed(global const SRC* images, global const uchar* ignore, global uint* bits,
                      global const ulong* table, const uint4 shape) {
    const uint x0 = get_global_id(0) * V, y0 = get_global_id(1) * STRIP, module = get_global_id(2);
    if (x0 >= WIDTH_OF(shape) || y0 >= HEIGHT_OF(shape)) return;
    for (uint y = y0; y < min(y0 + STRIP, HEIGHT_OF(shape)); ++y) {
        uint found = 0;
        for (uint x = x0; x < min(x0 + V, WIDTH_OF(shape)); ++x) {
            const size_t at = pixel_at(shape, module, y, x);
            const bool valid = is_valid(images[at], ignore[at]);
            bool set = !valid && INVALID_SET;
            if (valid) {
                const sums_t sums = window_sums(images + at, ignore + at, PITCH_OF(shape));
                set = sums.m >= MIN_LOCAL && is_dispersed(sums, table);
            }
            found |= set ? 1u << x % 32 : 0;
        }
        if (found != 0) atomic_or(bits + word_at(shape, module, y, x0), found);
    }
}

#include "gpu/spots/lib/background_direct.cl"
#define DECIDE(module, y, x) beyond_background(images, ignore, kept, table, shape, module, y, x)
#include "gpu/spots/lib/candidate_queue.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void over_background(
    global const SRC* images, global const uchar* ignore, global const uint* kept, global uint* bits,
    global const ulong* table, const uint4 shape, const uint word_count) {
    EACH_CANDIDATE(kept, bits, shape, word_count);
}
