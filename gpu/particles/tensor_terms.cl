// Part of tensor_cells.cl: squared distances of targets and the sources of a cell as a product of matrices,
// and their terms. r^2 = |t|^2 + |s|^2 - 2 t.s, with each number as two halves, the nearest one and the one
// nearest to the remainder, 22 bits together. In the order of the 16 columns of A and rows of B:
//   A  x x y y z z |t|^2 ONE of a target, upper halves; then the same of lower halves
//   B  -2 x, -2 y, -2 z of a source, upper and lower half each; SQUARE and the upper half of |s|^2; then the
//      same again, with the lower half of |s|^2

// Factors for coordinates, so that lower halves stay in the range of halves. For squares: those of sources by
// SQUARE, those of targets by ONE, and r^2 by both, which is UNIT^2.
#if KERNEL == 0
#define UNIT 1.0f
#define SQUARE 1.0f
#define ONE 1.0f
// |t|^2 of a target whose terms are 0.
#define NOTHING 6e4f
#else
#define UNIT 0x1p11f
#define SQUARE 0x1p12f
#define ONE 0x1p10f
#endif
// Minimum distance of targets from the centre: the lower half of a smaller square would lose bits.
#define NEAREST 0x1p-6f
// Sources whose products are computed at once, in four products of matrices.
#define STEP 32

static inline float along(const float4 v, const uint axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : axis == 2 ? v.z : 0;
}

static inline uint in_halves(const float v) {
    return halves(v, v - first_half(halves(v, v)));
}

// A's columns of the lane: one coordinate of a target, or its square (axis 3).
static inline void put_target(uint* upper, uint* lower, const float t, const float square, const uint axis) {
#if KERNEL == 0
    const bool beyond = square > FARTHEST * FARTHEST;
    const float own = axis == 3 ? beyond ? NOTHING : square : beyond ? 0 : t;
#else
    const float own = axis == 3 ? square * ONE : t * UNIT;
#endif
    *upper = halves(own, axis == 3 ? ONE : own);
    const float rest = own - first_half(*upper);
    *lower = halves(rest, axis == 3 ? ONE : rest);
}

// B's column of source j, in the order in which lanes read: those of a quad need columns 2 q and 2 q + 1 of
// four products, which are 8 consecutive sources. A word pair of each coordinate for each product.
static inline void put_source(local uint4* columns, local float4* weights, const uint j,
                              const float4 source) {
    const uint i = j % STEP, of_product = i % 8 / 2, column = i / 8 * 2 + j % 2;
    local uint2* const to =
        (local uint2*)(columns + (j / STEP * 2 + of_product / 2) * 32 + column * 4) + of_product % 2;
    const uint x = in_halves(-2 * UNIT * source.x), y = in_halves(-2 * UNIT * source.y);
    const uint z = in_halves(-2 * UNIT * source.z);
    const float s2 = SQUARE * square(source.x, source.y, source.z);
    const uint upper = halves(SQUARE, s2);
    to[0] = (uint2)(x, x);
    to[2] = (uint2)(y, y);
    to[4] = (uint2)(z, z);
    to[6] = (uint2)(upper, halves(SQUARE, s2 - first_half(halves(s2, s2))));
    ((local float*)weights)[j] = source.w * UNIT;
}

// As careless_term(), with multiplications and additions, at a relative error of 1e-7.
static inline float polynomial_term(const float r2) {
#if KERNEL == 0
    // Terms below 2^-126 are taken as 2^-126.
    const float v = min(r2, 126.0f), shifted = ROUNDER - v, x = (ROUNDER - shifted) - v;
    return as_float(as_int(EXP2_OF_REST(x)) + (as_int(shifted) << SIGNIFICAND));
#else
    return inverse_root_polynomial(r2);
#endif
}

// Adds the terms of all rows and two sources to sums.
static inline void add_terms(float sums[ROWS], const uint upper[ROWS], const uint lower[ROWS], const uint b0,
                             const uint b1, const float weight, const float next_weight) {
    float r2[TILES][4], g[4 * TILES];
#pragma unroll
    for (uint m = 0; m < TILES; ++m)
        product(r2[m], upper[2 * m], upper[2 * m + 1], lower[2 * m], lower[2 * m + 1], b0, b1);
#pragma unroll
    for (uint n = 0; n < 4 * TILES; ++n)
        if (n * POLYNOMIAL % 16 >= POLYNOMIAL) g[n] = careless_term(r2[n / 4][n % 4]);
#pragma unroll
    for (uint n = 0; n < 4 * TILES; ++n)
        if (n * POLYNOMIAL % 16 < POLYNOMIAL) g[n] = polynomial_term(r2[n / 4][n % 4]);
#pragma unroll
    for (uint n = 0; n < 4 * TILES; ++n)
        sums[n / 2] = fma(g[n], n % 2 ? next_weight : weight, sums[n / 2]);
}
