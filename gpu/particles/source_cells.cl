// Sources in cells: TILE neighbours in space, with coordinates relative to the cell's centre. A squared
// distance then costs less than with differences, at the same precision:
//   RBF      2^-(|x|^2 - 2 x.s + |s|^2) = 2^-|x|^2 2^(2 x.s) 2^-|s|^2: the first factor once per target and
//            cell, the last once per source, three multiplications for the rest
//   Laplace  r^2 = |x|^2 + |s|^2 - 2 x.s, if the target is at least DISTANT radii of the cell away
// Nearer targets, wide cells and sums outside the range of floats use differences, as in tile_sums.cl.
//
// NDRange: dimension 0: targets / ITEMS, rounded up to the group. Group WG, TILE or more. Local memory: TILE
// sources.
// cells: centre and radius of every cell, in the scaled units of core/particles/scaling.h; sources are
// relative to the centre of their cell. Other arguments: tile.cl. Floats, one real vector of weights.

#ifndef WG
#define WG 512
#endif
#ifndef TILE
#define TILE 256
#endif
#ifndef ITEMS
#define ITEMS 4
#endif
#include "gpu/particles/device_functions.cl"
#include "gpu/particles/pair.cl"
#include "gpu/particles/targets.cl"
#include "gpu/particles/compensate.cl"
#include "gpu/particles/distant_cells.cl"

#define UNROLL 8

// Adds the terms of a cell using differences. `filled`: sources of the tile, rounded up to UNROLL.
static inline void sum_by_differences(local const REAL4* tile, const uint filled, const REAL* dx, const REAL* dy,
                                      const REAL* dz, REAL* cell_sum) {
#pragma unroll 1
    for (uint j = 0; j < filled; j += UNROLL) {
#pragma unroll
        for (uint k = 0; k < UNROLL; ++k) {
            const REAL4 source = tile[j + k];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i)
                cell_sum[i] = fma(
                    careless_term(square(dx[i] - source.x, dy[i] - source.y, dz[i] - source.z)),
                    source.w, cell_sum[i]);
        }
    }
}

// Adds the terms of a cell using products. For targets: coordinates from the cell's centre, and their
// squares; square_of: those of the sources.
static inline void sum_by_products(local const REAL4* tile, local const REAL* square_of, const uint filled,
                                   const REAL* dx, const REAL* dy, const REAL* dz, const REAL* of_target,
                                   REAL* cell_sum) {
    REAL x2[ITEMS], y2[ITEMS], z2[ITEMS];
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i) {
        x2[i] = -2 * dx[i];
        y2[i] = -2 * dy[i];
        z2[i] = -2 * dz[i];
    }
#pragma unroll 1
    for (uint j = 0; j < filled; j += UNROLL) {
#pragma unroll
        for (uint k = 0; k < UNROLL; ++k) {
            const REAL4 source = tile[j + k];
#if KERNEL == 0
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const REAL power = fma(x2[i], source.x, fma(y2[i], source.y, z2[i] * source.z));
                cell_sum[i] = fma(exp2_minus(power), source.w, cell_sum[i]);
            }
#else
            const REAL of_source = square_of[j + k];
#pragma unroll
            for (uint i = 0; i < ITEMS; ++i) {
                const REAL along_z = fma(z2[i], source.z, of_target[i] + of_source);
                const REAL r2 = fma(x2[i], source.x, fma(y2[i], source.y, along_z));
                cell_sum[i] = fma(inverse_root(r2), source.w, cell_sum[i]);
            }
#endif
        }
    }
#if KERNEL == 0
#pragma unroll
    for (uint i = 0; i < ITEMS; ++i)
        cell_sum[i] =
            of_target[i] > FARTHEST * FARTHEST ? 0 : cell_sum[i] * exp2_minus(of_target[i]);
#endif
}

// The terms of `count` sources of a cell at a target, one by one: for sums outside the range of floats.
// found: coincident pairs, if those count
static inline REAL exact_cell_sum(global const REAL4* sources, const uint count, const REAL dx, const REAL dy,
                                  const REAL dz, const REAL turns, const bool counts, uint* found) {
    REAL sum = 0, unused = 0;
    for (uint j = 0; j < count; ++j) {
        const REAL4 source = sources[j];
        const REAL r2 = square(dx - source.x, dy - source.y, dz - source.z);
#if SINGULAR
        *found += r2 == 0 && counts ? 1 : 0;
#endif
        add_term(&sum, &unused, r2, turns, source.w, 0);
    }
    return sum;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cell_sums(
    global const REAL4* sources, global const REAL4* cells, global const REAL* places, global REAL* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const REAL turns) {
    local REAL4 tile[TILE];
    local REAL square_of[TILE];
    local uint near[2];  // of this cell and of the next
    const uint item = get_local_id(0);
    const uint at = (get_global_id(0) - item) * ITEMS + item;
    REAL x[ITEMS], y[ITEMS], z[ITEMS], sum[ITEMS], lost[ITEMS];
    uint found = 0, turn = 0;
    for (uint i = 0; i < ITEMS; ++i) {
        sum[i] = lost[i] = 0;
        place_within(places, stride, first, total, at + i * WG, &x[i], &y[i], &z[i]);
    }
    if (item < 2) near[item] = 0;
    // Loaded while the previous tile is summed: this item's source and the cell.
    const bool loads = item < TILE;
    REAL4 source_ahead = loads && begin + item < end ? sources[begin + item] : (REAL4)(0);
    REAL4 cell_ahead = cells[begin / TILE];
    for (uint from = begin; from < end; from += TILE, turn ^= 1) {
        const uint count = min((uint)TILE, end - from), filled = (count + UNROLL - 1) / UNROLL * UNROLL;
        const REAL4 cell = cell_ahead;
#if KERNEL == 0
        const bool wide = cell.w > WIDEST;
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0) near[turn ^ 1] = 0;
        if (loads) {
            const REAL of_source = square(source_ahead.x, source_ahead.y, source_ahead.z);
#if KERNEL == 0
            if (!wide) source_ahead.w *= exp2_minus(of_source);
#endif
            tile[item] = source_ahead;
            square_of[item] = of_source;
        }
        if (from + TILE < end) {
            cell_ahead = cells[from / TILE + 1];
            source_ahead = loads && from + TILE + item < end ? sources[from + TILE + item] : (REAL4)(0);
        }
        REAL dx[ITEMS], dy[ITEMS], dz[ITEMS], of_target[ITEMS], cell_sum[ITEMS];
#if KERNEL != 0
        REAL nearest = INFINITY;
#endif
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            dx[i] = x[i] - cell.x;
            dy[i] = y[i] - cell.y;
            dz[i] = z[i] - cell.z;
            of_target[i] = square(dx[i], dy[i], dz[i]);
#if KERNEL != 0
            nearest = min(nearest, of_target[i]);
#endif
            cell_sum[i] = 0;
        }
#if KERNEL == 0
        const bool by_differences = wide;
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        if (!(nearest > DISTANT * DISTANT * cell.w * cell.w)) near[turn] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool by_differences = near[turn] != 0;
#endif
        if (by_differences)
            sum_by_differences(tile, filled, dx, dy, dz, cell_sum);
        else
            sum_by_products(tile, square_of, filled, dx, dy, dz, of_target, cell_sum);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            if (!isfinite(cell_sum[i]))
                cell_sum[i] = exact_cell_sum(sources + from, count, dx[i], dy[i], dz[i], turns,
                                             at + i * WG < total, &found);
            compensate(&sum[i], &lost[i], cell_sum[i]);
        }
    }
    for (uint i = 0; i < ITEMS; ++i) write_sum(out, total, begin, at + i * WG, sum[i]);
    count_skipped(skipped, found);
}
