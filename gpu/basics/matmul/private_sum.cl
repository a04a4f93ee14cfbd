// Step 2: one element of C per work-item, summed in a private variable and written once.
// NDRange: dimension 0 is the row, dimension 1 the column of C; group size of the driver; no local memory.

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    for (size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}
