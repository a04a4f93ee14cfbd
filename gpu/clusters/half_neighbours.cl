// The neighbours of pixel y << 16 | x that follow it in that order: each pair of neighbours is visited once.

#if CONNECTIVITY == 8
#define HALF_NEIGHBOURS 4
#else
#define HALF_NEIGHBOURS 2
#endif

/// True if neighbour k exists, from 1; sets `at`. k = 0: the pixel itself.
static inline bool half_neighbour(const uint key, const uint k, uint* at) {
    const uint x = key & 0xffff, y = key >> 16;
    if (k > 1 && y == 0xffff) return false;
    *at = key + (k == 0 ? 0 : k == 1 ? 1 : k == 2 ? 0x10000 : k == 3 ? 0xffff : 0x10001);
    return k == 0 || k == 2 || (k == 3 ? x > 0 : x < 0xffff);
}
