// Step 7: a work-item sums ITEM x ITEM elements of C in private memory, so that each element read from local
// memory serves ITEM products. A group computes TILE x TILE elements of C; tiles of A, transposed, and of B
// are staged in local memory, DEPTH products at a time, with loads of 4 floats.
// NDRange: dimension 0 are columns, dimension 1 rows of C, ITEM of them per work-item, rounded up to groups
// of SIDE x SIDE; local memory: DEPTH (2 TILE + 4) floats. A work-item has groups of four rows and columns
// that are 4 SIDE apart: neighbours read neighbouring fours.
#ifndef TILE
#define TILE 64
#endif
#ifndef ITEM
#define ITEM 4
#endif
#ifndef DEPTH
#define DEPTH 16
#endif
#include "gpu/basics/matmul/fours.cl"
#define SIDE (TILE / ITEM)
#define FOURS (ITEM / 4)
#define FOURS_OF_TILE (TILE * DEPTH / 4)

#define ADD_ROW(e, part)                                                   \
    _Pragma("unroll") for (uint g = 0; g < FOURS; ++g) sum[4 * f + e][g] += u[f].part * v[g];

kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void multiply(const uint n,
                                                                          global const float* a,
                                                                          global const float* b,
                                                                          global float* c) {
    const uint x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const uint column = get_global_id(0) / SIDE * TILE, row = get_global_id(1) / SIDE * TILE;
    // One extra float4 per row of A avoids bank conflicts on column writes.
    local float4 of_a[DEPTH][TILE / 4 + 1], of_b[DEPTH][TILE / 4];
    local float* const to_a = (local float*)of_a;
    float4 sum[ITEM][FOURS];
#pragma unroll
    for (uint i = 0; i < ITEM; ++i)
#pragma unroll
        for (uint g = 0; g < FOURS; ++g) sum[i][g] = 0;
    for (uint from = 0; from < n; from += DEPTH) {
        for (uint i = item; i < FOURS_OF_TILE; i += SIDE * SIDE) {
            const uint m = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            const float4 some = four(a, row + m, from + k, n);
            to_a[k * (TILE + 4) + m] = some.x;
            to_a[(k + 1) * (TILE + 4) + m] = some.y;
            to_a[(k + 2) * (TILE + 4) + m] = some.z;
            to_a[(k + 3) * (TILE + 4) + m] = some.w;
        }
        for (uint i = item; i < FOURS_OF_TILE; i += SIDE * SIDE)
            of_b[i / (TILE / 4)][i % (TILE / 4)] =
                four(b, from + i / (TILE / 4), column + i % (TILE / 4) * 4, n);
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
        for (uint k = 0; k < DEPTH; ++k) {
            float4 u[FOURS], v[FOURS];
#pragma unroll
            for (uint f = 0; f < FOURS; ++f) {
                u[f] = of_a[k][y + f * SIDE];
                v[f] = of_b[k][x + f * SIDE];
            }
#pragma unroll
            for (uint f = 0; f < FOURS; ++f) {
                ADD_ROW(0, x)
                ADD_ROW(1, y)
                ADD_ROW(2, z)
                ADD_ROW(3, w)
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint i = 0; i < ITEM; ++i)
#pragma unroll
        for (uint g = 0; g < FOURS; ++g)
            put_four(c, row + 4 * (y + i / 4 * SIDE) + i % 4, column + 4 * (x + g * SIDE), n, sum[i][g]);
}
