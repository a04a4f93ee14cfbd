// Erosion: keeps the bits with only set bits at a Chebyshev distance below min(KX, KY), 32 pixels at a time. Everything
// outside the image counts as set.
//
// NDRange: dimension 0: words of bits, rounded up to the group, which may have any size. No local memory.

#include "gpu/spots/lib/shape.cl"

// Word `w` of a row, with everything outside the image set.
static inline uint word_or_ones(global const uint* row, const int w, const uint4 shape) {
    if (w < 0 || w >= (int)WORDS_OF(shape)) return ~0u;
    const uint used = WIDTH_OF(shape) - (uint)w * 32;
    return used >= 32 ? row[w] : row[w] | ~0u << used;
}

kernel void erode(global const uint* bits, global uint* kept, const uint4 shape, const uint word_count) {
    const uint i = get_global_id(0);
    if (i >= word_count) return;
    const int reach = min(KX, KY) - 1, height = (int)HEIGHT_OF(shape), w = (int)(i % WORDS_OF(shape));
    const uint line = i / WORDS_OF(shape);
    const int y = (int)(line % HEIGHT_OF(shape));
    if (bits[i] == 0) {
        kept[i] = 0;
        return;
    }
    uint left = ~0u, middle = ~0u, right = ~0u;
    for (int dy = max(-reach, -y); dy <= min(reach, height - 1 - y); ++dy) {
        global const uint* row = bits + (long)((int)line + dy) * WORDS_OF(shape);
        left &= word_or_ones(row, w - 1, shape);
        middle &= word_or_ones(row, w, shape);
        right &= word_or_ones(row, w + 1, shape);
    }
    uint all = middle;
    for (int step = 1; step <= reach; ++step) {
        all &= middle << step | left >> (32 - step);
        all &= middle >> step | right << (32 - step);
    }
    const uint used = WIDTH_OF(shape) - (uint)w * 32;
    kept[i] = used >= 32 ? all : all & ~(~0u << used);
}
