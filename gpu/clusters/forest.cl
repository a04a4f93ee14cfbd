// Union-find without locks: SPACE int parent[]; a root is its own parent, and parents only get smaller, so the
// root of a cluster ends as its smallest member (see Jayanti and Tarjan, "A randomized concurrent algorithm for
// disjoint set union", 2016; links by index instead of at random).
//
// SPACE: local or global. ATOMIC_READS 1: parents are read by atomics as well, for tools that report races.

#ifndef ATOMIC_READS
#define ATOMIC_READS 0
#endif
#if ATOMIC_READS
#define READ(p) atomic_or((p), 0)
#else
#define READ(p) (*(p))
#endif
#define DROPPED (-2)  // instead of a parent: shares its pixel

static inline int root_of(volatile SPACE int* parent, int i) {
    for (int next = READ(&parent[i]); next != i; next = READ(&parent[i])) i = next;
    return i;
}

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
