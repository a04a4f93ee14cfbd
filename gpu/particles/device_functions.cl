// The functions required by pair.cl, from the device: special function units if there are any. Floats only:
// native functions of doubles do not exist.
//   PTX  1: NVIDIA's, which flush inputs below 2^-126 to 0; otherwise two multiplications scale them there and
//        back

#ifndef PTX
#define PTX 0
#endif
#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define EXP2 exp2
#define INVERSE_ROOT rsqrt
#define COSINE cospi
#define SINE sinpi
#define HALF_TURN 1.0
#define ROUNDER 0x1.8p52
#else
#define EXP2 native_exp2
#define INVERSE_ROOT native_rsqrt
#define COSINE native_cos
#define SINE native_sin
#define HALF_TURN 3.14159265f
#define ROUNDER 0x1.8p23f
#endif

#if PTX && !defined(DOUBLES)
static inline float exp2_minus(const float v) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-v));
    return power;
}
static inline float inverse_root(const float v) {
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(v));
    return inverse;
}
static inline void cosine_and_sine(const float angle, float* c, float* s) {
    asm("cos.approx.ftz.f32 %0, %1;" : "=f"(*c) : "f"(angle));
    asm("sin.approx.ftz.f32 %0, %1;" : "=f"(*s) : "f"(angle));
}
#else
static inline REAL exp2_minus(const REAL v) {
    return EXP2(-v);
}
static inline REAL inverse_root(const REAL v) {
    return INVERSE_ROOT(v);
}
static inline void cosine_and_sine(const REAL angle, REAL* c, REAL* s) {
    *c = COSINE(angle);
    *s = SINE(angle);
}
#endif
// The remainder after whole turns: rint() would wait for the special function units.
static inline void cis_turns(const REAL v, REAL* c, REAL* s) {
    const REAL whole = (v + ROUNDER) - ROUNDER;
    cosine_and_sine((v - whole) * (2 * HALF_TURN), c, s);
}
