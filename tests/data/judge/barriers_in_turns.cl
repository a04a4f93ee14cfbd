#define MENDED 0
// The sum of a vector of whole numbers: even work-items begin the sum of a pair, then odd ones add to it. Each waits
// in its own turn alone: all come to the barrier equally often, and never in the same turn, so that both halves of a
// pair use its sum at the same time.
// NDRange: dimension 0 is the element, rounded up to groups of WG; local memory: 128 values.

kernel void reduce(const ulong n, global const uint* x, global const uint* y, volatile global uint* out) {
    local uint pairs[128];
    const size_t i = get_global_id(0), item = get_local_id(0);
    const uint own = i < n ? x[i] : 0;
    for (uint turn = 0; turn < 2; ++turn) {
        if (item % 2 == turn) {
            pairs[item / 2] = turn == 0 ? own : pairs[item / 2] + own;  // named: races
#if !MENDED
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
        }
#if MENDED
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (item % 2 == 0) atomic_add(out, pairs[item / 2]);
}
