// Every work-item combines its element with a value of its group in local memory by an atomic function, and
// one item of each group combines that with the value in global memory. There is no atomic addition of
// floats: floats use compare-exchange on their bits, retried if another item came first. The order, and so
// the rounding of a sum of floats, differs from run to run. `out` holds NEUTRAL before. NDRange: dimension 0
// is the element, rounded up to groups of WG; local memory: one value.
#include "gpu/basics/reduce/terms.cl"
#ifndef WHOLE
#define WHOLE 0
#endif
#if WHOLE && OPERATION == 0
#define ATOMIC_JOIN(to, value) atomic_add(to, value)
#elif WHOLE && OPERATION == 1
#define ATOMIC_JOIN(to, value) atomic_min(to, value)
#elif WHOLE
#define ATOMIC_JOIN(to, value) atomic_max(to, value)
#else
#define ATOMIC_JOIN(to, value)                                                    \
    do {                                                                          \
        uint was = atomic_or(to, 0u), found;                                      \
        for (;; was = found) {                                                    \
            found = atomic_cmpxchg(to, was, as_uint(JOIN(as_float(was), value))); \
            if (found == was) break;                                              \
        }                                                                         \
    } while (0)
#endif
#if WHOLE
#define BITS(value) (value)
#define FROM_BITS(bits) (bits)
#else
#define BITS(value) as_uint(value)
#define FROM_BITS(bits) as_float(bits)
#endif

kernel void reduce(const ulong n, global const VALUE* x, global const VALUE* y, volatile global uint* out) {
    volatile local uint of_group;
    const size_t i = get_global_id(0);
    if (get_local_id(0) == 0) of_group = BITS((VALUE)NEUTRAL);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        const VALUE own = TERM(i);
        ATOMIC_JOIN(&of_group, own);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        const VALUE all = FROM_BITS(of_group);
        ATOMIC_JOIN(out, all);
    }
}
