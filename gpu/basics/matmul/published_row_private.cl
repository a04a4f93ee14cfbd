// Step 4 as published: one row of C per work-item, with its row of A in a private array of 1024 elements
// whatever the size. The published kernel writes and reads past the array if rows are longer, which may crash
// the program; here it stops at the end of the array, so the remaining products are missing.
// NDRange: dimension 0 is the row; group size of the driver; no local memory.
#define KEPT 1024

kernel void multiply(const int n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0);
    float row[KEPT];
    const int count = min(n, KEPT);
    for (int k = 0; k < count; ++k) row[k] = a[i * n + k];
    for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int k = 0; k < count; ++k) sum += row[k] * b[k * (size_t)n + j];
        c[i * n + j] = sum;
    }
}
