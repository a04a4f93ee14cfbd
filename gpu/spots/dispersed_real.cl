// The dispersion test of floats: sums of every window anew, in the order of the definition (see
// sliding_real.cl).

#ifndef V
#define V 4
#endif

kernel void dispersed(global const SRC* images, global const uchar* ignore, global uint* bits,
                      global const ulong* table, const uint4 shape) {
    const uint x0 = get_global_id(0) * V, y0 = get_global_id(1) * STRIP, module = get_global_id(2);
    if (x0 >= shape.s1 || y0 >= shape.s0) return;
    for (uint y = y0; y < min(y0 + STRIP, shape.s0); ++y) {
        uint found = 0;
        for (uint x = x0; x < min(x0 + V, shape.s1); ++x) {
            const size_t at = pixel_at(shape, module, y, x);
            bool set = !is_valid(images[at], ignore[at]);
            if (!set) {
                const sums_t sums = window_sums(images + at, ignore + at, shape.s2);
                set = sums.m >= MIN_LOCAL && is_dispersed(sums, table);
            }
            found |= set ? 1u << x % 32 : 0;
        }
        if (found != 0) atomic_or(bits + word_at(shape, module, y, x0), found);
    }
}
