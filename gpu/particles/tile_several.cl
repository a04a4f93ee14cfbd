// tile.cl for VECTORS vectors of weights and for gradients: g and its slope are computed once per pair and
// weighted for every row of sums. NDRange and further arguments: tile.cl. Local memory: TILE sources with all
// their weights.
//
// more: OTHERS numbers per source. out: [row][total], rows as in terms.cl; gradients are multiplied by slope here.
#include "gpu/particles/terms.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tiled_sums(
    global const REAL4* sources, global const REAL* more, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns, const REAL wavenumber, const REAL slope) {
    local REAL4 tile[TILE];
    local REAL tile_more[TILE * OTHERS + 1];
    const uint item = get_local_id(0);
    const uint at = (get_global_id(0) - item) * ITEMS + item;
    REAL x[ITEMS], y[ITEMS], z[ITEMS], lost[ITEMS][ROWS];
    SUM sums[ITEMS][ROWS];
    uint found = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
#pragma unroll
        for (uint row = 0; row < ROWS; ++row) {
            sums[i][row] = 0;
            lost[i][row] = 0;
        }
        place_within(places, stride, first, total, at + i * WG, &x[i], &y[i], &z[i]);
    }
    for (uint from = begin; from < end; from += TILE) {
        const uint count = min((uint)TILE, end - from);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = item; j < count; j += WG) tile[j] = sources[from + j];
        for (uint j = item; j < count * OTHERS; j += WG) tile_more[j] = more[(size_t)from * OTHERS + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL tile_sums[ITEMS][ROWS];
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
#pragma unroll
            for (uint row = 0; row < ROWS; ++row) tile_sums[i][row] = 0;
        for (uint j = 0; j < count; ++j) {
            const REAL4 source = tile[j];
            REAL others[OTHERS + 1];
#pragma unroll
            for (uint k = 0; k < OTHERS; ++k) others[k] = tile_more[j * OTHERS + k];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const REAL dx = x[i] - source.x, dy = y[i] - source.y, dz = z[i] - source.z;
                const REAL r2 = square(dx, dy, dz);
#if SINGULAR
                found += r2 == 0 && at + i * WG < total ? 1 : 0;
#endif
                REAL g_im = 0;
#if KERNEL == 0
                const REAL g = i < POLYNOMIAL ? exp2_minus_polynomial(r2) : exp2_minus(r2);
#else
                const REAL g = term(r2, turns, &g_im);
#endif
#if MIXED
                REAL own[ROWS];
#pragma unroll
                for (uint row = 0; row < ROWS; ++row) own[row] = 0;
                add_terms(own, g, g_im, dx, dy, dz, r2, wavenumber, source.w, others);
#pragma unroll
                for (uint row = 0; row < ROWS; ++row)
#if MIXED == 2
                    sums[i][row] += own[row];
#else
                    compensate(&sums[i][row], &lost[i][row], own[row]);
#endif
#else
                add_terms(tile_sums[i], g, g_im, dx, dy, dz, r2, wavenumber, source.w, others);
#endif
            }
        }
#if !MIXED
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i)
#pragma unroll
            for (uint row = 0; row < ROWS; ++row) compensate(&sums[i][row], &lost[i][row], tile_sums[i][row]);
#endif
    }
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint t = at + i * WG;
        if (t >= total) break;
#pragma unroll
        for (uint row = 0; row < ROWS; ++row) {
            global REAL* const to = out + (size_t)row * total + t;
            const SUM sum = sums[i][row] * (row / PARTS % QUANTITIES == 0 ? (REAL)1 : slope);
            *to = begin == 0 ? (REAL)sum : (REAL)(*to + sum);
        }
    }
    count_skipped(skipped, found);
}
