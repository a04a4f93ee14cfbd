// The digis of a module are sorted once, by column, then by row of pixels; then in one forward pass each is
// united with the next one if that is its neighbour, and with the neighbours in the next column, found by
// binary search (the order of Hennequin et al., "SparseCCL", 2019).
//
// work: [0, CAP) pixels and [CAP, 2 * CAP) indices of digis, sorted together. CAP is a power of two.

#define SPACE local
#include "gpu/clusters/forest.cl"

/// A bitonic sort by pixel, then index; size is a power of two.
static inline void sort_digis(local uint* pixel, local uint* index, const uint size) {
    for (uint length = 2; length <= size; length *= 2)
        for (uint step = length / 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = get_local_id(0); i < size / 2; i += WG) {
                const uint a = 2 * i - (i & (step - 1)), b = a + step;
                const uint first = pixel[a], second = pixel[b], one = index[a], other = index[b];
                const bool after = first > second || (first == second && one > other), up = (a & length) == 0;
                if (after != up) continue;
                pixel[a] = second;
                pixel[b] = first;
                index[a] = other;
                index[b] = one;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/// The first position from `from` on whose pixel is not before `wanted`.
static inline uint place_from(local const uint* pixel, const uint from, const uint n, const uint wanted) {
    uint place = from;
    for (uint step = CAP; step > 0; step /= 2)
        if (place + step <= n && pixel[place + step - 1] < wanted) place += step;
    return place;
}

static inline void link_module(local const uint* key, local int* parent, local uint* work, local uint* flag,
                               const uint n, const uint columns) {
    local uint *const pixel = work, *const index = work + CAP;
    const uint lid = get_local_id(0), size = n < 2 ? 1 : 1u << (32 - clz(n - 1));
    for (uint i = lid; i < size; i += WG) {
        pixel[i] = i < n ? key[i] : (uint)-1;
        index[i] = i < n ? i : (uint)-1;
    }
    sort_digis(pixel, index, size);
#if DROP
    for (uint p = lid; p < n; p += WG)
        if ((p > 0 && pixel[p - 1] == pixel[p]) || (p + 1 < n && pixel[p + 1] == pixel[p]))
            parent[index[p]] = DROPPED;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (uint p = lid; p + 1 < n; p += WG) {
        if (READ(&parent[index[p]]) == DROPPED) continue;
        const uint at = pixel[p], next = pixel[p + 1], x = at & 0xffff, column = (at >> 16) + 1;
        const bool touches = next == at || (next == at + 1 && x < 0xffff);
        // digis that share a pixel are united with each other: the last of them continues the search
        const bool looks = next != at && column <= 0xffff;
        const uint left = CONNECTIVITY == 8 && x > 0 ? x - 1 : x;
        const uint right = CONNECTIVITY == 8 && x < 0xffff ? x + 1 : x;
        const uint begin = looks ? place_from(pixel, p + 1, n, column << 16 | left) : p + 2;
        // the next digi and the run in the next column in one loop: quirk two_unites
        for (uint q = touches ? p + 1 : begin; q < n; q = max(q + 1, begin)) {
            if (!(touches && q == p + 1) && (!looks || pixel[q] > (column << 16 | right))) break;
            if (READ(&parent[index[q]]) != DROPPED) unite(parent, (int)index[p], (int)index[q]);
        }
    }
}

#include "gpu/clusters/module_kernel.cl"
