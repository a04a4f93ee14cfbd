// Products in float, every term added with compensation (MIXED 1) or in double (2), for one vector of
// weights. Part of tile.cl, which describes arguments and defines.

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tiled_sums(
    global const REAL4* sources, global const REAL* weights_im, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    local REAL4 tile[TILE];
#if COMPLEX_WEIGHTS
    local REAL tile_im[TILE];
#endif
    const uint item = get_local_id(0);
    const uint at = (get_global_id(0) - item) * ITEMS + item;
    REAL x[ITEMS], y[ITEMS], z[ITEMS], lost_re[ITEMS], lost_im[ITEMS];
    SUM re[ITEMS], im[ITEMS];
    uint found = 0;
    for (uint i = 0; i < ITEMS; ++i) {
        re[i] = im[i] = 0;
        lost_re[i] = lost_im[i] = 0;
        place_within(places, stride, first, total, at + i * WG, &x[i], &y[i], &z[i]);
    }
    for (uint from = begin; from < end; from += TILE) {
        const uint count = min((uint)TILE, end - from);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = item; j < count; j += WG) {
            tile[j] = sources[from + j];
#if COMPLEX_WEIGHTS
            tile_im[j] = weights_im[from + j];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < count; ++j) {
            const REAL4 source = tile[j];
#if COMPLEX_WEIGHTS
            const REAL weight_im = tile_im[j];
#else
            const REAL weight_im = 0;
#endif
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const REAL r2 = square(x[i] - source.x, y[i] - source.y, z[i] - source.z);
#if SINGULAR
                found += r2 == 0 && at + i * WG < total ? 1 : 0;
#endif
                REAL own_re = 0, own_im = 0;
                add_term(&own_re, &own_im, r2, turns, source.w, weight_im);
#if MIXED == 2
                re[i] += own_re;
                im[i] += own_im;
#else
                compensate(&re[i], &lost_re[i], own_re);
#if COMPLEX
                compensate(&im[i], &lost_im[i], own_im);
#endif
#endif
            }
        }
    }
    for (uint i = 0; i < ITEMS; ++i) {
        const uint t = at + i * WG;
        if (t >= total) break;
        out[t] = begin == 0 ? (REAL)re[i] : (REAL)(out[t] + re[i]);
#if COMPLEX
        out[total + t] = begin == 0 ? (REAL)im[i] : (REAL)(out[total + t] + im[i]);
#endif
    }
    count_skipped(skipped, found);
}
