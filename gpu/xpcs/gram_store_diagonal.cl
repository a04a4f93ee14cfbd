// Diagonal k of a tile: the sum of G, the sum of S S / N, and of n terms the mean and the sum of squares about it, from the
// sums d of C - pivot and dd of its square. The places are described in gram_tiled.cl and gram_diagonals.cl.

static inline void store_diagonal(const uint k, const P_T g, const double ss, const uint n, const double pivot,
                                  const double d, const double dd, global P_T* part_g, global double* part_f,
                                  global uint* part_n) {
    part_g[k] = g;
    part_f[k] = ss;
    part_f[2 * TILE + k] = n > 0 ? pivot + d / n : 0.0;
    part_f[4 * TILE + k] = n > 0 ? fmax(dd - d * (d / n), 0.0) : 0.0;
    part_n[k] = n;
}
