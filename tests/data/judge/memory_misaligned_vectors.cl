#define MENDED 0
// An element of C per work-item, by fours of a row of A. Rows begin at a multiple of 16 bytes where 4 divides n, and
// nowhere else.
// NDRange: dimension 0 is the row, dimension 1 the column of C; group size of the driver; no local memory.

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), j = get_global_id(1);
    global const float* const row = a + i * n;
    float sum = 0;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
#if MENDED
        const float4 four = vload4(0, row + k);
#else
        const float4 four = *(global const float4*)(row + k);  // named: accesses
#endif
        sum += dot(four, (float4)(b[k * n + j], b[(k + 1) * n + j], b[(k + 2) * n + j], b[(k + 3) * n + j]));
    }
    for (; k < n; ++k) sum += row[k] * b[k * n + j];
    c[i * n + j] = sum;
}
