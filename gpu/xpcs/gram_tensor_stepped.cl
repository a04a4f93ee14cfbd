// Fused tiles of the Gram matrix by the tensor cores of NVIDIA devices of sm_90 and later. Arguments and results are those
// of gram_tiled.cl; rows are in steps, [step][frame][STEP elements] (regroup.cl), so the rows of a tile are one piece of
// memory per step, which the device copies ahead into local memory by itself (gram_copies.cl).
//
// NDRange: a group of WG work-items per SPAN x SPAN tiles. PLANES: bytes of which a count consists; with one, 32-bit sums are in
// registers at the end, and with more, sums of 64 bits in `gram`, FRAMES x FRAMES per group. How they are multiplied:
// gram_steps.cl, or for PRODUCT 5 gram_steps_async.cl.
//
// Then a row of SPAN tiles of sums lies in local memory in turn, and a work-item per diagonal of a tile follows the
// elements (i, (i + m) mod TILE) down the tile: diagonal m, and after the wrap diagonal m - TILE, in the order of t1 as in
// gram_diagonals.cl. Row i is turned by 8 i columns, so that warps write it without conflicts between banks. The results
// of tile (down, right) are those at (group SPAN + down) SPAN + right; below the diagonal of frames there are none.

#if TILE != 64
#error "written for TILE 64"
#endif

#ifndef PLANES
#define PLANES 1
#endif

#define FRAMES (SPAN * TILE)
#if PLANES == 1
#define G_VALUE uint
#define G_AT(i, j) g[(i) * FRAMES + ((j) + 8 * (i)) % FRAMES]
#else
#define G_VALUE ulong
#define G_AT(i, j) to_gram[(down * TILE + (i)) * FRAMES + (j)]
#endif

#include "gpu/xpcs/products/gram_copies.cl"
#include "gpu/xpcs/gram_diagonal.cl"

#if PRODUCT == 5
#include "gpu/xpcs/products/gram_steps_async.cl"
#else
#include "gpu/xpcs/products/gram_steps.cl"
#endif

#define SUM_WORDS (TILE * FRAMES / 4 + TILE + FRAMES)  // a row of tiles, S and 1/S of its rows and columns
#define WORDS (STEP_WORDS > SUM_WORDS ? STEP_WORDS : SUM_WORDS)

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gram_tiles(
    global const Tile* tiles, global const uchar* rows_a, global const uchar* rows_b, global const ulong* sums_a,
    global const ulong* sums_b, global ulong* part_g, global double* part_f, global uint* part_n,
    global double* two_time, const uint frame_count
#if PLANES > 1
    ,
    global ulong* gram
#endif
) {
    local uint4 words[WORDS] __attribute__((aligned(1024)));
    local ulong barriers[BARRIERS];
    const Tile tile = tiles[get_group_id(0)];
    const bool diagonal = tile.t1 == tile.t2;
    const uint lid = get_local_id(0);
    SUMS = {};
#if PLANES > 1
    global ulong* const to_gram = gram + (size_t)get_group_id(0) * (FRAMES * FRAMES);
    multiply_rows(c, &tile, rows_a + tile.a, rows_b + tile.b, diagonal, words, barriers, to_gram);
    barrier(CLK_GLOBAL_MEM_FENCE);  // other work-items read G
#else
    multiply_rows(c, &tile, rows_a + tile.a, rows_b + tile.b, diagonal, words, barriers);
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
        store_sums(c, down, g);
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
