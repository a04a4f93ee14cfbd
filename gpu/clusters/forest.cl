// Union-find without locks: parents only get smaller, so the root of a cluster ends as its smallest member (see
// Jayanti and Tarjan, "A randomized concurrent algorithm for disjoint set union", 2016; links by index instead of at
// random).

#include "gpu/clusters/parents.cl"

/// The root, on the way to which every digi is hung under its grandparent: items that link a long path at once
/// would walk all of it otherwise.
static inline int find_root(volatile SPACE int* parent, int i) {
    for (int next = READ(&parent[i]); next != i;) {
        const int after = READ(&parent[next]);
        if (after != next) atomic_min(&parent[i], after);
        i = next;
        next = after;
    }
    return i;
}
#undef FIND
#define FIND find_root

static inline void unite(volatile SPACE int* parent, int a, int b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    while (a != b) {
        const int high = max(a, b), low = min(a, b), before = atomic_min(&parent[high], low);
        if (before == high) return;
        a = find_root(parent, before);  // another item was faster: its root and ours are one cluster, too
        b = find_root(parent, low);
    }
}
