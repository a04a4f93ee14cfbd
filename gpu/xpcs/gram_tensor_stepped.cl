// Fused tiles of the Gram matrix by the tensor cores of NVIDIA devices of sm_90 and later. Arguments and results are those
// of gram_tiled.cl; rows are in steps, [step][frame][STEP elements] (regroup.cl), so the rows of a tile are one piece of
// memory per step.
//
// NDRange: a group of 128 work-items per SPAN x SPAN tiles; each of its four warps multiplies a quarter of them, with
// 32-bit sums in registers. The device copies STAGES steps ahead into local memory by itself (cp.async.bulk), and a barrier
// in local memory counts the bytes. Asking for copies takes long: with SPAN 1, steps are twice as long, and two warps share it;
// with SPAN 2, that was slower. Both operands have their pixels in the same order, so the order inside a step may be permuted at will: a lane
// reads neighbouring bytes of a row, a SHARE, as its shares of one or two m16n8k32.
//
// Then a row of SPAN tiles of sums lies in local memory in turn, and a work-item per diagonal of a tile follows the
// elements (i, (i + m) mod TILE) down the tile: diagonal m, and after the wrap diagonal m - TILE, in the order of t1 as in
// gram_diagonals.cl. Row i is turned by 8 i columns, so that warps write it without conflicts between banks. The results
// of tile (down, right) are those at (group SPAN + down) SPAN + right; below the diagonal of frames there are none.
//
// PLANES: bytes of which a count consists; a row has its bytes of one plane after those of another (regroup.cl).
//   1: counts up to 255.
//   2: counts up to 65535 = 256 H + L. G = LL + 256 (LH + HL) + 65536 HH, where LH is the sum of the products of L and H.
//   3: counts up to 16383 = 128 H + L, with L + H as the third plane M, up to 254. Since LH + HL = MM - LL - HH, three products
//      are enough: G = 128 MM - 127 LL + 16256 HH.
// With several planes, sums of products of bytes are added, times their factors, to tiles of G with 64 bits in global memory,
// `gram`, FRAMES x FRAMES per group; after each product, and each `flush` steps, before they could exceed 32 bits. The
// arithmetic is modulo 2^64, so a sum that is negative meanwhile does no harm.

#if TILE != 64 || WG != 128 || !(SPAN == 1 && STEP == 64 || SPAN == 2 && STEP == 32)
#error "written for TILE 64 and WG 128, with SPAN 1 and STEP 64 or SPAN 2 and STEP 32"
#endif

#ifndef PLANES
#define PLANES 1
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

#define FRAMES (SPAN * TILE)
#define SIDE (FRAMES / 2)  // frames of a warp
#define STAGES 4
#define COPIERS (SPAN == 1 ? 2 : 1)
#define STAGE_WORDS (2 * FRAMES * STEP / 16)
#define SUM_WORDS (TILE * FRAMES / 4 + TILE + FRAMES)  // a row of tiles, S and 1/S of its rows and columns
#define WORDS (STAGES * STAGE_WORDS > SUM_WORDS ? STAGES * STAGE_WORDS : SUM_WORDS)

#if STEP == 64
#define SHARE uint4
#else
#define SHARE uint2
#endif

#define LOCAL_ADDRESS(p) ((uint)(size_t)(p))

#include "gpu/xpcs/gram_mma.cl"
#include "gpu/xpcs/gram_diagonal.cl"

static inline void copy_bulk(local uint4* to, global const uchar* from, const uint bytes, local ulong* arrived) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     LOCAL_ADDRESS(to)),
                 "l"(from), "r"(bytes), "r"(LOCAL_ADDRESS(arrived))
                 : "memory");
}

// One of COPIERS asks for its part of the rows of a and b of one step; `arrived` completes a phase when all bytes are there.
static inline void copy_step(local uint4* to, global const uchar* a, global const uchar* b, const uint copier,
                             local ulong* arrived) {
    const uint bytes = FRAMES * STEP;
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(LOCAL_ADDRESS(arrived)),
                 "r"(2 / COPIERS * bytes)
                 : "memory");
    if (COPIERS == 1 || copier == 0) copy_bulk(to, a, bytes, arrived);
    if (COPIERS == 1 || copier == 1) copy_bulk(to + STAGE_WORDS / 2, b, bytes, arrived);
}

static inline void wait_for(local ulong* barrier_of, const uint phase) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "AGAIN:\n"
        "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@done bra ARRIVED;\n"
        "bra AGAIN;\n"
        "ARRIVED:\n"
        "}" ::"r"(LOCAL_ADDRESS(barrier_of)),
        "r"(phase)
        : "memory");
}

static inline void read_shares(local const SHARE* stage, const uint first_a, const uint first_b, SHARE va[SIDE / 8],
                               SHARE vb[SIDE / 8]) {
#pragma unroll
    for (uint n = 0; n < SIDE / 8; ++n) {
        va[n] = stage[first_a + n * 8 * 4];  // eight rows further
        vb[n] = stage[first_b + n * 8 * 4];
    }
}

static inline void multiply(uint c[SIDE / 16][SIDE / 8][4], const SHARE va[SIDE / 8], const SHARE vb[SIDE / 8]) {
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

#if PLANES == 1
#define G_VALUE uint
#define G_AT(i, j) g[(i) * FRAMES + ((j) + 8 * (i)) % FRAMES]
#else
#define G_VALUE ulong
#define G_AT(i, j) to_gram[(down * TILE + (i)) * FRAMES + (j)]

// Adds the sums of a warp to G, or writes the first ones, and starts anew.
static inline void add_to_gram(uint c[SIDE / 16][SIDE / 8][4], const ulong factor, const bool first,
                               global ulong* to) {
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

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gram_tiles(
    global const Tile* tiles, global const uchar* rows_a, global const uchar* rows_b, global const ulong* sums_a,
    global const ulong* sums_b, global ulong* part_g, global double* part_f, global uint* part_n,
    global double* two_time, const uint frame_count
#if PLANES > 1
    ,
    global ulong* gram
#endif
) {
    local uint4 words[WORDS];
    local ulong arrived[STAGES];
    const Tile tile = tiles[get_group_id(0)];
    const bool diagonal = tile.t1 == tile.t2;
    const uint lid = get_local_id(0), warp = lid / 32, lane = lid % 32, group = lane / 4, quad = lane % 4;
    const uint warp_i = warp / 2, warp_j = warp % 2;
    const bool idle = diagonal && warp_i > warp_j;  // below the diagonal of frames
    const uint plane_steps = tile.row / STEP, steps = PRODUCTS * plane_steps;  // exact: rows are multiples of 64
    global const uchar* const a = rows_a + tile.a;
    global const uchar* const b = rows_b + tile.b;
    const bool copies = COPIERS == 1 ? lid == 0 : lane == 0 && warp < COPIERS;
    if (lid == 0) {
        for (uint n = 0; n < STAGES; ++n)
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(LOCAL_ADDRESS(arrived + n)), "r"(COPIERS)
                         : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (copies)
        for (uint n = 0; n < min(steps, (uint)STAGES); ++n)
            copy_step(words + n * STAGE_WORDS, a + (size_t)STEP_A(n) * tile.step, b + (size_t)STEP_B(n) * tile.step,
                      warp, arrived + n);

    // Shares of a step: those of the next one are read while the present ones are multiplied.
    const uint first_a = (warp_i * SIDE + group) * 4 + quad;
    const uint first_b = (FRAMES + warp_j * SIDE + group) * 4 + quad;
    SHARE va[2][SIDE / 8], vb[2][SIDE / 8];
    uint c[SIDE / 16][SIDE / 8][4] = {};
#if PLANES > 1
    global ulong* const to_gram = gram + (size_t)get_group_id(0) * (FRAMES * FRAMES);
    uint product = 0, product_end = plane_steps, flush_at = min(tile.flush, plane_steps);
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
                copy_step(words + now % STAGES * STAGE_WORDS, a + (size_t)STEP_A(later) * tile.step,
                          b + (size_t)STEP_B(later) * tile.step, warp, arrived + now % STAGES);
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
                flush_at = min(next + tile.flush, product_end);
            }
#endif
        }
#if PLANES > 1
    barrier(CLK_GLOBAL_MEM_FENCE);  // other work-items read G
#endif

    local uint* const g = (local uint*)words;
    local double* const s_of = (local double*)(g + TILE * FRAMES);  // of the rows, then of the columns
    local double* const r_of = s_of + TILE + FRAMES;
    const uint right = lid / TILE, m = lid % TILE;
    local const double *sa = s_of, *sb = s_of + TILE + right * TILE, *ra = r_of, *rb = r_of + TILE + right * TILE;
    const double count = tile.pixels, one_over_n = 1.0 / count;
    for (uint down = 0; down < SPAN; ++down) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lid; i < TILE + FRAMES; i += WG) {
            const ulong s = i < TILE ? sums_a[tile.sa + down * TILE + i] : sums_b[tile.sb + i - TILE];
            s_of[i] = (double)s;
            r_of[i] = s != 0 ? 1.0 / (double)s : 0.0;
        }
#if PLANES == 1
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
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        if (right < SPAN && !(diagonal && down > right)) {
            const bool upper = diagonal && down == right;
            // Of the diagonal that ends at the wrap: stored at the end, since lanes wrap at different elements, and each
            // would make its warp wait for its divisions. No structs: they would lie in memory.
            ulong g0 = 0, g1 = 0;
            double ss0 = 0, ss1 = 0, pivot0 = 0, pivot1 = 0, d0 = 0, d1 = 0, dd0 = 0, dd1 = 0;
            uint n0 = 0, n1 = 0;
#pragma unroll 4
            for (uint i = 0; i < TILE; ++i) {
                const uint j = (i + m) % TILE;
                const bool wraps = i == TILE - m;  // from here on the wrapped diagonal
                g0 = wraps ? g1 : g0;
                ss0 = wraps ? ss1 : ss0;
                pivot0 = wraps ? pivot1 : pivot0;
                d0 = wraps ? d1 : d0;
                dd0 = wraps ? dd1 : dd0;
                n0 = wraps ? n1 : n0;
                g1 = wraps ? 0 : g1;
                ss1 = wraps ? 0 : ss1;
                d1 = wraps ? 0 : d1;
                dd1 = wraps ? 0 : dd1;
                n1 = wraps ? 0 : n1;
                const bool used = !(upper && i + m >= TILE);
                const G_VALUE value = used ? G_AT(i, right * TILE + j) : 0;
                g1 += value;
                add_term((double)value, used ? sa[i] * sb[j] : 0.0, used ? ra[i] * rb[j] : 0.0, count, one_over_n, &ss1,
                         &n1, &pivot1, &d1, &dd1);
            }
            const size_t slot = ((size_t)get_group_id(0) * SPAN + down) * SPAN + right;
            global ulong* const to_g = part_g + slot * (2 * TILE);
            global double* const to_f = part_f + slot * (6 * TILE);
            global uint* const to_n = part_n + slot * (2 * TILE);
            if (m == 0) {  // has no wrapped diagonal, and the place 2 TILE - 1 belongs to none
                g0 = g1, ss0 = ss1, n0 = n1, pivot0 = pivot1, d0 = d1, dd0 = dd1;
                g1 = 0, ss1 = 0, n1 = 0, d1 = 0, dd1 = 0;
            }
            store_diagonal(m + TILE - 1, g0, ss0, n0, pivot0, d0, dd0, to_g, to_f, to_n);
            store_diagonal(m > 0 ? m - 1 : 2 * TILE - 1, g1, ss1, n1, pivot1, d1, dd1, to_g, to_f, to_n);
        }
        if (tile.two_time)
            for (uint element = lid; element < TILE * FRAMES; element += WG) {
                const uint i = element / FRAMES, j = element % FRAMES;
                const uint t1 = tile.t1 + down * TILE + i, t2 = tile.t2 + j;
                if (t1 >= frame_count || t2 >= frame_count || t2 < t1) continue;
                const double ss = s_of[i] * s_of[TILE + j];
                const G_VALUE value = G_AT(i, j);
                const double ratio = ss != 0 ? (double)value * count / ss : NAN;
                two_time[(size_t)t1 * frame_count + t2] = ratio;
                two_time[(size_t)t2 * frame_count + t1] = ratio;
            }
    }
}
