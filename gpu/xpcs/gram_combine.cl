// Merges the diagonal sums of tiles (gram_tiled.cl) along diagonals of tiles, in the order of t1.
//
// NDRange: dimension 0: the 2 TILE diagonals k of a tile; dimension 1: entry, one per diagonal of tiles touched by the
// previous launch. runs[entry] = (first, count, target): the tiles order[first .. first + count), in the order of t1,
// are added to the totals at target. `totals` holds G, the numbers of terms, and the three quantities, of `values`
// diagonals each. Totals persist from launch to launch and start as zeros.
//
// Means and squares merge by the pairwise formula of Chan, Golub and LeVeque (1983).

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
    for (uint i = 0; i < run.s1; ++i) {
        const size_t slot = (size_t)order[run.s0 + i] * (2 * TILE);
        g += part_g[slot + k];
        ss += part_f[3 * slot + k];
        const ulong more = part_n[slot + k];
        if (more > 0) {
            const double delta = part_f[3 * slot + 2 * TILE + k] - mean, all = (double)(n + more);
            mean += delta * ((double)more / all);
            m2 += part_f[3 * slot + 4 * TILE + k] + delta * delta * ((double)n * (double)more / all);
            n += more;
        }
    }
    total_g[at + k] = g;
    total_f[3 * at + k] = ss;
    total_f[3 * at + 2 * TILE + k] = mean;
    total_f[3 * at + 4 * TILE + k] = m2;
    total_n[at + k] = n;
}
