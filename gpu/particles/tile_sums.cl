// Potentials of one vector of weights. Part of tile.cl, which describes arguments and defines.
//
// The loop over pairs does not test whether they coincide: if they do, a singular kernel makes the sum of a
// tile infinite or not a number, and that target is summed over the tile again, with the test.

#define UNROLL 4
// Sources of weight 0 at this position pad a tile to a multiple of UNROLL: r^2 is finite, a term 0.
#define FAR 1e15f

// re and im of one source, added to the sums of a target, i of ITEMS; NaN or infinite at r = 0 of a singular
// kernel.
static inline void add_careless(REAL* re, REAL* im, const REAL r2, const REAL turns, const REAL weight,
                                const REAL weight_im, const uint i) {
#if KERNEL == 0 && POLYNOMIAL > 0
    const REAL g = i < POLYNOMIAL ? exp2_minus_polynomial(r2) : careless_term(r2);
#else
    const REAL g = careless_term(r2);
#endif
#if KERNEL == 2
    REAL c, s;
    cis_turns(r2 * g * turns, &c, &s);
#if COMPLEX_WEIGHTS
    const REAL own = g * weight, own_im = g * weight_im;
    *re += c * own - s * own_im;
    *im += c * own_im + s * own;
#else
    const REAL own = g * weight;
    *re += c * own;
    *im += s * own;
#endif
#else
    *re += g * weight;
#if COMPLEX_WEIGHTS
    *im += g * weight_im;
#endif
#endif
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tiled_sums(
    global const REAL4* sources, global const REAL* weights_im, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    local REAL4 tile[TILE];
#if COMPLEX_WEIGHTS
    local REAL tile_im[TILE];
#define WEIGHT_IM(j) tile_im[j]
#else
#define WEIGHT_IM(j) 0
#endif
    const uint item = get_local_id(0);
    const uint at = (get_global_id(0) - item) * ITEMS + item;
    REAL x[ITEMS], y[ITEMS], z[ITEMS], re[ITEMS], im[ITEMS], lost_re[ITEMS], lost_im[ITEMS];
    uint found = 0;
    for (uint i = 0; i < ITEMS; ++i) {
        re[i] = im[i] = lost_re[i] = lost_im[i] = 0;
        place_within(places, stride, first, total, at + i * WG, &x[i], &y[i], &z[i]);
    }
    for (uint from = begin; from < end; from += TILE) {
        const uint count = min((uint)TILE, end - from), filled = (count + UNROLL - 1) / UNROLL * UNROLL;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = item; j < filled; j += WG) {
            tile[j] = j < count ? sources[from + j] : (REAL4)(FAR, FAR, FAR, 0);
#if COMPLEX_WEIGHTS
            tile_im[j] = j < count ? weights_im[from + j] : 0;
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL tile_sum[ITEMS], tile_sum_im[ITEMS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) tile_sum[i] = tile_sum_im[i] = 0;
#pragma unroll 1
        for (uint j = 0; j < filled; j += UNROLL) {
#pragma unroll
            for (uint k = 0; k < UNROLL; ++k) {
                const REAL4 source = tile[j + k];
#pragma unroll
                for (uint i = 0; i < ITEMS; ++i)
                    add_careless(&tile_sum[i], &tile_sum_im[i],
                                 square(x[i] - source.x, y[i] - source.y, z[i] - source.z), turns, source.w,
                                 WEIGHT_IM(j + k), i);
            }
        }
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
#if SINGULAR
            if (!isfinite(tile_sum[i])) {
                tile_sum[i] = tile_sum_im[i] = 0;
                for (uint j = 0; j < count; ++j) {
                    const REAL4 source = tile[j];
                    const REAL r2 = square(x[i] - source.x, y[i] - source.y, z[i] - source.z);
                    found += r2 == 0 && at + i * WG < total ? 1 : 0;
                    add_term(&tile_sum[i], &tile_sum_im[i], r2, turns, source.w, WEIGHT_IM(j));
                }
            }
#endif
            compensate(&re[i], &lost_re[i], tile_sum[i]);
#if COMPLEX
            compensate(&im[i], &lost_im[i], tile_sum_im[i]);
#endif
        }
    }
    for (uint i = 0; i < ITEMS; ++i) {
        write_sum(out, total, begin, at + i * WG, re[i]);
#if COMPLEX
        write_sum(out + total, total, begin, at + i * WG, im[i]);
#endif
    }
    count_skipped(skipped, found);
}
