// A barycentric Lagrange treecode between clusters: core/particles/treecode/plan.h describes what is summed where.
// Lists of sources, or of points that replace them, are summed at the targets of a cluster, or at its own points.
//
// NDRange of sum_lists: dimension 0: one group per piece of at most WG x LANES x ITEMS targets of one
// cluster. Group WG. Local memory, except on CPUs: TILE sources with all their weights. The terms of a tile
// are added up first, and those sums with compensation. The other kernels: treecode_transfer.cl.
//   LANES  neighbouring targets of a vector: treecode_pairs.cl
//
// pieces: first target, number of targets, first and last span. spans: begin and end of sources.
// places: x, then y, then z of `stride` targets. out: [row][total], sums are added to it if `adds`.

#ifndef WG
#define WG 64
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef TILE
#define TILE 128
#endif
#include "gpu/particles/treecode_pairs.cl"
#include "gpu/particles/treecode_transfer.cl"

// Where the sources of a tile are read from: CPUs have them in their caches anyway.
#if EXPLICIT
#define UNROLL 1
#define SHARED global
#else
#define UNROLL 4
#define SHARED local
#endif
// Sources of weight 0 at this position pad a tile to a multiple of UNROLL: r^2 is finite, a term 0.
#define FAR 1e15f

typedef struct {
    V x[ITEMS], y[ITEMS], z[ITEMS];
} Targets;

static inline void others_of(REAL* others, SHARED const REAL* tile_more, const uint j) {
#pragma unroll
    for (uint k = 0; k < OTHERS; ++k) others[k] = tile_more[j * OTHERS + k];
}

// Adds the terms of a tile's sources to the sums of a work-item's first n vectors of targets.
static inline void sum_tile(const uint n, V (*sums)[ROWS], VI* found, const Targets* at,
                            SHARED const REAL4* tile, SHARED const REAL* tile_more, const uint count,
                            const REAL turns, const REAL wavenumber) {
#if PLAIN
    const uint filled = (count + UNROLL - 1) / UNROLL * UNROLL;
#pragma unroll UNROLL
    for (uint j = 0; j < filled; ++j) {
        const REAL4 source = tile[j];
        REAL others[OTHERS + 1];
        others_of(others, tile_more, j);
#pragma unroll
        for (uint i = 0; i < n; ++i)
            add_careless(sums[i], square(at->x[i] - source.x, at->y[i] - source.y, at->z[i] - source.z), turns,
                         source.w, others);
    }
#pragma unroll
    for (uint i = 0; i < n; ++i) {
#if TWICE
#pragma unroll
        for (uint row = 0; row < ROWS; ++row) sums[i][row] *= (REAL)0.5;
#endif
#if SINGULAR
        if (!FINITE(sums[i][0])) {
#pragma unroll
            for (uint row = 0; row < ROWS; ++row) sums[i][row] = 0;
            for (uint j = 0; j < count; ++j) {
                const REAL4 source = tile[j];
                REAL others[OTHERS + 1];
                others_of(others, tile_more, j);
                add_careful(sums[i], &found[i], at->x[i] - source.x, at->y[i] - source.y, at->z[i] - source.z,
                            turns, wavenumber, source.w, others);
            }
        }
#endif
    }
#else
    for (uint j = 0; j < count; ++j) {
        const REAL4 source = tile[j];
        REAL others[OTHERS + 1];
        others_of(others, tile_more, j);
#pragma unroll
        for (uint i = 0; i < n; ++i)
            add_careful(sums[i], &found[i], at->x[i] - source.x, at->y[i] - source.y, at->z[i] - source.z,
                        turns, wavenumber, source.w, others);
    }
#endif
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void sum_lists(
    global const REAL4* sources, global const REAL* more, global const REAL* places, global REAL* out,
    global uint* skipped, global const uint4* pieces, global const uint2* spans, const uint stride,
    const uint total, const uint adds, const REAL turns, const REAL wavenumber, const REAL slope) {
#if !EXPLICIT
    local REAL4 tile[TILE];
    local REAL tile_more[TILE * OTHERS + 1];
#endif
    const uint4 piece = pieces[get_global_id(0) / WG];
    const uint item = get_local_id(0), last = piece.x + piece.y - 1;
    const uint vectors = (piece.y + WG * LANES - 1) / (WG * LANES);
    Targets at;
    V sums[ITEMS][ROWS], lost[ITEMS][ROWS];
    VI found[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint t = min(piece.x + (i * WG + item) * LANES, last);
        at.x[i] = LOAD(places + t);
        at.y[i] = LOAD(places + stride + t);
        at.z[i] = LOAD(places + 2 * stride + t);
        found[i] = 0;
#pragma unroll
        for (uint row = 0; row < ROWS; ++row) sums[i][row] = lost[i][row] = 0;
    }
    for (uint s = piece.z; s < piece.w; ++s) {
        const uint2 span = spans[s];
        for (uint from = span.x; from < span.y; from += TILE) {
            const uint count = min((uint)TILE, span.y - from);
#if EXPLICIT
            global const REAL4* const tile = sources + from;
            global const REAL* const tile_more = more + (size_t)from * OTHERS;
#else
            const uint filled = (count + UNROLL - 1) / UNROLL * UNROLL;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint j = item; j < filled; j += WG)
                tile[j] = j < count ? sources[from + j] : (REAL4)(FAR, FAR, FAR, 0);
            for (uint j = item; j < filled * OTHERS; j += WG)
                tile_more[j] = j < count * OTHERS ? more[(size_t)from * OTHERS + j] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
            V tile_sums[ITEMS][ROWS];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i)
#pragma unroll
                for (uint row = 0; row < ROWS; ++row) tile_sums[i][row] = 0;
            // CPUs sum no more vectors than the piece has targets for. If work-items share tiles, nothing may
            // branch: quirk branch_between_barriers.
#define SUM(n) sum_tile(n, tile_sums, found, &at, tile, tile_more, count, turns, wavenumber)
#if EXPLICIT && ITEMS >= 2
            if (vectors == 1)
                SUM(1);
            else
#endif
#if EXPLICIT && ITEMS >= 4
                if (vectors == 2)
                SUM(2);
            else if (vectors == 3)
                SUM(3);
            else
#endif
                SUM(ITEMS);
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i)
#pragma unroll
                for (uint row = 0; row < ROWS; ++row) compensate(&sums[i][row], &lost[i][row], tile_sums[i][row]);
        }
    }
    uint coincident = 0;
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        const uint place = (i * WG + item) * LANES, left = place < piece.y ? piece.y - place : 0;
        if (left == 0) break;
#pragma unroll
        for (uint row = 0; row < ROWS; ++row)
            put(out + (size_t)row * total + piece.x + place, left,
                sums[i][row] * (row / PARTS % QUANTITIES == 0 ? (REAL)1 : slope), adds != 0);
        coincident += count_of(found[i], left);
    }
    count_skipped(skipped, coincident);
}
