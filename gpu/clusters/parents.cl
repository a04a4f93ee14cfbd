// SPACE int parent[]: a root is its own parent, parents only decrease. Labels that are followed are parents, too.
//
// SPACE: local or global.

#include "gpu/runtime/parent_reads.cl"

#define DROPPED (-2)  // instead of a parent: shares its pixel

/// FIND: the default way to find roots.
#define FIND root_of

static inline int root_of(volatile SPACE int* parent, int i) {
    for (int next = READ(&parent[i]); next != i; next = READ(&parent[i])) i = next;
    return i;
}
