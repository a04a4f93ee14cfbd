// Loops that keep one unit of a device as busy as possible, to find its peak rate. Only the time that they take is of
// any use.
//
// NDRange: dimension 0: groups of WG work-items; local memory only in read_local: READS * WINDOW vectors.
//   REAL, V     the number type, and the type that a work-item computes with at once: REAL, or a vector of LANES for
//               processors, which do not vectorise loops of scalar work-items
//   EACH        vectors moved per work-item
//   CHAINS      independent chains per work-item: they hide the latency of the unit
//   READS, WINDOW  of memory on the chip: vectors that an item reads at a time, WINDOW apart; the first of them moves
//               on by `step` through WINDOW, a power of 2, so that no read can be left out
//   DOUBLES, HALVES, INTEGERS  what REAL is where it is not float
//   POLYNOMIAL  1: also functions as polynomials, for devices without a unit for them (INT, VI, AS_V, AS_VI:
//               polynomial.cl)

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef HALVES
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#if POLYNOMIAL
#include "gpu/runtime/polynomial.cl"
#endif
#define AT_ONCE 8
#if LANES == 1
#define HAS(v, number) ((v) == (number))
#else
#define HAS(v, number) any((v) == (V)(number))
#endif
#define GROUPED __attribute__((reqd_work_group_size(WG, 1, 1)))

// Group g moves the vectors from first + WG * EACH * g on; neighbouring work-items move neighbouring vectors.
kernel GROUPED void copy(global const V* from, global V* to, const ulong first) {
    const ulong at = first + (ulong)get_group_id(0) * (WG * EACH) + get_local_id(0);
    for (uint k = 0; k < EACH; k += AT_ONCE) {
        V some[AT_ONCE];
#pragma unroll
        for (uint i = 0; i < AT_ONCE; ++i) some[i] = from[at + (k + i) * WG];
#pragma unroll
        for (uint i = 0; i < AT_ONCE; ++i) to[at + (k + i) * WG] = some[i];
    }
}

// Reads the same vectors; `out` is written only if a sum of them equals `never`.
kernel GROUPED void read(global const V* from, global V* out, const ulong first, const REAL never) {
    const ulong at = first + (ulong)get_group_id(0) * (WG * EACH) + get_local_id(0);
    V sum[AT_ONCE];
#pragma unroll
    for (uint i = 0; i < AT_ONCE; ++i) sum[i] = 0;
    for (uint k = 0; k < EACH; k += AT_ONCE) {
#pragma unroll
        for (uint i = 0; i < AT_ONCE; ++i) sum[i] += from[at + (k + i) * WG];
    }
    V all = 0;
#pragma unroll
    for (uint i = 0; i < AT_ONCE; ++i) all += sum[i];
    if (HAS(all, never)) out[0] = all;
}

#ifdef READS
// `data` are READS * WINDOW vectors; `out` is written only if a sum of what was read equals `never`.
#define MOVING_READS(data)                                                                                   \
    V sum[READS], all = 0;                                                                                   \
    _Pragma("unroll") for (uint i = 0; i < READS; ++i) sum[i] = 0;                                           \
    for (uint r = 0; r < rounds; ++r) {                                                                      \
        _Pragma("unroll") for (uint u = 0; u < 4; ++u) {                                                     \
            at = (at + step) & (WINDOW - 1);                                                                 \
            _Pragma("unroll") for (uint i = 0; i < READS; ++i) sum[i] += data[at + i * WINDOW];              \
        }                                                                                                    \
    }                                                                                                        \
    _Pragma("unroll") for (uint i = 0; i < READS; ++i) all += sum[i];                                        \
    if (HAS(all, never)) out[0] = all;

// Neighbouring work-items read neighbouring vectors.
kernel GROUPED void read_local(global const V* from, global V* out, const uint rounds, const uint step,
                               const REAL never) {
    local V data[READS * WINDOW];
    for (uint i = get_local_id(0); i < READS * WINDOW; i += WG) data[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = get_local_id(0) & (WINDOW - 1);
    MOVING_READS(data)
}

// An array per work-item, indexed at run time: registers cannot be indexed.
kernel GROUPED void read_private(global const V* from, global V* out, const uint rounds, const uint step,
                                 const REAL never) {
    V data[READS * WINDOW];
    for (uint i = 0; i < READS * WINDOW; ++i) data[i] = from[i];
    uint at = 0;
    MOVING_READS(data)
}

// All work-items read the same vector, the case that constant memory is made for.
kernel GROUPED void read_constant(constant V* data, global V* out, const uint rounds, const uint step,
                                  const REAL never) {
    uint at = 0;
    MOVING_READS(data)
}
#endif

kernel void nothing() {}

// x becomes STEP(x), rounds * UNROLL times in each chain. All steps converge to a fixed point near 1 or stay in
// [-2, 2]: nothing overflows, and nothing becomes subnormal. `a` is a little less than 1, `b` is 1 - a. UNROLL: used
// where the loop itself would cost time.
#define CHAINS_OF(name, UNROLL, STEP)                                                                \
    kernel GROUPED void name(global V* out, const REAL a, const REAL b, const uint rounds) {         \
        V x[CHAINS], all = 0;                                                                        \
        _Pragma("unroll") for (uint c = 0; c < CHAINS; ++c) x[c] = a + b * (REAL)c;                  \
        for (uint r = 0; r < rounds; ++r) {                                                          \
            _Pragma("unroll") for (uint u = 0; u < UNROLL; ++u) {                                    \
                _Pragma("unroll") for (uint c = 0; c < CHAINS; ++c) x[c] = STEP(x[c]);               \
            }                                                                                        \
        }                                                                                            \
        _Pragma("unroll") for (uint c = 0; c < CHAINS; ++c) all += x[c];                             \
        out[get_global_id(0)] = all;                                                                 \
    }

#ifdef INTEGERS
// Two steps x * a + b can be merged into one with another a and b, which a compiler may find; these cannot.
#define MULTIPLY_ADD(x) ((x) * (x) + (V)b)
#else
#define MULTIPLY_ADD(x) fma(x, (V)a, (V)b)
#endif
CHAINS_OF(multiply_adds, 16, MULTIPLY_ADD)

#if !defined(DOUBLES) && !defined(HALVES) && !defined(INTEGERS)
#define POWER(x) native_exp2(-(x))
CHAINS_OF(powers, 2, POWER)
CHAINS_OF(inverse_roots, 2, native_rsqrt)
CHAINS_OF(cosines, 2, native_cos)
#if POLYNOMIAL
CHAINS_OF(polynomial_powers, 2, exp2_minus_polynomial)
// Both at once, for an angle of x turns.
static inline V cosine_and_sine(const V x) {
    V c, s;
    cis_turns_polynomial(x, &c, &s);
    return c + s;
}
CHAINS_OF(polynomial_cosines, 2, cosine_and_sine)
#endif
#endif
