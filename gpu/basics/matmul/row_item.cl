// Step 3: one row of C per work-item.
// NDRange: dimension 0 is the row, rounded up to groups of WG; no local memory. A launch covers the columns
// from `first` to before `last`.

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c,
                     const uint first, const uint last) {
    const size_t i = get_global_id(0);
    if (i >= n) return;
    for (size_t j = first; j < last; ++j) {
        float sum = 0;
        for (size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}
