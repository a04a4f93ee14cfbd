#pragma once

namespace ks::xpcs {

#ifdef __x86_64__
template <class Loops, class... A>
__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512"))) void run_avx512(
    A... arguments) {
    Loops::run(arguments...);
}
template <class Loops, class... A>
__attribute__((target("avx2,fma"))) void run_avx2(A... arguments) {
    Loops::run(arguments...);
}
#endif

/// Calls Loops::run(arguments...), which must always be inlined, compiled for the features of the processor.
template <class Loops, class... A>
void run_on_this_processor(A... arguments) {
#ifdef __x86_64__
    static const bool has_512 =
        __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0;
    static const bool has_256 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    if (has_512) return run_avx512<Loops, A...>(arguments...);
    if (has_256) return run_avx2<Loops, A...>(arguments...);
#endif
    Loops::run(arguments...);
}

}  // namespace ks::xpcs
