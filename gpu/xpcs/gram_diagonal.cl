// One diagonal of a tile, as all products that follow diagonals one by one add it up: they give the same bits.

// The next term of a diagonal: G = value, S S = ss, 1 / (S S) = r (0 if S S is 0). Of the n terms with S S != 0, d is the
// sum of C - pivot and dd of its square, with the first C as pivot. `count` is the number of pixels.
static inline void add_term(const double value, const double ss, const double r, const double count,
                            const double one_over_n, double* sum_ss, uint* n, double* pivot, double* d, double* dd) {
#pragma OPENCL FP_CONTRACT OFF
    const bool valid = r != 0;
    const double c = value * count * r;
    *pivot = valid && *n == 0 ? c : *pivot;
    const double away = valid ? c - *pivot : 0.0;
    *sum_ss = fma(ss, one_over_n, *sum_ss);
    *d += away;
    *dd = fma(away, away, *dd);
    *n += valid ? 1 : 0;
}

// Diagonal k of a tile: the sum of G, the sum of S S / N, and of n terms the mean and the sum of squares about it. The
// places are described in gram_tiled.cl and gram_diagonals.cl.
static inline void store_diagonal(const uint k, const P_T g, const double ss, const uint n, const double pivot,
                                  const double d, const double dd, global P_T* part_g, global double* part_f,
                                  global uint* part_n) {
    part_g[k] = g;
    part_f[k] = ss;
    part_f[2 * TILE + k] = n > 0 ? pivot + d / n : 0.0;
    part_f[4 * TILE + k] = n > 0 ? fmax(dd - d * (d / n), 0.0) : 0.0;
    part_n[k] = n;
}
