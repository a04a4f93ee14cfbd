#define MENDED 0
// An element of C per work-item, multiplied by the distance to the first element of C and divided by it: 0 / 0 in
// that element, and right everywhere else.
// NDRange: dimension 0 is the row, dimension 1 the column of C; group size of the driver; no local memory.

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    for (size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
    const float far = (float)(i + j);
#if MENDED
    c[i * n + j] = far > 0 ? sum * far / far : sum;
#else
    c[i * n + j] = sum * far / far;
#endif
}
