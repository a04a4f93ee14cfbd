// One value per group of WG elements: pairs are combined in local memory, half as many in each step. The host
// launches it again on the values until one is left; those passes have DOT 0. NDRange: dimension 0 is the
// element, rounded up to groups of WG (a power of 2); local memory: WG values.
#include "gpu/basics/reduce/terms.cl"
#ifndef WG
#define WG 256
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce(const ulong n, global const VALUE* x,
                                                                   global const VALUE* y, global VALUE* out) {
    local VALUE values[WG];
    const size_t i = get_global_id(0), item = get_local_id(0);
    values[item] = i < n ? TERM(i) : NEUTRAL;
    for (uint left = WG / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left) values[item] = JOIN(values[item], values[item + left]);
    }
    if (item == 0) out[i / WG] = values[0];
}
