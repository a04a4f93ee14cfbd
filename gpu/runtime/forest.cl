// Lock-free union-find: parents only get smaller, so the root of a set ends up as its smallest member (see Jayanti and
// Tarjan, "A randomized concurrent algorithm for disjoint set union", 2016; links by index instead of at random).
//
// SPACE NODE parent[]: a root is its own parent. SPACE: local or global; NODE: int or uint.

#include "gpu/runtime/parent_reads.cl"

/// Finds the root and attaches every node on the path to its grandparent: work-items that link a long path at the same
/// time would otherwise walk all of it.
static inline NODE find_root(volatile SPACE NODE* parent, NODE i) {
    for (NODE next = READ(&parent[i]); next != i;) {
        const NODE after = READ(&parent[next]);
        if (after != next) atomic_min(&parent[i], after);
        i = next;
        next = after;
    }
    return i;
}

static inline void unite(volatile SPACE NODE* parent, NODE a, NODE b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    while (a != b) {
        const NODE high = max(a, b), low = min(a, b), before = atomic_min(&parent[high], low);
        if (before == high) return;
        a = find_root(parent, before);  // another work-item was faster: its root and ours are one set, too
        b = find_root(parent, low);
    }
}
