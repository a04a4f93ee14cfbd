// Rung 4 as published: a row of C a work-item, with its row of A in a private array of 1024 elements whatever the
// size. The published kernel writes and reads beyond the array where rows are longer, which may end the program; here
// it stops at its end, so that the products beyond are missing.
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
