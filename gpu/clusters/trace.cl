// Steps of the recorded loops (core/clusters/trace/trace.h): `now` holds a copy of `old` before; both by
// rank. Reads and writes are separate, so the steps are reproducible.
//
// spread: labels are minimised over all pairs of neighbours. hang: the greater root of a pair is attached to
// the smaller one. follow: labels, or parents, become their roots.
//
// NDRange: 1 dimension, one item per digi: a position for spread and hang (neighbours [place][width], -1
// ends), a rank for follow.

static inline int root_of(global const int* old, int i) {
    while (old[i] != i) i = old[i];
    return i;
}

kernel void spread(global const int* neighbours, global const int* rank, global const int* old, global int* now,
                   const uint n, const uint width) {
    const uint place = get_global_id(0);
    if (place >= n) return;
    const int a = rank[place];
    for (uint k = 0; k < width && neighbours[place * width + k] >= 0; ++k) {
        const int b = rank[neighbours[place * width + k]];
        atomic_min(&now[a], old[b]);
        atomic_min(&now[b], old[a]);
    }
}

kernel void hang(global const int* neighbours, global const int* rank, global const int* old, global int* now,
                 const uint n, const uint width) {
    const uint place = get_global_id(0);
    if (place >= n) return;
    const int a = root_of(old, rank[place]);
    for (uint k = 0; k < width && neighbours[place * width + k] >= 0; ++k) {
        const int b = root_of(old, rank[neighbours[place * width + k]]);
        atomic_min(&now[max(a, b)], min(a, b));
    }
}

kernel void follow(global const int* old, global int* now, const uint n) {
    const uint i = get_global_id(0);
    if (i < n) now[i] = root_of(old, (int)i);
}
