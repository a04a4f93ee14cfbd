#define MENDED 0
// Blocks of 16 x 16 elements of C. One half of the group copies A, the other one B, and each half has its own
// barrier: all work-items come to one, and not to the same.
// NDRange: dimension 0 is the column, dimension 1 the row of C, rounded up to groups of 16 x 16; local memory: 2 KiB.
#define BLOCK 16

kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1))) void multiply(const uint n,
                                                                            global const float* a,
                                                                            global const float* b,
                                                                            global float* c) {
    const size_t column = get_global_id(0), row = get_global_id(1);
    const size_t x = get_local_id(0), y = get_local_id(1), row_0 = row - y, column_0 = column - x;
    local float of_a[BLOCK][BLOCK], of_b[BLOCK][BLOCK];
    float sum = 0;
    for (size_t from = 0; from < n; from += BLOCK) {
        if (y < BLOCK / 2) {
            for (size_t r = y; r < BLOCK; r += BLOCK / 2)
                of_a[r][x] = row_0 + r < n && from + x < n ? a[(row_0 + r) * n + from + x] : 0;
#if !MENDED
            barrier(CLK_LOCAL_MEM_FENCE);  // named: barriers
#endif
        } else {
            for (size_t k = y - BLOCK / 2; k < BLOCK; k += BLOCK / 2)
                of_b[k][x] = column < n && from + k < n ? b[(from + k) * n + column] : 0;
#if !MENDED
            barrier(CLK_LOCAL_MEM_FENCE);  // named: barriers
#endif
        }
#if MENDED
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (int k = 0; k < BLOCK; ++k) sum += of_a[y][k] * of_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n) c[row * n + column] = sum;
}
