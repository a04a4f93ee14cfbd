// Step 6: a block of 16 x 16 elements of C per group. Blocks of A and B are staged in local memory, so that each
// element is read from global memory by one work-item and used by 16. Elements beyond the matrices are 0.
// NDRange: dimension 0 is the column, dimension 1 the row of C, both rounded up to groups of 16 x 16; local
// memory: two blocks, 2 KiB.
#define BLOCK 16

kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1))) void multiply(const uint n,
                                                                            global const float* a,
                                                                            global const float* b,
                                                                            global float* c) {
    const size_t column = get_global_id(0), row = get_global_id(1);
    const size_t x = get_local_id(0), y = get_local_id(1);
    local float of_a[BLOCK][BLOCK], of_b[BLOCK][BLOCK];
    float sum = 0;
    for (size_t from = 0; from < n; from += BLOCK) {
        of_a[y][x] = row < n && from + x < n ? a[row * n + from + x] : 0;
        of_b[y][x] = column < n && from + y < n ? b[(from + y) * n + column] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK; ++k) sum += of_a[y][k] * of_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n) c[row * n + column] = sum;
}
