// Offers erosion and dilation of a row whose bits are stored as one byte per lane.

// Bits of BEFORE pixels on both sides of a lane's 8, whose first one is bit BEFORE. All 0 outside the lanes.
#if REACH > 8
typedef ulong around_t;
#define BEFORE 16
#else
typedef uint around_t;
#define BEFORE 8
#endif
static inline around_t bits_around(local const uchar* bits, const int lane) {
    around_t all = (around_t)bits[lane] << BEFORE;
#pragma unroll
    for (int n = 1; n <= BEFORE / 8; ++n) {
        if (lane >= n) all |= (around_t)bits[lane - n] << (BEFORE - 8 * n);
        if (lane + n < LANES) all |= (around_t)bits[lane + n] << (BEFORE + 8 * n);
    }
    return all;
}

static inline uint eroded(local const uchar* bits, const int lane) {
    const around_t from = bits_around(bits, lane);
    around_t all = from;
#pragma unroll
    for (int d = 1; d <= REACH; ++d) all &= from << d & from >> d;
    return all >> BEFORE & 255;
}

static inline uint dilated(local const uchar* bits, const int lane) {
    const around_t from = bits_around(bits, lane);
    around_t any = from;
#pragma unroll
    for (int d = 1; d <= REACH; ++d) any |= from << d | from >> d;
    return any >> BEFORE & 255;
}
