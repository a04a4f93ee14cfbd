// Step 8 on GPUs: as step 7 with 8 x 8 elements of C per work-item, while the next tiles of A and B are
// loaded from global memory during the multiplication of the current ones: they wait in private memory, then
// go to the other of two buffers in local memory, so that one barrier per step is enough.
// NDRange: dimension 0 are tiles of TILE_N columns times WG, dimension 1 tiles of TILE_M rows; groups of WG = TILE_M
// TILE_N / 64 work-items in dimension 0; local memory: 2 DEPTH (TILE_M + TILE_N + 4) floats.
// 32 work-items, a warp on NVIDIA, have 32 x 64 elements: each two fours of rows, 16 apart, and two of columns, 32
// apart. So a local-memory read accesses 4 or 8 different fours in a row, no two of them in the same bank.
#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef DEPTH
#define DEPTH 8
#endif
#include "gpu/basics/matmul/fours.cl"
#define WG (TILE_M * TILE_N / 64)
#define FOURS_OF_A (TILE_M * DEPTH / 4 / WG)
#define FOURS_OF_B (TILE_N * DEPTH / 4 / WG)
#define ROW_OF_A (TILE_M + 4)

#define ADD_ROW(i, value)             \
    sum[i][0] += value * v[0];        \
    sum[i][1] += value * v[1];

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const uint item = get_local_id(0), lane = item % 32, warp = item / 32;
    const uint column = get_group_id(0) * TILE_N, row = get_global_id(1) * TILE_M;
    // in fours, within the tile
    const uint y = warp / (TILE_N / 64) * 8 + lane / 8, x = warp % (TILE_N / 64) * 16 + lane % 8;
    local float4 of_a[2][DEPTH][ROW_OF_A / 4], of_b[2][DEPTH][TILE_N / 4];
    float4 next_a[FOURS_OF_A], next_b[FOURS_OF_B], sum[8][2];
#pragma unroll
    for (uint i = 0; i < 8; ++i) sum[i][0] = sum[i][1] = 0;
    uint buffer = 0;
    for (uint from = 0;; from += DEPTH) {
        // The first step has nothing to multiply yet.
        const bool more = from < n;
        if (more) {
#pragma unroll
            for (uint i = 0; i < FOURS_OF_A; ++i) {
                const uint at = item + i * WG;
                next_a[i] = four(a, row + at / (DEPTH / 4), from + at % (DEPTH / 4) * 4, n);
            }
#pragma unroll
            for (uint i = 0; i < FOURS_OF_B; ++i) {
                const uint at = item + i * WG;
                next_b[i] = four(b, from + at / (TILE_N / 4), column + at % (TILE_N / 4) * 4, n);
            }
        }
        if (from > 0) {
#pragma unroll
            for (uint k = 0; k < DEPTH; ++k) {
                const float4 u[2] = {of_a[buffer][k][y], of_a[buffer][k][y + 4]};
                const float4 v[2] = {of_b[buffer][k][x], of_b[buffer][k][x + 8]};
                ADD_ROW(0, u[0].x)
                ADD_ROW(1, u[0].y)
                ADD_ROW(2, u[0].z)
                ADD_ROW(3, u[0].w)
                ADD_ROW(4, u[1].x)
                ADD_ROW(5, u[1].y)
                ADD_ROW(6, u[1].z)
                ADD_ROW(7, u[1].w)
            }
        }
        if (!more) break;
        buffer = 1 - buffer;
        local float* const to_a = (local float*)of_a[buffer];
#pragma unroll
        for (uint i = 0; i < FOURS_OF_A; ++i) {
            const uint at = item + i * WG, m = at / (DEPTH / 4), k = at % (DEPTH / 4) * 4;
            to_a[k * ROW_OF_A + m] = next_a[i].x;
            to_a[(k + 1) * ROW_OF_A + m] = next_a[i].y;
            to_a[(k + 2) * ROW_OF_A + m] = next_a[i].z;
            to_a[(k + 3) * ROW_OF_A + m] = next_a[i].w;
        }
#pragma unroll
        for (uint i = 0; i < FOURS_OF_B; ++i) {
            const uint at = item + i * WG;
            of_b[buffer][at / (TILE_N / 4)][at % (TILE_N / 4)] = next_b[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint i = 0; i < 8; ++i) {
        const uint m = row + 4 * (y + i / 4 * 4) + i % 4;
        put_four(c, m, column + 4 * x, n, sum[i][0]);
        put_four(c, m, column + 4 * (x + 8), n, sum[i][1]);
    }
}
