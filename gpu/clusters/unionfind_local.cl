// Union-find in local memory: digis are entered into a hash table by pixel, each looks for its later
// neighbours and is united with them.
//
// work: the table of 2 * n words, rounded up to a power of two: index of a digi + 1, 0: empty. CAP is a power
// of two.

#define SPACE local
#include "gpu/clusters/forest.cl"
#include "gpu/clusters/half_neighbours.cl"

static inline void link_module(local const uint* key, local int* parent, local uint* work, local uint* flag,
                               const uint n, const uint columns) {
    const uint lid = get_local_id(0), shift = clz(2 * n - 1), mask = (uint)-1 >> shift;
    for (uint i = lid; i <= mask; i += WG) work[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < n; i += WG)
        for (uint h = key[i] * 0x9e3779b1u >> shift;; h = (h + 1) & mask) {
            const uint there = atomic_cmpxchg(&work[h], 0u, i + 1);
            if (there == 0) break;
            if (key[there - 1] != key[i]) continue;
#if DROP
            atomic_xchg(&parent[i], DROPPED);
            atomic_xchg(&parent[there - 1], DROPPED);
#endif
            break;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < n; i += WG) {
        if (READ(&parent[i]) == DROPPED) continue;
        // kept digis at the same pixel are found, too; in one loop: quirk two_unites
        for (uint k = DROP; k <= HALF_NEIGHBOURS; ++k) {
            uint at;
            if (!half_neighbour(key[i], k, &at)) continue;
            for (uint h = at * 0x9e3779b1u >> shift; work[h] != 0; h = (h + 1) & mask) {
                const int other = (int)work[h] - 1;
                if (key[other] != at) continue;
                if (READ(&parent[other]) != DROPPED) unite(parent, (int)i, other);
                break;
            }
        }
    }
}

#include "gpu/clusters/module_kernel.cl"
