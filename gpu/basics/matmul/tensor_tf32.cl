// Matrix units of NVIDIA devices since sm_80, through PTX: products of 16 x 8 by 8 x 8 numbers whose 23
// mantissa bits are rounded to 10 (TF32), with sums in float. The variant therefore has its own tolerance.
// NDRange: dimension 0 are tiles of 128 columns times 256, dimension 1 tiles of 128 rows; groups of 256
// work-items in dimension 0, 8 warps with 64 x 32 elements of C each; local memory: two buffers of DEPTH (128
// + 128) numbers plus padding. Rows of A are DEPTH + 4 numbers apart there, rows of B 136: lane 4 g + q reads
// at g rows + q of A and q rows + g of B, which are 32 different banks.
#ifndef DEPTH
#define DEPTH 16
#endif
#define TILE 128
#define WG 256
#include "gpu/basics/matmul/fours.cl"
#define FOURS (TILE * DEPTH / 4 / WG)
#define ROW_OF_A (DEPTH + 4)
#define ROW_OF_B (TILE + 8)

static inline uint rounded(const float v) {
    uint bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
    return bits;
}
static inline uint4 rounded_four(const float4 v) {
    return (uint4)(rounded(v.x), rounded(v.y), rounded(v.z), rounded(v.w));
}

// d += A B. Lane 4 g + q has
//   a: A[g][q], A[g + 8][q], A[g][q + 4], A[g + 8][q + 4];  b: B[q][g], B[q + 4][g]
//   d: d[g][2 q], d[g][2 q + 1], d[g + 8][2 q], d[g + 8][2 q + 1]
static inline void add_product(float d[4], const uint a[4], const uint b[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

static inline void put_two(global float* c, const uint row, const uint column, const uint n, const float first,
                           const float second) {
    global float* const at = c + (size_t)row * n + column;
#if EDGES == 0
    *(global float2*)at = (float2)(first, second);
#else
    if (row < n && column < n) at[0] = first;
    if (row < n && column + 1 < n) at[1] = second;
#endif
}

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const uint item = get_local_id(0), lane = item % 32, warp = item / 32, g = lane / 4, q = lane % 4;
    const uint column = get_group_id(0) * TILE, row = get_global_id(1) * TILE;
    const uint m0 = warp / 4 * 64, n0 = warp % 4 * 32;  // of the warp, within the tile
    local uint4 of_a[2][TILE * ROW_OF_A / 4], of_b[2][DEPTH * ROW_OF_B / 4];
    float4 next_a[FOURS], next_b[FOURS];
    float sum[4][4][4];
#pragma unroll
    for (uint i = 0; i < 4; ++i)
#pragma unroll
        for (uint j = 0; j < 4; ++j)
#pragma unroll
            for (uint e = 0; e < 4; ++e) sum[i][j][e] = 0;
    uint buffer = 0;
    for (uint from = 0;; from += DEPTH) {
        // The first step has nothing to multiply yet.
        const bool more = from < n;
        if (more) {
#pragma unroll
            for (uint i = 0; i < FOURS; ++i) {
                const uint at = item + i * WG;
                next_a[i] = four(a, row + at / (DEPTH / 4), from + at % (DEPTH / 4) * 4, n);
                next_b[i] = four(b, from + at / (TILE / 4), column + at % (TILE / 4) * 4, n);
            }
        }
        if (from > 0) {
            local const uint* const at_a = (local const uint*)of_a[buffer] + (m0 + g) * ROW_OF_A + q;
            local const uint* const at_b = (local const uint*)of_b[buffer] + q * ROW_OF_B + n0 + g;
#pragma unroll
            for (uint k = 0; k < DEPTH; k += 8) {
                uint u[4][4], v[4][2];
#pragma unroll
                for (uint i = 0; i < 4; ++i)
#pragma unroll
                    for (uint e = 0; e < 4; ++e)
                        u[i][e] = at_a[(16 * i + e % 2 * 8) * ROW_OF_A + k + e / 2 * 4];
#pragma unroll
                for (uint j = 0; j < 4; ++j)
#pragma unroll
                    for (uint e = 0; e < 2; ++e) v[j][e] = at_b[(k + 4 * e) * ROW_OF_B + 8 * j];
#pragma unroll
                for (uint i = 0; i < 4; ++i)
#pragma unroll
                    for (uint j = 0; j < 4; ++j) add_product(sum[i][j], u[i], v[j]);
            }
        }
        if (!more) break;
        buffer = 1 - buffer;
#pragma unroll
        for (uint i = 0; i < FOURS; ++i) {
            const uint at = item + i * WG;
            of_a[buffer][at / (DEPTH / 4) * (ROW_OF_A / 4) + at % (DEPTH / 4)] = rounded_four(next_a[i]);
            of_b[buffer][at / (TILE / 4) * (ROW_OF_B / 4) + at % (TILE / 4)] = rounded_four(next_b[i]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint i = 0; i < 4; ++i)
#pragma unroll
        for (uint j = 0; j < 4; ++j) {
            const uint m = row + m0 + 16 * i + g, to = column + n0 + 8 * j + 2 * q;
            put_two(c, m, to, n, sum[i][j][0], sum[i][j][1]);
            put_two(c, m + 8, to, n, sum[i][j][2], sum[i][j][3]);
        }
}
