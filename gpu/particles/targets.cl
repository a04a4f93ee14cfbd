// Coordinates of target t of the whole problem, or of the part of it whose points were uploaded.
//   PLANES 1: `places` holds the coordinates along a side for x, y and z (`stride` of each), then x of yz,
//             y of xz, z of xy; targets are numbered plane by plane (xy, xz, yz), row by row
//   GRID 1:   `places` holds the same without the last three; targets are numbered along z, then y, then x
//   else      `places` holds x, then y, then z of `stride` points
static inline void place_of(global const REAL* places, const uint stride, const uint t, REAL* x, REAL* y,
                            REAL* z) {
#if PLANES
    const uint row = t / stride, second = t - row * stride;
    const uint plane = row / stride, first = row - plane * stride;
    global const REAL* fixed = places + 3 * stride;
    *x = plane == 2 ? fixed[0] : places[first];
    *y = plane == 1 ? fixed[1] : places[stride + (plane == 0 ? second : first)];
    *z = plane == 0 ? fixed[2] : places[2 * stride + second];
#elif GRID
    const uint row = t / stride, first = row / stride;
    *x = places[first];
    *y = places[stride + row - first * stride];
    *z = places[2 * stride + t - row * stride];
#else
    *x = places[t];
    *y = places[stride + t];
    *z = places[2 * stride + t];
#endif
}

// The same for target t of `total` from `first` on; beyond them the last one's.
static inline void place_within(global const REAL* places, const uint stride, const uint first,
                                const uint total, const uint t, REAL* x, REAL* y, REAL* z) {
    place_of(places, stride, first + min(t, total - 1), x, y, z);
}

// Stores what the sources from `begin` on contribute to target t; the first of them start its sum.
static inline void write_sum(global REAL* out, const uint total, const uint begin, const uint t,
                             const REAL sum) {
    if (t < total) out[t] = begin == 0 ? sum : out[t] + sum;
}

// Counts pairs at r = 0: few or none, so a single counter suffices.
static inline void count_skipped(global uint* skipped, const uint found) {
    if (found == 0) return;
    const uint before = atomic_add(skipped, found);
    if (before + found < before) atomic_inc(skipped + 1);
}
