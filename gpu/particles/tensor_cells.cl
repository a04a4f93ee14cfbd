// source_cells.cl with squared distances from tensor cores: 16 TILES targets of a warp are rows of matrices,
// 8 sources are columns. A lane keeps one coordinate of 2 TILES rows, gets squares of these rows and two
// columns, and so sums the terms of every fourth 8 sources; sums of four lanes are added at the end.
// POLYNOMIAL of 16 terms are polynomials, on units that would otherwise be idle. Near targets (those of a
// warp together), wide cells and sums outside the range of floats use differences.
//
// NDRange: dimension 0: targets * 2 / TILES, rounded up to the group. Group WG. Local memory: two cells of
// TILE sources, 36 bytes each. Arguments and units: source_cells.cl.

#ifndef WG
#define WG 256
#endif
#ifndef TILE
#define TILE 256
#endif
#ifndef TILES
#define TILES 4
#endif
#ifndef POLYNOMIAL
#define POLYNOMIAL 3
#endif
#include "gpu/particles/device_functions.cl"
#include "gpu/particles/pair.cl"
#include "gpu/runtime/polynomial.cl"
#include "gpu/particles/targets.cl"
#include "gpu/particles/compensate.cl"
#include "gpu/particles/distant_cells.cl"
#include "gpu/particles/warp.cl"

#define ROWS (2 * TILES)
// Sources prepared by one work-item.
#define PREPARED ((TILE + WG - 1) / WG)
#include "gpu/particles/tensor_terms.cl"

// Adds the terms of `count` sources of a cell using differences. x: a coordinate of each row; middle: of the cell.
static inline void sum_by_differences(global const float4* sources, const uint count, const float* x,
                                      const float middle, const uint axis, const uint quad, float* cell_sum) {
    float dx[ROWS], dy[ROWS], dz[ROWS];
#pragma unroll
    for (uint i = 0; i < ROWS; ++i) {
        const float t = x[i] - middle;
        dx[i] = of_lane(t, quad);
        dy[i] = of_lane(t, quad + 1);
        dz[i] = of_lane(t, quad + 2);
    }
#pragma unroll 1
    for (uint j = 8 * axis; j < count; j += STEP) {
#pragma unroll 4
        for (uint k = j; k < j + 8; ++k) {
            const float4 source = k < count ? sources[k] : (float4)(0);
#pragma unroll
            for (uint i = 0; i < ROWS; ++i)
                cell_sum[i] = fma(
                    careless_term(square(dx[i] - source.x, dy[i] - source.y, dz[i] - source.z)),
                    source.w, cell_sum[i]);
        }
    }
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void tensor_sums(
    global const float4* sources, global const float4* cells, global const float* places, global float* out,
    global uint* skipped, const uint stride, const uint first, const uint total, const uint begin,
    const uint end, const float turns) {
    local uint4 columns[2][2 * TILE];
    local float4 weights[2][TILE / 4];
    const uint item = get_local_id(0), lane = item % 32, axis = lane % 4, quad = lane - axis;
    const uint at = get_global_id(0) / 32 * (16 * TILES) + lane / 4;
    float x[ROWS], sum[ROWS], lost[ROWS];
    uint found = 0, turn = 0;
#pragma unroll
    for (uint i = 0; i < ROWS; ++i) {
        float x_of, y_of, z_of;
        place_within(places, stride, first, total, at + 8 * i, &x_of, &y_of, &z_of);
        x[i] = along((float4)(x_of, y_of, z_of, 0), axis);
        sum[i] = lost[i] = 0;
    }
    // Loaded while the previous cell is summed.
    float4 cell_ahead = cells[begin / TILE], ahead[PREPARED];
#pragma unroll
    for (uint k = 0; k < PREPARED; ++k) {
        const uint j = begin + item + k * WG;
        ahead[k] = item < TILE && j < end ? sources[j] : (float4)(0);
    }
    for (uint from = begin; from < end; from += TILE, turn ^= 1) {
        const uint count = min((uint)TILE, end - from);
        const float4 cell = cell_ahead;
#pragma unroll
        for (uint k = 0; k < PREPARED; ++k)
            if (item < TILE) put_source(columns[turn], weights[turn], item + k * WG, ahead[k]);
        if (from + TILE < end) {
            cell_ahead = cells[from / TILE + 1];
#pragma unroll
            for (uint k = 0; k < PREPARED; ++k) {
                const uint j = from + TILE + item + k * WG;
                ahead[k] = item < TILE && j < end ? sources[j] : (float4)(0);
            }
        }
        const float middle = along(cell, axis);
        float cell_sum[ROWS], nearest = INFINITY;
        uint upper[ROWS], lower[ROWS];
#pragma unroll
        for (uint i = 0; i < ROWS; ++i) {
            const float t = x[i] - middle, of_target = sum_of_quad(t * t);
            nearest = min(nearest, of_target);
            put_target(&upper[i], &lower[i], t, of_target, axis);
            cell_sum[i] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if KERNEL == 0
        const bool by_differences = cell.w > WIDEST;
#else
        const float least = max(DISTANT * cell.w, NEAREST);
        const bool by_differences = any_lane(!(nearest > least * least));
#endif
        if (by_differences) {
            sum_by_differences(sources + from, count, x, middle, axis, quad, cell_sum);
        } else {
#pragma unroll 1
            for (uint step = 0; step * STEP < count; ++step) {
#pragma unroll
                for (uint k = 0; k < 2; ++k) {
                    const uint4 b = columns[turn][(step * 2 + k) * 32 + lane];
                    const float4 w = weights[turn][step * 8 + axis * 2 + k];
                    add_terms(cell_sum, upper, lower, b.x, b.y, w.x, w.y);
                    add_terms(cell_sum, upper, lower, b.z, b.w, w.z, w.w);
                }
            }
        }
        bool wrong = false;
#pragma unroll
        for (uint i = 0; i < ROWS; ++i) wrong = wrong || !isfinite(cell_sum[i]);
        if (any_lane(wrong)) {
#pragma unroll
            for (uint i = 0; i < ROWS; ++i) {
                const float t = x[i] - middle;
                const float dx = of_lane(t, quad), dy = of_lane(t, quad + 1), dz = of_lane(t, quad + 2);
                if (!isfinite(cell_sum[i])) {
                    float unused = 0;
                    cell_sum[i] = 0;
                    for (uint j = 8 * axis; j < count; j += j % 8 == 7 ? STEP - 7 : 1) {
                        const float4 source = sources[from + j];
                        const float r2 = square(dx - source.x, dy - source.y, dz - source.z);
                        found += SINGULAR && r2 == 0 && at + 8 * i < total ? 1 : 0;
                        add_term(&cell_sum[i], &unused, r2, turns, source.w, 0);
                    }
                }
            }
        }
#pragma unroll
        for (uint i = 0; i < ROWS; ++i) compensate(&sum[i], &lost[i], cell_sum[i]);
    }
#pragma unroll
    for (uint i = 0; i < ROWS; ++i) {
        const float all = sum_of_quad(sum[i]);
        if (axis == i % 4) write_sum(out, total, begin, at + 8 * i, all);
    }
    count_skipped(skipped, found);
}
