// vector_cpu.cl for VECTORS vectors of weights and for gradients: g and its slope are computed once per pair
// of a source and a vector of targets, and weighted for every row of sums. NDRange and further arguments:
// vector_cpu.cl.
//
// more: OTHERS numbers per source. out: [row][total], rows as in terms.cl; gradients are multiplied by slope here.
#include "gpu/particles/terms.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void vector_sums(
    global const REAL4* sources, global const REAL* more, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns, const REAL wavenumber, const REAL slope) {
    uint coincident = 0;
    // One vector at a time: the rows of one fill the registers.
    for (uint b = 0; b < BLOCKS; ++b) {
        const uint at = (get_global_id(0) * BLOCKS + b) * LANES;
        if (at >= total) break;
        V x, y, z, sums[ROWS], lost[ROWS];
        VI found = 0;
        for (uint row = 0; row < ROWS; ++row) sums[row] = lost[row] = 0;
        places_of(places, stride, first + at, first + total - 1, &x, &y, &z);
        for (uint from = begin; from < end; from += TILE) {
            V tile_sums[ROWS];
#pragma unroll
            for (uint row = 0; row < ROWS; ++row) tile_sums[row] = 0;
            for (uint j = from; j < min(end, from + TILE); ++j) {
                const REAL4 source = sources[j];
                REAL others[OTHERS + 1];
#pragma unroll
                for (uint k = 0; k < OTHERS; ++k) others[k] = more[(size_t)j * OTHERS + k];
                const V dx = x - source.x, dy = y - source.y, dz = z - source.z;
                const V r2 = square(dx, dy, dz);
#if SINGULAR
                found -= r2 == (V)0;
#endif
                V g_im = 0;
                const V g = term(r2, turns, &g_im);
                add_terms(tile_sums, g, g_im, dx, dy, dz, r2, wavenumber, source.w, others);
            }
#pragma unroll
            for (uint row = 0; row < ROWS; ++row) compensate(&sums[row], &lost[row], tile_sums[row]);
        }
        for (uint row = 0; row < ROWS; ++row)
            store(out + (size_t)row * total + at, total - at,
                  sums[row] * (row / PARTS % QUANTITIES == 0 ? (REAL)1 : slope), begin > 0);
#if SINGULAR
        INT counts[LANES];
        VSTORE(found, 0, counts);
        for (uint i = 0; i < min((uint)LANES, total - at); ++i) coincident += (uint)counts[i];
#endif
    }
    count_skipped(skipped, coincident);
}
