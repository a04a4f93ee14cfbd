// Products of rows of bytes in steps (gram_tensor_stepped.cl) by m16n8k32: WG = 128 work-items, four warps, each with a quarter
// of the SPAN x SPAN tiles and their 32-bit sums in registers. Both operands have their pixels in the same order, so the order
// inside a step may be permuted at will: a lane reads neighbouring bytes of a row, a SHARE, as its shares of one or two products.
//
// The device copies STAGES steps ahead. Asking for copies takes long: with SPAN 1, steps are twice as long, and two warps
// share it; with SPAN 2, that was slower.
//
// PLANES: bytes of which a count consists; a row has its bytes of one plane after those of another (regroup.cl).
//   1: counts up to 255.
//   2: counts up to 65535 = 256 H + L. G = LL + 256 (LH + HL) + 65536 HH, where LH is the sum of the products of L and H.
//   3: counts up to 16383 = 128 H + L, with L + H as the third plane M, up to 254. Since LH + HL = MM - LL - HH, three products
//      are enough: G = 128 MM - 127 LL + 16256 HH.
// With several planes, sums of products of bytes are added, times their factors, to tiles of G with 64 bits in global memory,
// `gram`, FRAMES x FRAMES per group; after each product, and each `flush` steps, before they could exceed 32 bits. The
// arithmetic is modulo 2^64, so a sum that is negative meanwhile does no harm.

#if WG != 128 || !(SPAN == 1 && STEP == 64 || SPAN == 2 && STEP == 32)
#error "written for WG 128, with SPAN 1 and STEP 64 or SPAN 2 and STEP 32"
#endif

// Step of all products -> step of the plane that is read, and the factor of a product.
#if PLANES == 2
#define PRODUCTS 4
#define STEP_A(n) ((n) - ((n) / plane_steps + 1) / 2 * plane_steps)
#define STEP_B(n) ((n) - (n) / plane_steps / 2 * 2 * plane_steps)
#define FACTOR(product) ((product) == 0 ? 1UL : (product) == 3 ? 65536UL : 256UL)
#else
#define PRODUCTS PLANES
#define STEP_A(n) (n)
#define STEP_B(n) (n)
#define FACTOR(product) ((product) == 0 ? -127UL : (product) == 1 ? 16256UL : 128UL)
#endif

#define SIDE (FRAMES / 2)  // frames of a warp
#define STAGES 4
#define COPIERS (SPAN == 1 ? 2 : 1)
#define STAGE_WORDS (2 * FRAMES * STEP / 16)
#define STEP_WORDS (STAGES * STAGE_WORDS)
#define BARRIERS STAGES
#define SUMS uint c[SIDE / 16][SIDE / 8][4]

#if STEP == 64
#define SHARE uint4
#else
#define SHARE uint2
#endif

#include "gpu/xpcs/products/gram_mma.cl"

// One of COPIERS asks for its part of the rows of a and b of one step; `arrived` completes a phase when all bytes are there.
static inline void copy_step(local uint4* to, global const uchar* a, global const uchar* b, const uint copier,
                             local ulong* arrived) {
    const uint bytes = FRAMES * STEP;
    arrive_with_bytes(arrived, 2 / COPIERS * bytes);
    if (COPIERS == 1 || copier == 0) copy_bulk(to, a, bytes, arrived);
    if (COPIERS == 1 || copier == 1) copy_bulk(to + STAGE_WORDS / 2, b, bytes, arrived);
}

static inline void read_shares(local const SHARE* stage, const uint first_a, const uint first_b, SHARE va[SIDE / 8],
                               SHARE vb[SIDE / 8]) {
#pragma unroll
    for (uint n = 0; n < SIDE / 8; ++n) {
        va[n] = stage[first_a + n * 8 * 4];  // eight rows further
        vb[n] = stage[first_b + n * 8 * 4];
    }
}

static inline void multiply(SUMS, const SHARE va[SIDE / 8], const SHARE vb[SIDE / 8]) {
#pragma unroll
    for (uint m = 0; m < SIDE / 16; ++m)
#pragma unroll
        for (uint n = 0; n < SIDE / 8; ++n)
            mma(c[m][n], va[2 * m].x, va[2 * m + 1].x, va[2 * m].y, va[2 * m + 1].y, vb[n].x, vb[n].y);
#if STEP == 64
#pragma unroll
    for (uint m = 0; m < SIDE / 16; ++m)
#pragma unroll
        for (uint n = 0; n < SIDE / 8; ++n)
            mma(c[m][n], va[2 * m].z, va[2 * m + 1].z, va[2 * m].w, va[2 * m + 1].w, vb[n].z, vb[n].w);
#endif
}

#if PLANES > 1
// Adds the sums of a warp to G, or writes the first ones, and starts anew.
static inline void add_to_gram(SUMS, const ulong factor, const bool first, global ulong* to) {
#pragma unroll
    for (uint m = 0; m < SIDE / 16; ++m)
#pragma unroll
        for (uint n = 0; n < SIDE / 8; ++n)
#pragma unroll
            for (uint below = 0; below < 2; ++below) {
                global ulong* const at = to + (16 * m + 8 * below) * FRAMES + 8 * n;
                const ulong2 more = (ulong2)(c[m][n][2 * below] * factor, c[m][n][2 * below + 1] * factor);
                vstore2(first ? more : vload2(0, at) + more, 0, at);
                c[m][n][2 * below] = c[m][n][2 * below + 1] = 0;
            }
}
#endif

// The products of all steps. a, b: the first rows; words, arrived: of the group. With several planes they are in `gram` at the end.
static inline void multiply_rows(SUMS, const Tile* tile, global const uchar* a, global const uchar* b, const bool diagonal,
                                 local uint4* words, local ulong* arrived
#if PLANES > 1
                                 ,
                                 global ulong* to_gram
#endif
) {
    const uint lid = get_local_id(0), warp = lid / 32, lane = lid % 32, group = lane / 4, quad = lane % 4;
    const uint warp_i = warp / 2, warp_j = warp % 2;
    const bool idle = diagonal && warp_i > warp_j;  // below the diagonal of frames
    const uint plane_steps = tile->row / STEP, steps = PRODUCTS * plane_steps;  // exact: rows are multiples of 64
    const bool copies = COPIERS == 1 ? lid == 0 : lane == 0 && warp < COPIERS;
    if (lid == 0) {
        for (uint n = 0; n < STAGES; ++n) start_barrier(arrived + n, COPIERS);
        show_barriers();
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (copies)
        for (uint n = 0; n < min(steps, (uint)STAGES); ++n)
            copy_step(words + n * STAGE_WORDS, a + (size_t)STEP_A(n) * tile->step, b + (size_t)STEP_B(n) * tile->step,
                      warp, arrived + n);

    // Shares of a step: those of the next one are read while the present ones are multiplied.
    const uint first_a = (warp_i * SIDE + group) * 4 + quad;
    const uint first_b = (FRAMES + warp_j * SIDE + group) * 4 + quad;
    SHARE va[2][SIDE / 8], vb[2][SIDE / 8];
#if PLANES > 1
    uint product = 0, product_end = plane_steps, flush_at = min(tile->flush, plane_steps);
    bool first = true;
#endif
    wait_for(arrived, 0);
    read_shares((local const SHARE*)words, first_a, first_b, va[0], vb[0]);
    for (uint step = 0; step < steps; step += 2)
#pragma unroll
        for (uint odd = 0; odd < 2; ++odd) {
            const uint now = step + odd, next = now + 1, later = now + STAGES;
            if (now == steps) break;
            if (next < steps) wait_for(arrived + next % STAGES, next / STAGES & 1);
            barrier(CLK_LOCAL_MEM_FENCE);  // the shares of this step have been read by all warps
            if (copies && later < steps)
                copy_step(words + now % STAGES * STAGE_WORDS, a + (size_t)STEP_A(later) * tile->step,
                          b + (size_t)STEP_B(later) * tile->step, warp, arrived + now % STAGES);
            if (idle) continue;
            // after the last step: what is there is not used
            read_shares((local const SHARE*)(words + next % STAGES * STAGE_WORDS), first_a, first_b, va[1 - odd],
                        vb[1 - odd]);
            multiply(c, va[odd], vb[odd]);
#if PLANES > 1
            if (next == flush_at) {
                add_to_gram(c, FACTOR(product), first,
                            to_gram + (warp_i * SIDE + group) * FRAMES + warp_j * SIDE + 2 * quad);
                first = false;
                if (next == product_end) {
                    ++product;
                    product_end += plane_steps;
                }
                flush_at = min(next + tile->flush, product_end);
            }
#endif
        }
}

#if PLANES == 1
// Row `down` of SPAN tiles of sums -> local memory.
static inline void store_sums(SUMS, const uint down, local uint* g) {
    const uint lid = get_local_id(0), warp = lid / 32, lane = lid % 32, group = lane / 4, quad = lane % 4;
    const uint warp_i = warp / 2, warp_j = warp % 2;
    if (warp_i * SIDE / TILE == (SPAN == 1 ? 0 : down))
#pragma unroll
        for (uint row = 0; row < SIDE / 16; ++row)
#pragma unroll
            for (uint n = 0; n < SIDE / 8; ++n)
#pragma unroll
                for (uint below = 0; below < 2; ++below) {
                    const uint i = (warp_i * SIDE + 16 * row + group + below * 8) % TILE;
                    const uint j = warp_j * SIDE + 8 * n + 2 * quad;
                    vstore2((uint2)(c[row][n][2 * below], c[row][n][2 * below + 1]), 0,
                            &G_AT(i, j));
                }
}
#endif
