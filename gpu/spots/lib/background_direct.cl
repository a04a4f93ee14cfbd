// The background of one pixel of dispersion_extended, summed anew: over the valid pixels of its window that erosion did
// not keep, in the order of the definition, which matters for floats. Sums of counts below 2^24 are exact in any order.

static inline bool beyond_background(global const SRC* images, global const uchar* ignore, global const uint* kept,
                                     global const ulong* table, const uint4 shape, const uint module, const uint y,
                                     const uint x) {
    const size_t at = pixel_at(shape, module, y, x);
    const SRC p = images[at];
    if (!is_valid(p, ignore[at]) || !over_threshold(p, table)) return false;
    double sum = 0;
    uint n = 0;
    for (int dy = -BACK_Y; dy <= BACK_Y; ++dy) {
        double row = 0;
        for (int dx = -BACK_X; dx <= BACK_X; ++dx) {
            const size_t other = at + (long)dy * PITCH_OF(shape) + dx;
            // outside the image nothing is valid: the bits are only read inside
            if (!is_valid(images[other], ignore[other])) continue;
            const uint ox = (uint)((int)x + dx);
            if ((kept[word_at(shape, module, (uint)((int)y + dy), ox)] >> ox % 32 & 1) != 0) continue;
            row += (double)images[other];
            ++n;
        }
        sum += row;
    }
    return is_beyond(p, sum, n, table);
}
