// Offers the last test of dispersion_extended: pixel p above the mean of n counts around it, in the window of
// half-widths BACK_X and BACK_Y.

#define BACK_X (KX + 2)
#define BACK_Y (KY + 2)

static inline bool is_beyond(const SRC p, const double sum, const uint n, global const ulong* table) {
    const double mean = n < 2 ? 0.0 : sum / n;
    return sum >= 0 && (double)p >= mean + as_double(table[0]) * sqrt(as_double(table[1]) * mean);
}
