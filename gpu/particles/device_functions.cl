// The functions that pair.cl asks for, from the device: special function units where there are some. Floats
// only: native functions of doubles do not exist.

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define EXP2 exp2
#define INVERSE_ROOT rsqrt
#define COSINE cospi
#define SINE sinpi
#define HALF_TURN 1.0
#else
#define EXP2 native_exp2
#define INVERSE_ROOT native_rsqrt
#define COSINE native_cos
#define SINE native_sin
#define HALF_TURN 3.14159265f
#endif

static inline REAL exp2_minus(const REAL v) {
    return EXP2(-v);
}
static inline REAL inverse_root(const REAL v) {
    return INVERSE_ROOT(v);
}
static inline void cis_turns(const REAL v, REAL* c, REAL* s) {
    const REAL angle = (v - rint(v)) * (2 * HALF_TURN);
    *c = COSINE(angle);
    *s = SINE(angle);
}
