// RBF on planes as a product of matrices. 2^-(dx^2 + dy^2 + dz^2) is a function of the coordinate along a
// plane's rows times one of the coordinate across them (the fixed one goes with the first): exponentials are
// computed per row and per column, and a pair is one multiplication and one addition.
//
// A group computes ROWS x COLUMNS targets of a plane, an item OWN_ROWS x 4 of them, TILE sources at a time;
// sums of tiles are added with compensation. NDRange: dimension 0: WG items for every COLUMNS targets of a
// row; 1: tiles of ROWS rows, those of xy, then of xz, then of yz. Group (WG, 1). Local memory: TILE sources
// and their factors for rows and columns.
//
// part: 0: real parts of the weights, stored in the sources; 1: imaginary ones. axis: 0, 1, 2: the derivative
// along x, y, z, where the factor of that coordinate is multiplied by its difference and the sum by slope; 3:
// none, slope 1.
// Targets first .. first + total - 1 of all are written to out[0 ..].

#ifndef WG
#define WG 128
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef COLUMNS
#define COLUMNS 32
#endif
#ifndef TILE
#define TILE 32
#endif
#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "gpu/particles/device_functions.cl"

#define ACROSS (COLUMNS / 4)
#define OWN_ROWS (ROWS * ACROSS / WG)
#define UNROLL 4

static inline REAL along(const REAL4 point, const uint axis) {
    return axis == 0 ? point.x : axis == 1 ? point.y : point.z;
}

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void product_sums(
    global const REAL4* sources, global const REAL* imaginary, global const REAL* places, global REAL* out,
    const uint side, const uint first, const uint total, const uint begin, const uint end, const uint part,
    const uint axis, const REAL slope) {
    local REAL4 tile[TILE];
    local REAL of_row[TILE][ROWS] __attribute__((aligned(64)));
    local REAL of_column[TILE][COLUMNS] __attribute__((aligned(64)));
    const uint item = get_local_id(0), tiles = (side + ROWS - 1) / ROWS, plane = get_global_id(1) / tiles;
    const uint i0 = (get_global_id(1) - plane * tiles) * ROWS, j0 = get_group_id(0) * COLUMNS;
    const uint row_axis = plane == 2 ? 1 : 0, column_axis = plane == 0 ? 1 : 2, fixed_axis = 2 - plane;
    const uint own_i = item / ACROSS * OWN_ROWS, own_j = item % ACROSS * 4;
    // Of the factors that the item computes.
    const uint i = item % ROWS, j = item % COLUMNS;
    const REAL row_at = places[row_axis * side + min(i0 + i, side - 1)];
    const REAL column_at = places[column_axis * side + min(j0 + j, side - 1)];
    const REAL fixed_at = places[3 * side + 2 - plane];
    REAL4 sum[OWN_ROWS], lost[OWN_ROWS];
    for (uint k = 0; k < OWN_ROWS; ++k) sum[k] = lost[k] = 0;
    for (uint from = begin; from < end; from += TILE) {
        const uint count = min((uint)TILE, end - from), filled = (count + UNROLL - 1) / UNROLL * UNROLL;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = item; s < filled; s += WG) {
            tile[s] = s < count ? sources[from + s] : (REAL4)(0);
            if (part != 0) tile[s].w = s < count ? imaginary[from + s] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = item / ROWS; s < filled; s += WG / ROWS) {
            const REAL4 source = tile[s];
            const REAL d = row_at - along(source, row_axis), f = fixed_at - along(source, fixed_axis);
            const REAL slopes = axis == row_axis ? d : axis == fixed_axis ? f : 1;
            of_row[s][i] = exp2_minus(d * d + f * f) * source.w * slopes;
        }
        for (uint s = item / COLUMNS; s < filled; s += WG / COLUMNS) {
            const REAL d = column_at - along(tile[s], column_axis);
            of_column[s][j] = exp2_minus(d * d) * (axis == column_axis ? d : 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        REAL4 tile_sum[OWN_ROWS];
#pragma unroll
        for (uint k = 0; k < OWN_ROWS; ++k) tile_sum[k] = 0;
#pragma unroll UNROLL
        for (uint s = 0; s < filled; ++s) {
            const REAL4 column = *(local const REAL4*)(of_column[s] + own_j);
#pragma unroll
            for (uint k = 0; k < OWN_ROWS; ++k)
                tile_sum[k] = fma((REAL4)(of_row[s][own_i + k]), column, tile_sum[k]);
        }
#pragma unroll
        for (uint k = 0; k < OWN_ROWS; ++k) {
            const REAL4 corrected = tile_sum[k] + lost[k], next = sum[k] + corrected;
            lost[k] = corrected - (next - sum[k]);
            sum[k] = next;
        }
    }
    for (uint k = 0; k < OWN_ROWS && i0 + own_i + k < side; ++k) {
        REAL own[4];
        vstore4(sum[k] * slope, 0, own);
        const uint row = (plane * side + i0 + own_i + k) * side;
        for (uint n = 0; n < 4 && j0 + own_j + n < side; ++n) {
            const uint t = row + j0 + own_j + n - first;
            if (t < total) out[t] = begin == 0 ? own[n] : out[t] + own[n];
        }
    }
}
