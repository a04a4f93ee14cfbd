// One work-item traverses the whole vector. A launch takes the elements from `first` to before `last`;
// from the second launch on, the sum continues from the last one. NDRange:
// one work-item; no local memory.

kernel void scan(const ulong first, const ulong last, global const uint* x, global uint* c) {
    uint sum = first == 0 ? 0 : c[first - 1];
    for (ulong i = first; i < last; ++i) {
        sum += x[i];
        c[i] = sum;
    }
}
