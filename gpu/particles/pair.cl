// The term of one pair, in the coordinates and weights of core/particles/scaling.h.
//   KERNEL            0: RBF 2^(-r^2), 1: Laplace 1 / r, 2: Helmholtz e^(2 pi i turns r) / r
//   REAL, REAL4, INT  type of the terms, of a packed source and of integers of the same width
//   V, VI             type computed at once and integers of the same width: REAL and INT, or vectors
//   COMPLEX_WEIGHTS   1: sources have an imaginary part of their weight
// Sums are complex (COMPLEX 1) if the kernel or the weights are.

#if KERNEL == 2 || COMPLEX_WEIGHTS
#define COMPLEX 1
#else
#define COMPLEX 0
#endif
#define SINGULAR (KERNEL != 0)

#ifndef V
#define V REAL
#define VI INT
#endif

// r^2 of a vector between two points.
static inline V square(const V dx, const V dy, const V dz) {
    return dx * dx + (dy * dy + dz * dz);
}

// Real and imaginary part of g from r^2; 0 at r = 0 of a singular kernel. exp2_minus(v) is 2^-v,
// inverse_root(v) is 1 / sqrt(v), cis_turns(v, &c, &s) are cos and sin of 2 pi v: each file defines its own.
static inline V term(const V r2, const REAL turns, V* imaginary) {
#if KERNEL == 0
    return exp2_minus(r2);
#else
    const V inverse = r2 > (V)0 ? inverse_root(r2) : (V)0;
#if KERNEL == 1
    return inverse;
#else
    V c, s;
    cis_turns(r2 * inverse * turns, &c, &s);
    *imaginary = s * inverse;
    return c * inverse;
#endif
#endif
}

// As term() for a kernel without phase; infinite at r = 0 of a singular one.
static inline V careless_term(const V r2) {
#if KERNEL == 0
    return exp2_minus(r2);
#else
    return inverse_root(r2);
#endif
}

// Adds a term, times the weight of its source, to re and im.
static inline void add_weighted(V* re, V* im, const V g, const V g_im, const REAL weight,
                                const REAL weight_im) {
#if KERNEL == 2 && COMPLEX_WEIGHTS
    *re += g * weight - g_im * weight_im;
    *im += g * weight_im + g_im * weight;
#else
    *re += g * weight;
#if KERNEL == 2
    *im += g_im * weight;
#elif COMPLEX_WEIGHTS
    *im += g * weight_im;
#endif
#endif
}

// Adds one source's term to re and im.
static inline void add_term(V* re, V* im, const V r2, const REAL turns, const REAL weight,
                            const REAL weight_im) {
    V g_im = 0;
    const V g = term(r2, turns, &g_im);
    add_weighted(re, im, g, g_im, weight, weight_im);
}
