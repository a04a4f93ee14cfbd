// A group takes modules of at most CAP digis, one after another, in local memory; the variant's file defines
// how the digis of a module are joined (link_module). columns: of a module. Labels are smallest rows of the
// input: the order in which digis were grouped has no effect.
//
// NDRange: 1 dimension, groups of WG items; any number of groups. Local memory: 4 * CAP + 1 words.
// LISTED 1: only the slots listed by place_modules. CUT 1: clusters with less charge than the module's cut get
// -3. DROP 1: digis that share a pixel get -2.

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cluster_modules(
    global const uint2* grouped, global const uint* starts, global const uint* counts, global const uint* listed,
    global const uint* totals, global const uint* adc, global const uint* cuts, global int* labels,
    const uint slots, const uint first_slot, const uint first_row, const uint cut_count, const uint columns) {
    local uint key[CAP];
    local uint work[2 * CAP];
    local int parent[CAP];
    local uint flag;
    local int* const minimum = (local int*)work;
    local uint* const charge = work + CAP;
    const uint lid = get_local_id(0);
#if LISTED
    const uint end = totals[1];
#else
    const uint end = slots;
#endif
    for (uint k = get_group_id(0); k < end; k += get_num_groups(0)) {
#if LISTED
        const uint slot = listed[k];
#else
        const uint slot = k;
#endif
        const uint n = counts[slot];
        if (n == 0 || n > CAP) continue;  // the same for all items
        global const uint2* const digis = grouped + starts[slot];
        for (uint i = lid; i < n; i += WG) {
            key[i] = digis[i].y;
            parent[i] = (int)i;
        }
        link_module(key, parent, work, &flag, n, columns);
        barrier(CLK_LOCAL_MEM_FENCE);

        for (uint i = lid; i < n; i += WG) {
            minimum[i] = INT_MAX;
            charge[i] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lid; i < n; i += WG) {
            if (READ(&parent[i]) == DROPPED) continue;
            const int root = FIND(parent, (int)i);
            const uint row = digis[i].x;
            atomic_min(&minimum[root], (int)row);
#if CUT
            atomic_add(&charge[root], adc[row]);
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lid; i < n; i += WG) {
            int label = DROPPED;
            if (READ(&parent[i]) != DROPPED) {
                const int root = FIND(parent, (int)i);
                label = minimum[root] + (int)first_row;
#if CUT
                if (charge[root] < cuts[(first_slot + slot) % cut_count]) label = -3;
#endif
            }
            labels[digis[i].x] = label;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
