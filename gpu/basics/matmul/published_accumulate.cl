// Step 1 as published: one element of C per work-item, which adds its products to C. Nothing sets C to 0, so
// a second launch adds the product again.
// NDRange: dimension 0 is the row, dimension 1 the column of C; group size of the driver; no local memory.

kernel void multiply(const int n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), j = get_global_id(1);
    for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * (size_t)n + j];
}
