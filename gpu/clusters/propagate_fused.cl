// The published label propagation in one launch and in local memory: digis are sorted by column, each keeps a
// list of its later neighbours, then labels are spread and followed alternately until nothing changes.
//
// work: [0, CAP) digis before each bin of columns (y >> shift; fewer than CAP bins); [CAP, 2 * CAP) digis by bins.
// Lists are bounded: of digis at one pixel only the first found is listed, and these list each other in turn.

#define SPACE local
#include "gpu/clusters/parents.cl"

#define PLACES ((CAP + WG - 1) / WG)
#define LISTED_MOST 9  // 5 if a bin is one column; columns of one bin are in any order
#define NONE 0xffff

/// bins[i] becomes the sum of bins 0 to i.
static inline void sum_bins(local uint* bins, const uint last) {
    const uint lid = get_local_id(0);
    for (uint step = 1; step <= last; step *= 2) {
        uint carried[PLACES];
        for (uint i = lid, k = 0; i <= last; i += WG, ++k) carried[k] = i >= step ? bins[i - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lid, k = 0; i <= last; i += WG, ++k) bins[i] += carried[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/// Fills the list of the digi at position p; true if another digi shares its pixel and these are dropped.
static inline bool list_neighbours(local const uint* key, local const uint* bins, local const uint* order,
                                   const uint p, const uint shift, const uint last, ushort* near) {
    const uint at = key[order[p]], x = at & 0xffff, y = at >> 16;
    const uint end = bins[min(((y + 1) >> shift) + 1, last)];
    uint found = 0, seen = 0;
    bool shares = false;
    for (uint q = DROP ? bins[y >> shift] : p + 1; q < end; ++q) {
        const uint other = key[order[q]], dx = (other & 0xffff) + 1 - x, dy = (other >> 16) + 1 - y;
        if (q == p || dx > 2 || dy > 2) continue;
        if (DROP && dx == 1 && dy == 1) {
            shares = true;
            continue;
        }
        const uint pixel = 1u << (3 * dy + dx);
        const bool touches = CONNECTIVITY == 8 ? true : dx == 1 || dy == 1;
        if (q < p || !touches || (seen & pixel) != 0) continue;
        seen |= pixel;
        if (found < LISTED_MOST) near[found++] = (ushort)order[q];
    }
    for (; found < LISTED_MOST; ++found) near[found] = NONE;
    return shares;
}

static inline void spread_and_follow(local int* label, local const uint* order, ushort near[PLACES][LISTED_MOST],
                                     local uint* more, const uint n) {
    const uint lid = get_local_id(0);
    for (uint again = 1; again != 0;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0) *more = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        bool changed = false;
        for (uint p = lid, k = 0; p < n; p += WG, ++k) {
            const uint i = order[p];
            if (READ(&label[i]) == DROPPED) continue;
            for (uint e = 0; e < LISTED_MOST && near[k][e] != NONE; ++e) {
                const int own = READ(&label[i]);
                if (READ(&label[near[k][e]]) == DROPPED) continue;
                const int before = atomic_min(&label[near[k][e]], own);
                if (before == own) continue;
                changed = true;
                atomic_min(&label[i], before);
            }
        }
        if (changed) atomic_or(more, 1u);
        barrier(CLK_LOCAL_MEM_FENCE);
        again = *more;
        for (uint p = lid; again != 0 && p < n; p += WG) {
            const int own = READ(&label[order[p]]);
            if (own != DROPPED) atomic_min(&label[order[p]], root_of(label, own));
        }
    }
}

static inline void link_module(local const uint* key, local int* parent, local uint* work, local uint* flag,
                               const uint n, const uint columns) {
    uint shift = 0;
    while (((columns - 1) >> shift) + 1 >= CAP) ++shift;
    const uint last = ((columns - 1) >> shift) + 1;  // one after the last bin
    local uint* const bins = work;
    local uint* const order = work + CAP;
    const uint lid = get_local_id(0);
    for (uint i = lid; i <= last; i += WG) bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < n; i += WG) atomic_inc(&bins[key[i] >> (16 + shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum_bins(bins, last);
    // bins[b] is the end of bin b; after filling from there it is its start, the end of the previous one
    for (uint i = lid; i < n; i += WG) order[atomic_dec(&bins[key[i] >> (16 + shift)]) - 1] = i;
    barrier(CLK_LOCAL_MEM_FENCE);

    ushort near[PLACES][LISTED_MOST];
    for (uint p = lid, k = 0; p < n; p += WG, ++k)
        if (list_neighbours(key, bins, order, p, shift, last, near[k])) parent[order[p]] = DROPPED;
    spread_and_follow(parent, order, near, flag, n);
}

#include "gpu/clusters/module_kernel.cl"
