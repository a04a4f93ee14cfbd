// Every work-item writes the values of the index-space functions, one row of `ids` per function and
// dimension: get_global_id, get_group_id, get_local_id, get_local_size; then the number of its group, its
// number within the group, and whether get_global_id = get_local_size * get_group_id + get_local_id holds.
// NDRange: 1 to 3 dimensions, x, y, z; group size chosen by the user or the driver; no local memory.

kernel void write_ids(const uint dimensions, global uint* ids) {
    const size_t n = get_global_size(0) * get_global_size(1) * get_global_size(2);
    const size_t item =
        (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    uint holds = 1;
    for (uint d = 0; d < dimensions; ++d) {
        ids[d * n + item] = get_global_id(d);
        ids[(dimensions + d) * n + item] = get_group_id(d);
        ids[(2 * dimensions + d) * n + item] = get_local_id(d);
        ids[(3 * dimensions + d) * n + item] = get_local_size(d);
        if (get_global_id(d) != get_local_size(d) * get_group_id(d) + get_local_id(d)) holds = 0;
    }
    ids[4 * dimensions * n + item] =
        (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    ids[(4 * dimensions + 1) * n + item] =
        (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    ids[(4 * dimensions + 2) * n + item] = holds;
}
