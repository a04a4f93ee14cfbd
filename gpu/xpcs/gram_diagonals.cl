// Sums along the 2 TILE - 1 diagonals of a tile of G; see gram_tiled.cl. part_f is [quantity][diagonal]: S S / N, mean,
// sum of squares about the mean. The order along a diagonal is that of t1.
//
// WG > 1: work-item m takes the elements (i, (i + m) mod TILE): diagonal m, and after the wrap diagonal m - TILE.
// Together they are TILE elements long, so no work-item waits for another.
// WG == 1: row by row with vectors of four diagonals.

#include "gpu/xpcs/gram_diagonal.cl"

#if WG > 1
#define BANDS (4 * TILE)  // S and 1/S of both bands in local memory
#else
#define BANDS 1
#endif

static void sum_diagonals(G_SPACE const G_T* g, global const S_T* sums_a, global const S_T* sums_b, const uint pixels,
                          const bool diagonal, local double* bands, global P_T* part_g, global double* part_f,
                          global uint* part_n) {
#if WG > 1
    local double *sa = bands, *sb = bands + TILE, *ra = bands + 2 * TILE, *rb = bands + 3 * TILE;
    for (uint i = get_local_id(0); i < TILE; i += WG) {
        sa[i] = (double)sums_a[i];
        sb[i] = (double)sums_b[i];
        ra[i] = sums_a[i] != 0 ? 1.0 / sa[i] : 0.0;
        rb[i] = sums_b[i] != 0 ? 1.0 / sb[i] : 0.0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const double count = pixels, one_over_n = 1.0 / count;
    for (uint m = get_local_id(0); m < TILE; m += WG) {
        for (uint wrapped = 0; wrapped < 2; ++wrapped) {
            const uint first = wrapped ? TILE - m : 0, stop = wrapped ? TILE : TILE - m;
            const uint k = wrapped ? m - 1 : m + TILE - 1;
            if (wrapped && m == 0) {
                store_diagonal(2 * TILE - 1, 0, 0.0, 0, 0.0, 0.0, 0.0, part_g, part_f, part_n);
                continue;
            }
            P_T sum = 0;
            double ss = 0, d = 0, dd = 0, pivot = 0;
            uint n = 0;
            if (!(wrapped && diagonal))
                for (uint i = first; i < stop; ++i) {
                    const uint j = wrapped ? i + m - TILE : i + m;
                    const G_T value = g[i * TILE + j];
                    sum += (P_T)value;
                    add_term((double)value, sa[i] * sb[j], ra[i] * rb[j], count, one_over_n, &ss, &n, &pivot, &d, &dd);
                }
            store_diagonal(k, sum, ss, n, pivot, d, dd, part_g, part_f, part_n);
        }
    }
#else
    double sb[TILE], rb[TILE];
    P_T sum[2 * TILE + 4] = {};
    double ss[2 * TILE + 4] = {}, d[2 * TILE + 4] = {}, dd[2 * TILE + 4] = {}, pivot[2 * TILE + 4] = {};
    long n[2 * TILE + 4] = {};
    for (uint j = 0; j < TILE; ++j) {
        sb[j] = (double)sums_b[j];
        rb[j] = sums_b[j] != 0 ? 1.0 / sb[j] : 0.0;
    }
    const double count = pixels, one_over_n = 1.0 / count;
    for (uint i = 0; i < TILE; ++i) {
        const double sa = (double)sums_a[i], ra = sums_a[i] != 0 ? 1.0 / sa : 0.0;
        for (uint j = diagonal ? i / 4 * 4 : 0; j < TILE; j += 4) {
            const uint k = j + TILE - 1 - i;
            const double4 value = convert_double4(vload4(0, g + i * TILE + j));
            const double4 r = ra * vload4(0, rb + j);
            const double4 c = value * count * r;
            const long4 valid = r != 0.0;
            const long4 was = vload4(0, n + k);
            const double4 p = select(vload4(0, pivot + k), c, valid & (was == 0));
            const double4 from = select((double4)(0.0), c - p, valid);
            vstore4(p, 0, pivot + k);
            vstore4(vload4(0, d + k) + from, 0, d + k);
            vstore4(vload4(0, dd + k) + from * from, 0, dd + k);
            vstore4(was - valid, 0, n + k);
            vstore4(vload4(0, ss + k) + sa * vload4(0, sb + j) * one_over_n, 0, ss + k);
            vstore4(vload4(0, sum + k) + CONVERT_P4(vload4(0, g + i * TILE + j)), 0, sum + k);
        }
    }
    for (uint k = 0; k < 2 * TILE; ++k) {
        // a tile on the diagonal needs only delays >= 0; k = 2 TILE - 1 does not exist
        const bool used = k < 2 * TILE - 1 && !(diagonal && k < TILE - 1);
        store_diagonal(k, used ? sum[k] : 0, used ? ss[k] : 0.0, used ? (uint)n[k] : 0, pivot[k], d[k], dd[k], part_g,
                       part_f, part_n);
    }
#endif
}

// The ratios of one tile into the two-time map [t1][t2] and its mirror image; NaN where S S = 0.
static void write_ratios(G_SPACE const G_T* g, global const S_T* sums_a, global const S_T* sums_b, const Tile tile,
                         const bool diagonal, global double* two_time, const uint frame_count) {
    for (uint element = get_local_id(0); element < TILE * TILE; element += WG) {
        const uint i = element / TILE, j = element % TILE, t1 = tile.t1 + i, t2 = tile.t2 + j;
        if (t1 >= frame_count || t2 >= frame_count || (diagonal && j < i)) continue;
        const double ss = (double)sums_a[i] * (double)sums_b[j];
        const double c = ss != 0 ? (double)g[element] * tile.pixels / ss : NAN;
        two_time[(size_t)t1 * frame_count + t2] = c;
        two_time[(size_t)t2 * frame_count + t1] = c;
    }
}
