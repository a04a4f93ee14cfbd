// Counters in global memory: work-item g calls the function `calls` times on counter g / contention.
// NDRange: dimension 0 is the item, rounded up to groups of WG; no local memory.
#include "gpu/basics/atomics/functions.cl"

kernel void call(const uint items, const uint calls, const uint contention, global const uint* operands,
                 volatile global uint* counters, global uint* returned) {
    const uint g = get_global_id(0);
    if (g >= items) return;
    volatile global uint* const counter = counters + g / contention;
    const uint own = operands[g];
    for (uint k = 0; k < calls; ++k) {
        uint was = 0;
        const uint value = VALUE(g, k);
        CALL(counter, value);
        if (KEEPS) returned[k * items + g] = was;
    }
}
