// Step 4: one row of C per work-item, which keeps its row of A in private memory: STRIP elements of it at a
// time, so that rows of any length fit. From the second strip on, sums continue from C.
// NDRange: dimension 0 is the row, rounded up to groups of WG; no local memory. A launch covers the columns
// from `first` to before `last`.
#ifndef STRIP
#define STRIP 1024
#endif

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c,
                     const uint first, const uint last) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
    float row[STRIP];
    for (size_t from = 0; from < n; from += STRIP) {
        const size_t count = min((size_t)STRIP, n - from);
        for (size_t k = 0; k < count; ++k) row[k] = a[i * n + from + k];
        for (size_t j = first; j < last; ++j) {
            float sum = from == 0 ? 0 : c[i * n + j];
            for (size_t k = 0; k < count; ++k) sum += row[k] * b[(from + k) * n + j];
            c[i * n + j] = sum;
        }
    }
}
