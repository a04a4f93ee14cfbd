#pragma once

#include "core/particles/vector/vector_block.h"

namespace ks::particles {

#ifdef __x86_64__
template <class T, class Loops>
__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512"))) void sum_avx512(
    Block<T>& block, const Sources<T>& sources) {
    Loops::sum(block, sources);
}
template <class T, class Loops>
__attribute__((target("avx2,fma"))) void sum_avx2(Block<T>& block, const Sources<T>& sources) {
    Loops::sum(block, sources);
}
#endif
template <class T, class Loops>
void sum_plain(Block<T>& block, const Sources<T>& sources) {
    Loops::sum(block, sources);
}

/// Loops::sum(block, sources), which must always be inlined, compiled for the features of the processor.
template <class T, class Loops>
SumBlock<T> for_this_processor() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return sum_avx512<T, Loops>;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return sum_avx2<T, Loops>;
#endif
    return sum_plain<T, Loops>;
}

}  // namespace ks::particles
