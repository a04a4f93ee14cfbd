// Fused tiles of the Gram matrix: G(t1, t2) = sum over a bin's pixels of I(t1) I(t2), upper triangle only, exact in
// integers. While a tile of G is on the chip, its ratios C = N G / (S S) are computed and summed along the diagonals
// (t2 - t1 = delay), so G itself is never written to memory.
//
// NDRange: one group of WG work-items per tile of TILE x TILE frames; the tile is described by tiles[group].
// Local memory: the tile of G and the rows' sums.
//
// Along diagonal k (t2 - t1 = distance of the tiles + k - (TILE - 1)) a tile gives
//   part_g: sum of G; part_ss: sum of S S / N; part_n: number of terms with S S != 0;
//   part_mean, part_m2: mean of C over these terms and sum of squares about it (with the diagonal's first C as pivot, so
//   that nothing cancels). gram_combine merges tiles along a diagonal of tiles in the order of t1, whatever the number
//   of launches: the same sums in the same order for every memory budget.
// Without FP64 the tile of G is written out and the host does the rest.
//
// PRODUCT: how a tile is multiplied, 0 plain vectors, 1 AVX2, 2 tensor cores, 3 AVX-512 VNNI, 4 dp4a,
// 5 tensor cores that read local memory. ELEM: type of the rows.
// G_T: uint if MAX_COUNT^2 N < 2^32, else ulong; double for float counts. S_T: ulong, or double for float counts.

#ifndef TILE
#define TILE 64
#endif
#ifndef WG
#define WG 1
#endif
#ifndef RM
#define RM 4
#endif
#ifndef RN
#define RN 2
#endif

typedef struct {
    ulong a, b;        // first element of the two bands of rows
    uint row;          // elements per row
    uint pixels;       // N
    uint sa, sb;       // first sums of the two bands
    uint t1, t2;       // first frames
    uint two_time;     // 1: write the ratios to the map
    uint flush;        // steps of the product between two additions to G_T
    uint step;         // rows in steps (gram_tensor_stepped.cl): elements from one step to the next
    uint unused;
} Tile;

#if (PRODUCT == 2 || PRODUCT == 5) && defined(STEP)
#include "gpu/xpcs/gram_tensor_stepped.cl"
#else

#if PRODUCT == 1
#define G_SPACE
#include "gpu/xpcs/products/gram_product_avx2.cl"
#elif PRODUCT == 3
#define G_SPACE
#include "gpu/xpcs/products/gram_product_vnni.cl"
#elif PRODUCT == 2
#define G_SPACE local
#include "gpu/xpcs/products/gram_product_mma.cl"
#elif PRODUCT == 4
#define G_SPACE local
#include "gpu/xpcs/products/gram_product_dp4a.cl"
#else
#define G_SPACE local
#include "gpu/xpcs/products/gram_product_vector.cl"
#endif

#if FP64
#include "gpu/xpcs/gram_diagonals.cl"
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void gram_tiles(
    global const Tile* tiles, global const ELEM* rows_a, global const ELEM* rows_b, global const S_T* sums_a,
    global const S_T* sums_b,
#if FP64
    global P_T* part_g, global double* part_f, global uint* part_n, global double* two_time, const uint frame_count) {
#else
    global G_T* gram) {
#endif
    const Tile tile = tiles[get_group_id(0)];
    const bool diagonal = tile.t1 == tile.t2;
#if PRODUCT == 1 || PRODUCT == 3
    G_T g[TILE * TILE];
#else
    local G_T g[TILE * TILE] __attribute__((aligned(16)));  // the product by dp4a has rows in it before
#endif
#if FP64
    local double bands[BANDS];
#endif
    tile_product(rows_a + tile.a, rows_b + tile.b, tile.row, tile.flush, diagonal, g);
    barrier(CLK_LOCAL_MEM_FENCE);
#if FP64
    const size_t slot = (size_t)get_group_id(0) * (2 * TILE);
    sum_diagonals(g, sums_a + tile.sa, sums_b + tile.sb, tile.pixels, diagonal, bands, part_g + slot, part_f + 3 * slot,
                  part_n + slot);
    if (tile.two_time) write_ratios(g, sums_a + tile.sa, sums_b + tile.sb, tile, diagonal, two_time, frame_count);
#else
    global G_T* to = gram + (size_t)get_group_id(0) * TILE * TILE;
    for (uint i = get_local_id(0); i < TILE * TILE; i += WG) to[i] = g[i];
#endif
}
#endif
