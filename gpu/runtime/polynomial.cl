// Offers elementary functions of V as multiplications and additions, for units without special functions.
// tools/polynomials.py computes the coefficients.
//   AS_V, AS_VI   the bits of V as VI and back; for V of REAL they are set here

#ifdef DOUBLES
#define ROUNDER 0x1.8p52
#define SIGNIFICAND 52
#define NOTHING_FROM 1018.0
#else
#define ROUNDER 0x1.8p23f
#define SIGNIFICAND 23
#define NOTHING_FROM 122.0f
#endif
#ifndef AS_V
#ifdef DOUBLES
#define AS_V as_double
#define AS_VI as_long
#else
#define AS_V as_float
#define AS_VI as_int
#endif
#endif

// 2^x for |x| <= 1/2. Float: degree 5 with the smallest maximum relative error, 7.5e-8. Double: Taylor to degree 12,
// 2e-16. Not a function: without seeing its body, compilers turn the condition below into a choice between two values,
// and no longer jump over the polynomial where all work-items may.
#ifdef DOUBLES
#define EXP2_OF_REST(x)                                                                                      \
    ((((((((((((2.5678435993488196e-11 * x + 4.4455382718708101e-10) * x + 7.0549116208011209e-09) * x +     \
              1.0178086009239696e-07) * x + 1.3215486790144305e-06) * x + 1.5252733804059838e-05) * x +      \
           0.00015403530393381606) * x + 0.0013333558146428441) * x + 0.0096181291076284769) * x +           \
        0.055504108664821576) * x + 0.24022650695910069) * x + 0.69314718055994529) * x + 1.0)
#else
#define EXP2_OF_REST(x)                                                                                      \
    (((((0.0013276472f * x + 0.00967554133f) * x + 0.0555071327f) * x + 0.240221197f) * x + 0.693146967f) * \
         x + 1.00000007f)
#endif

// 2^-v for v >= 0: 2^n of the nearest whole number n, moved into the exponent, times 2 to the remainder. From 2^-122
// (2^-1018) on it is 0: sums of smaller terms would be subnormal numbers, which are slow.
static inline V exp2_minus_polynomial(const V v) {
    // The rounder leaves n in the lowest bits.
    const V shifted = (V)ROUNDER - v;
    const V x = ((V)ROUNDER - shifted) - v;
    const V p = EXP2_OF_REST(x);
    return v < (V)NOTHING_FROM ? AS_V(AS_VI(p) + (AS_VI(shifted) << SIGNIFICAND)) : (V)0;
}

#ifndef DOUBLES
// 1 / sqrt(v): halving the exponent and significand and subtracting from a constant gives y within 3.5 percent of it;
// then y / sqrt(v y^2), by a polynomial in 1 - v y^2 of degree 4 with the smallest maximum relative error, 2.3e-8.
static inline V inverse_root_polynomial(const V v) {
    const V y = AS_V((VI)0x5f3759df - (AS_VI(v) >> 1)), e = fma(-v, y * y, (V)1);
    V p = 0.274069283f;
    p = p * e + 0.313939232f;
    p = p * e + 0.375000587f;
    p = p * e + 0.49999832f;
    p = p * e + 1.0f;
    return y * p;
}
#endif

// cos(2 pi v) and sin(2 pi v): polynomials of the remainder after the nearest quarter turn (float: smallest maximum
// error 3e-8; double: Taylor, 1e-16), whose order and signs depend on the quarter.
static inline void cis_turns_polynomial(const V v, V* cosine, V* sine) {
    const V shifted = (REAL)4 * v + (V)ROUNDER;
    const VI quarter = AS_VI(shifted);
    const V x = v - (shifted - (V)ROUNDER) * (REAL)0.25, x2 = x * x;
#ifdef DOUBLES
    V s = -0.71812230177850012;
    s = s * x2 + 3.8199525848482803;
    s = s * x2 - 15.094642576822984;
    s = s * x2 + 42.058693944897634;
    s = s * x2 - 76.705859753061361;
    s = s * x2 + 81.605249276075043;
    s = s * x2 - 41.341702240399755;
    s = (s * x2 + 6.2831853071795862) * x;
    V c = 0.28200596845579101;
    c = c * x2 - 1.7143907110886711;
    c = c * x2 + 7.9035363713184648;
    c = c * x2 - 26.426256783374388;
    c = c * x2 + 60.244641371876639;
    c = c * x2 - 85.456817206693714;
    c = c * x2 + 64.939394022668282;
    c = c * x2 - 19.739208802178716;
    c = c * x2 + 1.0;
#else
    V s = -75.4020679f;
    s = s * x2 + 81.5925535f;
    s = s * x2 - 41.3416626f;
    s = (s * x2 + 6.28318529f) * x;
    V c = -83.592612f;
    c = c * x2 + 64.9212529f;
    c = c * x2 - 19.7391522f;
    c = c * x2 + 0.999999972f;
#endif
    const VI odd = (quarter & 1) != 0;
    const V even_c = odd ? s : c, even_s = odd ? c : s;
    *cosine = ((quarter + 1) & 2) != 0 ? -even_c : even_c;
    *sine = (quarter & 2) != 0 ? -even_s : even_s;
}
