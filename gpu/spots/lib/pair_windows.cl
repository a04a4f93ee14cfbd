// Sums over columns of pairs of pixels in a word. Define before: REACH, the words on each side that windows reach into,
// and plus(a, b), which adds pairs.

static inline uint swapped(const uint pair) { return as_uint(as_ushort2(pair).yx); }

// Sums over 2 KX + 1 columns for the 8 pixels in the middle of `columns`.
static inline void window_words(const uint* columns, uint* windows) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const uint a = columns[k], b = columns[k + 2 * REACH];
        const uint inner = as_uint((ushort2)(as_ushort2(a).y, as_ushort2(b).x));
        uint common = columns[k + 1];
#pragma unroll
        for (int i = 2; i < 2 * REACH; ++i) common = plus(common, columns[k + i]);
#if KX % 2 == 1
        windows[k] = plus(plus(common, swapped(common)), inner);
#else
        common = plus(common, inner);
        windows[k] = plus(plus(common, swapped(common)), a & 0xFFFF | b & 0xFFFF0000);
#endif
    }
}
