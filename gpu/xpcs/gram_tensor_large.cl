// Fused tiles of the Gram matrix by the tensor cores of NVIDIA devices of sm_90 and later, for tiles of 128 x 128 frames:
// half as many reads of rows as tiles of 64 x 64. Arguments and results are those of gram_tiled.cl; rows are in steps,
// [step][frame][STEP elements] (regroup.cl), so the rows of a tile are one piece of memory per step.
//
// NDRange: a group of 128 work-items per tile; each of its four warps multiplies 64 x 64 frames, with 32-bit sums in
// registers. The device copies STAGES steps ahead into local memory by itself (cp.async.bulk): work-item 0 asks for a
// step, and a barrier in local memory counts its bytes. Both operands have their pixels in the same order, so the order
// inside a step may be permuted at will: a lane reads eight neighbouring bytes of a row as its share of m16n8k32.
//
// Then BLOCK x 128 sums lie in local memory in turn and work-item m follows the elements (i, (i + m) mod TILE) down the
// tile: diagonal m, and after the wrap diagonal m - TILE, in the order of t1 as in gram_diagonals.cl. Row i of a block is
// turned by 8 i columns, so that warps write it without conflicts between banks.

#if TILE != 128 || WG != 128 || STEP != 32
#error "written for TILE 128, WG 128 and STEP 32"
#endif

#define STAGES 4
#define STAGE_WORDS (2 * TILE * STEP / 16)
#define BLOCK 64
#define SUM_WORDS (BLOCK * TILE / 4 + BLOCK + TILE)  // a block of sums, S and 1/S of its rows and columns
#define WORDS (STAGES * STAGE_WORDS > SUM_WORDS ? STAGES * STAGE_WORDS : SUM_WORDS)

#define LOCAL_ADDRESS(p) ((uint)(size_t)(p))

#include "gpu/xpcs/gram_mma.cl"
#include "gpu/xpcs/gram_store_diagonal.cl"

static inline void copy_bulk(local uint4* to, global const uchar* from, const uint bytes, local ulong* arrived) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     LOCAL_ADDRESS(to)),
                 "l"(from), "r"(bytes), "r"(LOCAL_ADDRESS(arrived))
                 : "memory");
}

// The rows of a and b of one step; `arrived` completes a phase when all bytes are there.
static inline void copy_step(local uint4* to, global const uchar* a, global const uchar* b, local ulong* arrived) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(LOCAL_ADDRESS(arrived)),
                 "r"(2 * TILE * STEP)
                 : "memory");
    copy_bulk(to, a, TILE * STEP, arrived);
    copy_bulk(to + STAGE_WORDS / 2, b, TILE * STEP, arrived);
}

static inline void wait_for(local ulong* arrived, const uint phase) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "AGAIN:\n"
        "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@done bra ARRIVED;\n"
        "bra AGAIN;\n"
        "ARRIVED:\n"
        "}" ::"r"(LOCAL_ADDRESS(arrived)),
        "r"(phase)
        : "memory");
}

static inline void read_shares(local const uint2* stage, const uint first_a, const uint first_b, uint2 va[8],
                               uint2 vb[8]) {
#pragma unroll
    for (uint n = 0; n < 8; ++n) {
        va[n] = stage[first_a + n * STEP];  // eight rows further
        vb[n] = stage[first_b + n * STEP];
    }
}

// Sums along one diagonal, as far as they have been followed.
typedef struct {
    ulong g;
    double ss, d, dd, pivot;
    uint n;
} Diagonal;

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gram_tiles(
    global const Tile* tiles, global const uchar* rows_a, global const uchar* rows_b, global const ulong* sums_a,
    global const ulong* sums_b, global ulong* part_g, global double* part_f, global uint* part_n,
    global double* two_time, const uint frame_count) {
    local uint4 words[WORDS];
    local ulong arrived[STAGES];
    const Tile tile = tiles[get_group_id(0)];
    const bool diagonal = tile.t1 == tile.t2;
    const uint lid = get_local_id(0), warp = lid / 32, lane = lid % 32, group = lane / 4, quad = lane % 4;
    const uint warp_i = warp / 2, warp_j = warp % 2;
    const bool idle = diagonal && warp_i > warp_j;  // below the diagonal of frames
    const uint steps = tile.row / STEP;             // even: rows are multiples of 64
    global const uchar* const a = rows_a + tile.a;
    global const uchar* const b = rows_b + tile.b;
    if (lid == 0) {
        for (uint n = 0; n < STAGES; ++n)
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(LOCAL_ADDRESS(arrived + n)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        for (uint n = 0; n < min(steps, (uint)STAGES); ++n)
            copy_step(words + n * STAGE_WORDS, a + (size_t)n * tile.step, b + (size_t)n * tile.step, arrived + n);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Shares of a step: those of the next one are read while the present ones are multiplied.
    const uint first_a = (warp_i * 64 + group) * STEP / 8 + quad;
    const uint first_b = (TILE + warp_j * 64 + group) * STEP / 8 + quad;
    uint2 va[2][8], vb[2][8];
    uint c[4][8][4] = {};
    wait_for(arrived, 0);
    read_shares((local const uint2*)words, first_a, first_b, va[0], vb[0]);
    for (uint step = 0; step < steps; step += 2)
#pragma unroll
        for (uint odd = 0; odd < 2; ++odd) {
            const uint now = step + odd, next = now + 1, later = now + STAGES;
            if (next < steps) wait_for(arrived + next % STAGES, next / STAGES & 1);
            barrier(CLK_LOCAL_MEM_FENCE);  // the shares of this step have been read by all warps
            if (lid == 0 && later < steps)
                copy_step(words + now % STAGES * STAGE_WORDS, a + (size_t)later * tile.step,
                          b + (size_t)later * tile.step, arrived + now % STAGES);
            if (idle) continue;
            // after the last step: what is there is not used
            read_shares((local const uint2*)(words + next % STAGES * STAGE_WORDS), first_a, first_b, va[1 - odd],
                        vb[1 - odd]);
#pragma unroll
            for (uint m = 0; m < 4; ++m)
#pragma unroll
                for (uint n = 0; n < 8; ++n)
                    mma(c[m][n], va[odd][2 * m].x, va[odd][2 * m + 1].x, va[odd][2 * m].y, va[odd][2 * m + 1].y,
                        vb[odd][n].x, vb[odd][n].y);
        }

    local uint* const g = (local uint*)words;
    local double* const s_of = (local double*)(g + BLOCK * TILE);  // of the block's rows, then of the columns
    local double* const r_of = s_of + BLOCK + TILE;
    local const double *sa = s_of, *sb = s_of + BLOCK, *ra = r_of, *rb = r_of + BLOCK;
    global ulong* const to_g = part_g + (size_t)get_group_id(0) * (2 * TILE);
    global double* const to_f = part_f + (size_t)get_group_id(0) * (6 * TILE);
    global uint* const to_n = part_n + (size_t)get_group_id(0) * (2 * TILE);
    const double count = tile.pixels, one_over_n = 1.0 / count;
    const uint m = lid;
    Diagonal sum = {0, 0, 0, 0, 0, 0};
    for (uint first = 0; first < TILE; first += BLOCK) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (warp_i == first / BLOCK)
#pragma unroll
            for (uint row = 0; row < 4; ++row)
#pragma unroll
                for (uint n = 0; n < 8; ++n)
#pragma unroll
                    for (uint below = 0; below < 2; ++below) {
                        const uint i = 16 * row + group + below * 8, j = warp_j * 64 + 8 * n + 2 * quad;
                        vstore2((uint2)(c[row][n][2 * below], c[row][n][2 * below + 1]), 0,
                                g + i * TILE + (j + 8 * i) % TILE);
                    }
        for (uint i = lid; i < BLOCK + TILE; i += WG) {
            const ulong s = i < BLOCK ? sums_a[tile.sa + first + i] : sums_b[tile.sb + i - BLOCK];
            s_of[i] = (double)s;
            r_of[i] = s != 0 ? 1.0 / (double)s : 0.0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint inner = 0; inner < BLOCK; ++inner) {
            const uint i = first + inner, j = (i + m) % TILE;
            if (i == TILE - m) {  // from here on the wrapped diagonal
                store_diagonal(m + TILE - 1, sum.g, sum.ss, sum.n, sum.pivot, sum.d, sum.dd, to_g, to_f, to_n);
                sum = (Diagonal){0, 0, 0, 0, 0, 0};
            }
            if (diagonal && i + m >= TILE) continue;
            const uint value = g[inner * TILE + (j + 8 * inner) % TILE];
            const double r = ra[inner] * rb[j];
            sum.g += value;
            sum.ss += sa[inner] * sb[j] * one_over_n;
            if (r != 0) {
                const double ratio = (double)value * count * r;
                sum.pivot = sum.n == 0 ? ratio : sum.pivot;
                const double away = ratio - sum.pivot;
                sum.d += away;
                sum.dd += away * away;
                ++sum.n;
            }
        }
        if (tile.two_time)
            for (uint element = lid; element < BLOCK * TILE; element += WG) {
                const uint inner = element / TILE, j = element % TILE;
                const uint t1 = tile.t1 + first + inner, t2 = tile.t2 + j;
                if (t1 >= frame_count || t2 >= frame_count || (diagonal && j < first + inner)) continue;
                const double ss = sa[inner] * sb[j];
                const uint value = g[inner * TILE + (j + 8 * inner) % TILE];
                const double ratio = ss != 0 ? (double)value * count / ss : NAN;
                two_time[(size_t)t1 * frame_count + t2] = ratio;
                two_time[(size_t)t2 * frame_count + t1] = ratio;
            }
    }
    // m = 0 has no wrapped diagonal, and the place 2 TILE - 1 belongs to none
    store_diagonal(m > 0 ? m - 1 : TILE - 1, sum.g, sum.ss, sum.n, sum.pivot, sum.d, sum.dd, to_g, to_f, to_n);
    if (m == 0) store_diagonal(2 * TILE - 1, 0, 0.0, 0, 0.0, 0.0, 0.0, to_g, to_f, to_n);
}
