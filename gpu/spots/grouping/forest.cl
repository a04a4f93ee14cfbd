// Signal pixels as nodes of forests: node k is pixel list[1 + k], parents only get smaller, so the root of a set ends
// as its first pixel. A run (signal pixels side by side in a word of bits) enters as its first pixel, under which the
// others hang from the start.
//
// shape = (height, width of a frame, 32-bit words in a row of bits, nodes that there is room for).
// ATOMIC_READS 1: parents are read by atomics as well, for tools that report races.

#ifndef ATOMIC_READS
#define ATOMIC_READS 0
#endif
#if ATOMIC_READS
#define READ(p) atomic_or((p), 0u)
#else
#define READ(p) (*(p))
#endif

/// Pixels of a word from `bit` on without a gap.
static inline uint run_length(const uint word, const uint bit) {
    const uint gaps = ~(word >> bit);
    return gaps == 0 ? 32 : 31 - clz(gaps & -gaps);
}

static inline bool starts_run(const uint word, const uint bit) {
    return bit == 0 || (word >> (bit - 1) & 1) == 0;
}

/// On the way to the root every node is hung under its grandparent: long paths would be walked again and again.
static inline uint find_root(volatile global uint* parent, uint i) {
    for (uint next = READ(&parent[i]); next != i;) {
        const uint after = READ(&parent[next]);
        if (after != next) atomic_min(&parent[i], after);
        i = next;
        next = after;
    }
    return i;
}

static inline void unite(volatile global uint* parent, uint a, uint b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    while (a != b) {
        const uint high = max(a, b), low = min(a, b), before = atomic_min(&parent[high], low);
        if (before == high) return;
        a = find_root(parent, before);  // another item was faster: its root and ours are one set, too
        b = find_root(parent, low);
    }
}
