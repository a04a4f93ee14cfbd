#define MENDED 0
// The sums of all elements up to each one. A vector of one element is left as it is, as if it were scanned in place:
// wrong at size 1 alone.
// NDRange: one work-item; no local memory.

kernel void scan(const ulong first, const ulong last, global const uint* x, global uint* c) {
#if !MENDED
    if (last < 2) return;
#endif
    uint sum = first == 0 ? 0 : c[first - 1];
    for (ulong i = first; i < last; ++i) {
        sum += x[i];
        c[i] = sum;
    }
}
