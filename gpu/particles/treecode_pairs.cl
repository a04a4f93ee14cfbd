// Offers the vectors of targets that treecode.cl sums, and the terms of a source at them.
//   EXPLICIT  1: V are vectors of LANES neighbouring targets, for CPUs; otherwise V is REAL
// Rows of sums are those of terms.cl. PLAIN: one vector of weights without gradients.

#ifndef EXPLICIT
#define EXPLICIT 0
#endif
#ifndef VECTORS
#define VECTORS 1
#define GRADIENT 0
#endif
#define PLAIN (VECTORS == 1 && !GRADIENT)

#if EXPLICIT
#include "gpu/particles/vector_lanes.cl"
#define LOAD(from) VLOAD(0, from)
#define FINITE(v) all(isfinite(v))
#define TWICE (KERNEL == 1 && FAST_ROOTS)
#define ONE_IF(condition) (-(condition))
#else
#define LANES 1
#include "gpu/particles/device_functions.cl"
#include "gpu/particles/pair.cl"
#include "gpu/particles/targets.cl"
#include "gpu/particles/compensate.cl"
#define LOAD(from) (*(from))
#define FINITE(v) isfinite(v)
#define TWICE 0
#define ONE_IF(condition) (condition)
#endif
#include "gpu/particles/terms.cl"

// The terms of a source at r^2; if that is 0 for a singular kernel, they are infinite or NaN. With TWICE they
// are twice as large.
static inline void add_careless(V* sums, const V r2, const REAL turns, const REAL weight, const REAL* others) {
#if COMPLEX_WEIGHTS
    const REAL weight_im = others[0];
#else
    const REAL weight_im = 0;
#endif
#if KERNEL == 2
    const V inverse = inverse_root(r2);
    V c, s;
    cis_turns(r2 * inverse * turns, &c, &s);
    add_weighted(sums, sums + (PARTS - 1), c * inverse, s * inverse, weight, weight_im);
#elif TWICE
    add_weighted(sums, sums + (PARTS - 1), twice_inverse_root(r2), (V)0, weight, weight_im);
#else
    add_weighted(sums, sums + (PARTS - 1), careless_term(r2), (V)0, weight, weight_im);
#endif
}

// The same, with a test for r = 0.
static inline void add_careful(V* sums, VI* found, const V dx, const V dy, const V dz, const REAL turns,
                               const REAL wavenumber, const REAL weight, const REAL* others) {
    const V r2 = square(dx, dy, dz);
#if SINGULAR
    *found += ONE_IF(r2 == (V)0);
#endif
    V g_im = 0;
    const V g = term(r2, turns, &g_im);
    add_terms(sums, g, g_im, dx, dy, dz, r2, wavenumber, weight, others);
}

// Writes or adds a row of sums of the targets from `to` on, `left` of which exist.
static inline void put(global REAL* to, const uint left, const V sum, const bool more) {
#if EXPLICIT
    store(to, left, sum, more);
#else
    if (left > 0) *to = more ? *to + sum : sum;
#endif
}

// Number of sources found at r = 0 of the `left` targets of a vector.
static inline uint count_of(const VI found, const uint left) {
#if EXPLICIT
    INT counts[LANES];
    VSTORE(found, 0, counts);
    uint count = 0;
    for (uint i = 0; i < min((uint)LANES, left); ++i) count += (uint)counts[i];
    return count;
#else
    return left > 0 ? (uint)found : 0;
#endif
}

static inline REAL total_of(const V v) {
#if EXPLICIT
    REAL lanes[LANES], sum = 0;
    VSTORE(v, 0, lanes);
    for (uint i = 0; i < LANES; ++i) sum += lanes[i];
    return sum;
#else
    return v;
#endif
}
