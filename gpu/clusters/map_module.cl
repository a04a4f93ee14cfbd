// One module on a map of its pixels, by one item: digis are written into the map, each is attached to the
// root of the first digi next to it, trees that still touch are united, and the map is cleared again.
//
// PLACE: ushort or uint, index + 1 in the module, 0: no digi. pitch: pixels from one column of the map to the
// next, one more than a column has: before the first and after the last pixel of a column there is an empty
// one, as well as an empty column before the first and after the last.

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define PLACE4 JOIN(PLACE, 4)

static inline uint root_of(global uint* parent, uint i) {
    while (parent[i] != i) i = parent[i];
    return i;
}

/// Writes a module's digis into the map: at each pixel the first one. True if pixels are shared.
static inline bool put(global const uint2* digis, const uint n, global PLACE* map) {
    uint shared = 0;
    for (uint i = 0; i < n; ++i) {
        const PLACE there = map[digis[i].y];
        shared |= there;
        map[digis[i].y] = there == 0 ? (PLACE)(i + 1) : there;
    }
    return shared != 0;
}

/// Removes the digis of shared pixels from the map; their parent becomes n.
static void drop_shared(global const uint2* digis, const uint n, global PLACE* map, global uint* parent) {
    for (uint i = 0; i < n; ++i) parent[i] = 0;
    for (uint i = 0; i < n; ++i) {
        const uint first = map[digis[i].y] - 1u;
        if (first != i) parent[i] = parent[first] = n;
    }
    for (uint i = 0; i < n; ++i)
        if (parent[i] == n) map[digis[i].y] = 0;
}

/// The smallest index among the digi at a position and those that touch it; the largest number: there is none.
static inline PLACE first_near(global const PLACE* at, const uint pitch) {
    const PLACE none = (PLACE)-1;
#if CONNECTIVITY == 8
    const PLACE4 beside = (PLACE4)(0, 0, 0, none);
#else
    const PLACE4 beside = (PLACE4)(none, 0, none, none);
#endif
    const PLACE4 own = (vload4(0, at - 1) - (PLACE)1) | (PLACE4)(0, 0, 0, none);
    const PLACE4 before = (vload4(0, at - 1 - pitch) - (PLACE)1) | beside;
    const PLACE4 after = (vload4(0, at - 1 + pitch) - (PLACE)1) | beside;
    const PLACE4 minimum = min(own, min(before, after));
    return min(min(minimum.x, minimum.y), min(minimum.z, minimum.w));
}

/// Unites the tree of digi i with that of the digi at a neighbouring position.
static inline void unite(global uint* parent, const uint i, const PLACE there) {
    if (there == 0) return;
    const uint one = root_of(parent, i), other = root_of(parent, there - 1u);
    parent[max(one, other)] = min(one, other);
}

/// Attaches every digi to the root of the first one next to it, when all previous ones have theirs; then trees that
/// still touch are united. Both are mostly branch-free: within clusters branches would be mispredicted.
static inline void make_trees(global const uint2* digis, const uint n, const bool drops, const uint pitch,
                              global const PLACE* map, global uint* parent) {
    for (uint i = 0; i < n; ++i) {
        const uint first = first_near(map + digis[i].y, pitch);
        if (drops && parent[i] == n) continue;
        parent[i] = first < i ? parent[first] : i;
    }
    bool united = false;
    for (uint i = 0; i < n; ++i) {
        global const PLACE* const at = map + digis[i].y;
        const uint own = parent[i];
        const PLACE down = at[1], beside = at[pitch];
#define DIFFERS(there) ((there != 0) & (parent[max((uint)there, 1u) - 1] != own))
        uint differs = DIFFERS(down) | DIFFERS(beside);
#if CONNECTIVITY == 8
        const PLACE left = at[pitch - 1], right = at[pitch + 1];
        differs |= DIFFERS(left) | DIFFERS(right);
#endif
        if (differs == 0 || own == n) continue;
        united = true;
        unite(parent, i, down);
        unite(parent, i, beside);
#if CONNECTIVITY == 8
        unite(parent, i, left);
        unite(parent, i, right);
#endif
    }
    for (uint i = 0; united && i < n; ++i)  // parents come first
        if (parent[i] != n) parent[i] = parent[parent[i]];
}

static void cluster_module(global const uint2* digis, const uint n, const uint pitch, global PLACE* map,
                           global uint* parent, global ulong* charge, global const uint* adc, const uint cut,
                           const uint first_row, global int* labels) {
    const bool drops = put(digis, n, map) && DROP;
    if (drops) drop_shared(digis, n, map, parent);
    make_trees(digis, n, drops, pitch, map, parent);
#if CUT
    for (uint i = 0; i < n; ++i) charge[i] = 0;
    for (uint i = 0; i < n; ++i)
        if (parent[i] != n) charge[parent[i]] += adc[digis[i].x];
#endif
    for (uint i = 0; i < n; ++i) {
        map[digis[i].y] = 0;
        const uint root = parent[i];
        int label = DROPPED;
        if (!drops || root != n) {
            label = (int)(digis[root].x + first_row);
#if CUT
            if (charge[root] < cut) label = -3;
#endif
        }
        labels[digis[i].x] = label;
    }
}
