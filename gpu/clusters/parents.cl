// SPACE int parent[]: a root is its own parent, parents only get smaller. Labels that are followed are parents, too.
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

/// FIND: how roots are found by default.
#define FIND root_of

static inline int root_of(volatile SPACE int* parent, int i) {
    for (int next = READ(&parent[i]); next != i; next = READ(&parent[i])) i = next;
    return i;
}
