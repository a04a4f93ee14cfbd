// Counters in local memory: as global.cl, but each group has its own counters for its items, at most one per
// item, and merges each into the one in global memory by a single call at the end.
// NDRange: dimension 0 is the item, rounded up to groups of WG; local memory: 4 WG bytes.
#include "gpu/basics/atomics/functions.cl"
#ifndef WG
#define WG 64
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void call(const uint items, const uint calls,
                                                                const uint contention,
                                                                global const uint* operands,
                                                                volatile global uint* counters,
                                                                global uint* returned) {
    volatile local uint parts[WG];
    const uint g = get_global_id(0), l = get_local_id(0), first = get_group_id(0) * WG;
    const uint first_counter = first / contention, last_counter = (min(first + WG, items) - 1) / contention;
    const bool has_part = l <= last_counter - first_counter;
    if (has_part) parts[l] = INITIAL;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g < items) {
        volatile local uint* const counter = parts + (g / contention - first_counter);
        const uint own = operands[g];
        for (uint k = 0; k < calls; ++k) {
            uint was = 0;
            const uint value = VALUE(g, k);
            CALL(counter, value);
            if (KEEPS) returned[k * items + g] = was;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (has_part) {
        uint was = 0;
        const uint part = parts[l];
        JOIN(counters + first_counter + l, part);
        if (KEEPS) returned[calls * items + g] = was;
    }
}
