// The terms of one pair for several vectors of weights and for gradients, in the coordinates and weights of
// core/particles/scaling.h.
//   VECTORS   number of vectors of weights
//   GRADIENT  1: also the derivatives along x, y and z, without the factor `slope`
// Rows of sums are [vector][quantity][part]: f, or f and its derivatives; real and, if COMPLEX, imaginary.

#define QUANTITIES (1 + 3 * GRADIENT)
#define PARTS (1 + COMPLEX)
#define ROWS (VECTORS * QUANTITIES * PARTS)
// Values of a source besides x, y, z and the first weight: the other weights, then all imaginary parts.
#define OTHERS (VECTORS - 1 + COMPLEX_WEIGHTS * VECTORS)

// Adds the terms of a source at d = (dx, dy, dz) from the target to the rows of sums.
static inline void add_terms(V* sums, const V g, const V g_im, const V dx, const V dy, const V dz, const V r2,
                             const REAL wavenumber, const REAL weight, const REAL* others) {
    V terms[QUANTITIES], terms_im[QUANTITIES];
    terms[0] = g;
    terms_im[0] = g_im;
#if GRADIENT
#if SINGULAR
    // Times the unit vector d / r: 1 / r^3 would overflow a float where points nearly coincide.
    const V inverse = r2 > (V)0 ? inverse_root(r2) : (V)0;
    const V ux = dx * inverse, uy = dy * inverse, uz = dz * inverse;
#else
    const V ux = dx, uy = dy, uz = dz;
#endif
#if KERNEL == 2
    const V along = inverse * g + wavenumber * g_im, along_im = inverse * g_im - wavenumber * g;
    terms_im[1] = along_im * ux;
    terms_im[2] = along_im * uy;
    terms_im[3] = along_im * uz;
#elif KERNEL == 1
    const V along = inverse * g;
#else
    const V along = g;
#endif
#if KERNEL != 2
    terms_im[1] = terms_im[2] = terms_im[3] = 0;
#endif
    terms[1] = along * ux;
    terms[2] = along * uy;
    terms[3] = along * uz;
#endif
#pragma unroll
    for (uint v = 0; v < VECTORS; ++v) {
        const REAL own = v == 0 ? weight : others[v - 1];
#if COMPLEX_WEIGHTS
        const REAL own_im = others[VECTORS - 1 + v];
#else
        const REAL own_im = 0;
#endif
#pragma unroll
        for (uint q = 0; q < QUANTITIES; ++q) {
            V* const re = sums + (v * QUANTITIES + q) * PARTS;
            add_weighted(re, re + (PARTS - 1), terms[q], terms_im[q], own, own_im);
        }
    }
}
