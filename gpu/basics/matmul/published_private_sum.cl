// Step 2 as published: the sum is in a private variable, and is added to C at the end. Nothing sets C to 0,
// so a second launch adds the product again.
// NDRange: dimension 0 is the row, dimension 1 the column of C; group size of the driver; no local memory.

kernel void multiply(const int n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * (size_t)n + j];
    c[i * n + j] += sum;
}
