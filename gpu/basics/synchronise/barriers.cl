// Work-items of a group pass a value to their neighbour twice: through local memory across a barrier with a
// local fence, and through global memory across one with a global fence. Tickets from a counter of the group
// show that all reached the barrier before any one went on.
// NDRange: dimension 0 is the item, groups of the given size; local memory: one value per item of the group.

kernel void hand_over(global const uint* values, global uint* scratch, local uint* shared, global uint* before,
                      global uint* after, global uint* by_local, global uint* by_global) {
    local uint counter;
    const size_t g = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    const size_t next = (l + 1) % size;
    if (l == 0) counter = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    before[g] = atomic_inc(&counter);
    shared[l] = values[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    after[g] = atomic_inc(&counter);
    by_local[g] = shared[next];

    scratch[g] = values[g];
    barrier(CLK_GLOBAL_MEM_FENCE);
    by_global[g] = scratch[g - l + next];
}
