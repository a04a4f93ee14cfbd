#pragma once

/// Loops that the compiler vectorises for AVX2, used if the processor has it, and for the target of the
/// build. A loop is a lambda marked KS_INLINE that calls functions marked KS_INLINE with plain values.
#define KS_INLINE __attribute__((always_inline))
#if defined(__x86_64__) && !defined(__AVX2__)
#define KS_AVX2 __attribute__((target("avx2")))
#define KS_HAS_AVX2 (__builtin_cpu_supports("avx2") != 0)
#else
#define KS_AVX2
#define KS_HAS_AVX2 false
#endif

namespace ks::spots {

template <class Loop>
KS_AVX2 __attribute__((noinline)) void with_avx2(const Loop& loop) {
    loop();
}

template <class Loop>
void vectorised(const Loop& loop) {
    static const bool avx2 = KS_HAS_AVX2;
    if (avx2)
        with_avx2(loop);
    else
        loop();
}

}  // namespace ks::spots
