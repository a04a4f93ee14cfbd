// Union-find without locks: parents only get smaller, so the root of a cluster ends as its smallest member (see
// Jayanti and Tarjan, "A randomized concurrent algorithm for disjoint set union", 2016; links by index instead of at
// random).

#include "gpu/clusters/parents.cl"

static inline void unite(volatile SPACE int* parent, int a, int b) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    while (a != b) {
        const int high = max(a, b), low = min(a, b), before = atomic_min(&parent[high], low);
        if (before == high) return;
        a = root_of(parent, before);  // another item was faster: its root and ours are one cluster, too
        b = root_of(parent, low);
    }
}
