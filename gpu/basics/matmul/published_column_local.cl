// Step 5 as published: a column of B in local memory, and the row of A in a private array of 256 elements
// whatever the size. The published kernel writes and reads past the array if rows are longer, which may crash
// the program; here it stops at the end of the array, so the remaining products are missing.
// NDRange: dimension 0 is the row; group size of the driver; local memory, given by the host: one column, n floats.
#define KEPT 256

kernel void multiply(const int n, global const float* a, global const float* b, global float* c,
                     local float* column) {
    const size_t i = get_global_id(0);
    const int item = get_local_id(0), items = get_local_size(0);
    float row[KEPT];
    const int count = min(n, KEPT);
    for (int k = 0; k < count; ++k) row[k] = a[i * n + k];
    for (int j = 0; j < n; ++j) {
        for (int k = item; k < n; k += items) column[k] = b[k * (size_t)n + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0;
        for (int k = 0; k < count; ++k) sum += row[k] * column[k];
        c[i * n + j] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
