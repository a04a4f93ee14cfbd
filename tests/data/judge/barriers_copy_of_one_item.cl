#define MENDED 0
// The sum of a vector, as a tree in each group. One work-item asks for the copy to local memory that all of them have
// to ask for together.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: WG values.
#ifndef WG
#define WG 256
#endif
#ifndef DOT
#define DOT 0
#endif

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void reduce(const ulong n, global const float* x,
                                                                   global const float* y, global float* out) {
    local float values[WG];
    const size_t i = get_global_id(0), item = get_local_id(0), first = i - item;
    const size_t inside = first < n ? min((size_t)WG, (size_t)n - first) : 0;
    if (item >= inside) values[item] = 0;
#if MENDED
    event_t copied = async_work_group_copy(values, x + first, inside, 0);
    wait_group_events(1, &copied);
#else
    if (item == 0) {
        event_t copied = async_work_group_copy(values, x + first, inside, 0);  // named: barriers
        wait_group_events(1, &copied);                                         // named: barriers
    }
#endif
    for (uint left = WG / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);  // named: barriers
        if (item < left) values[item] += values[item + left];
    }
    if (item == 0) out[i / WG] = values[0];
}
