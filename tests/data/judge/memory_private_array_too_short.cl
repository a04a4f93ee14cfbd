#define MENDED 0
// An element of C per work-item, as five sums that are added at the end; the array has room for four.
// NDRange: dimension 0 is the row, dimension 1 the column of C; group size of the driver; no local memory.
#define PARTS 5
#if MENDED
#define ROOM PARTS
#else
#define ROOM 4
#endif

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const size_t i = get_global_id(0), j = get_global_id(1);
    float part[ROOM];
    for (uint k = 0; k < PARTS; ++k) part[k] = 0;                                        // named: accesses
    for (uint k = 0; k < n; ++k) part[k % PARTS] += a[i * n + k] * b[(size_t)k * n + j];  // named: accesses
    float sum = 0;
    for (uint k = 0; k < PARTS; ++k) sum += part[k];  // named: accesses
    c[i * n + j] = sum;
}
