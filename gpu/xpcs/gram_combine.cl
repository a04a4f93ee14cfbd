// Merges the diagonal sums of tiles (gram_tiled.cl) along diagonals of tiles, in the order of t1.
//
// NDRange: dimension 0: the 2 TILE diagonals k of a tile; dimension 1: entry, one per diagonal of tiles touched by the
// previous launch. runs[entry] = (first, count, target): the tiles order[first .. first + count), in the order of t1,
// are added to the totals at target. `totals` holds G, the numbers of terms, and the three quantities, of `values`
// diagonals each. Totals persist from launch to launch and start as zeros.
//
// Means and squares merge by the pairwise formula of Chan, Golub and LeVeque (1983).

// Tiles that are read before the first of them is merged.
#define AT_ONCE 4

kernel void gram_combine(global const uint4* runs, global const uint* order, global const P_T* part_g,
                         global const double* part_f, global const uint* part_n, global ulong* totals,
                         const ulong values) {
    global P_T* const total_g = (global P_T*)totals;
    global ulong* const total_n = totals + values;
    global double* const total_f = (global double*)(totals + 2 * values);
    const uint k = get_global_id(0);
    const uint4 run = runs[get_global_id(1)];
    const size_t at = (size_t)run.s2 * (2 * TILE);
    P_T g = total_g[at + k];
    double ss = total_f[3 * at + k], mean = total_f[3 * at + 2 * TILE + k], m2 = total_f[3 * at + 4 * TILE + k];
    ulong n = total_n[at + k];
    for (uint i = 0; i < run.s1; i += AT_ONCE) {
        P_T next_g[AT_ONCE];
        double next_ss[AT_ONCE], next_mean[AT_ONCE], next_m2[AT_ONCE];
        uint next_n[AT_ONCE];
#pragma unroll
        for (uint j = 0; j < AT_ONCE; ++j) {
            const size_t slot = (size_t)order[run.s0 + min(i + j, run.s1 - 1)] * (2 * TILE);
            next_g[j] = part_g[slot + k];
            next_ss[j] = part_f[3 * slot + k];
            next_n[j] = part_n[slot + k];
            next_mean[j] = part_f[3 * slot + 2 * TILE + k];
            next_m2[j] = part_f[3 * slot + 4 * TILE + k];
        }
#pragma unroll
        for (uint j = 0; j < AT_ONCE; ++j) {
            if (i + j >= run.s1) break;
            g += next_g[j];
            ss += next_ss[j];
            const ulong more = next_n[j];
            if (more > 0) {
                const double delta = next_mean[j] - mean, all = (double)(n + more);
                mean += delta * ((double)more / all);
                m2 += next_m2[j] + delta * delta * ((double)n * (double)more / all);
                n += more;
            }
        }
    }
    total_g[at + k] = g;
    total_f[3 * at + k] = ss;
    total_f[3 * at + 2 * TILE + k] = mean;
    total_f[3 * at + 4 * TILE + k] = m2;
    total_n[at + k] = n;
}
