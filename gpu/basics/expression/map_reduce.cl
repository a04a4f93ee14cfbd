// Maps each element to a value and reduces the values. The host inserts the preamble and three functions before
// this text: map_of, reduce_of and neutral_of, made of the fields Map, Reduction and Neutral. If a copy of this
// text defines one of these functions itself, the host does not insert that function.
// NDRange: dimension 0 is the item, groups of WG; item i overall takes elements i, i + items and so on; local
// memory: WG floats. `reduce` is one group, which does the same with the results of the groups.
#define WG 64

// The result of a group, returned to each of its items.
float tree(local float* items, const float own) {
    const size_t l = get_local_id(0);
    items[l] = own;
    for (size_t width = WG / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < width) items[l] = reduce_of(items[l], items[l + width]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return items[0];
}

kernel void map_values(const uint n, global const float* x, global const float* y, global float* mapped,
                       global float* of_groups) {
    local float items[WG];
    float own = neutral_of();
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        const float value = map_of(i, x, y);
        mapped[i] = value;
        own = reduce_of(own, value);
    }
    const float result = tree(items, own);
    if (get_local_id(0) == 0) of_groups[get_group_id(0)] = result;
}

kernel void reduce(const uint groups, global const float* of_groups, global float* reduced) {
    local float items[WG];
    float own = neutral_of();
    for (size_t i = get_local_id(0); i < groups; i += WG) own = reduce_of(own, of_groups[i]);
    const float result = tree(items, own);
    if (get_local_id(0) == 0) *reduced = result;
}
