// Step 8 on CPUs, which gain nothing from local memory and barriers: a work-item sums ROWS rows x VECTORS vectors of C
// in registers, with explicit vectors of LANES floats. A and B are first copied to panels that are read sequentially:
// A as panels of ROWS rows [panel][k][row], B as panels of COLUMNS columns [panel][k][column], 0 beyond the matrices.
// DEPTH products at a time: such a piece of a panel of B stays in the L1 cache while PANELS_A panels of A, in the L2
// cache, are streamed past it (K. Goto and R. van de Geijn, ACM Trans. Math. Softw. 34, 12, 2008).
// NDRange of pack_a: dimension 0 is the panel of A; of pack_b: dimension 0 are 16 rows of B; of multiply: dimension 0
// are PANELS_B panels of B, dimension 1 PANELS_A panels of A; groups of one work-item, no local memory.
#ifndef LANES
#define LANES 16
#endif
#ifndef ROWS
#define ROWS 8
#endif
#ifndef VECTORS
#define VECTORS 3
#endif
#ifndef DEPTH
#define DEPTH 256
#endif
#ifndef PANELS_A
#define PANELS_A 32
#endif
#ifndef PANELS_B
#define PANELS_B 8
#endif
#define COLUMNS (LANES * VECTORS)
#define JOINED(a, b) a##b
#define OF_LANES(name, lanes) JOINED(name, lanes)
#define V OF_LANES(float, LANES)
#define load_v OF_LANES(vload, LANES)
#define store_v OF_LANES(vstore, LANES)
#define ALONE __attribute__((reqd_work_group_size(1, 1, 1)))

kernel ALONE void pack_a(const uint n, global const float* a, global float* panels) {
    const size_t row = get_global_id(0) * ROWS;
    global float* to = panels + row * n;
    for (uint k = 0; k < n; ++k)
#pragma unroll
        for (uint i = 0; i < ROWS; ++i) *to++ = row + i < n ? a[(row + i) * n + k] : 0;
}

kernel ALONE void pack_b(const uint n, global const float* b, global float* panels) {
    const size_t first = get_global_id(0) * 16, last = min(first + 16, (size_t)n);
    for (size_t column = 0; column < n; column += COLUMNS) {
        global float* to = panels + column * n + first * COLUMNS;
        for (size_t k = first; k < last; ++k, to += COLUMNS) {
            global const float* from = b + k * n + column;
            if (column + COLUMNS <= n) {
#pragma unroll
                for (uint v = 0; v < VECTORS; ++v) store_v(load_v(v, from), v, to);
            } else {
                for (uint j = 0; j < COLUMNS; ++j) to[j] = column + j < n ? from[j] : 0;
            }
        }
    }
}

// Adds the sums of a block to C, or starts with them; beyond the matrix nothing is written.
static inline void put_block(V sum[ROWS][VECTORS], global float* c, const size_t row, const size_t column,
                             const uint n, const bool begins) {
    const bool inside = row + ROWS <= n && column + COLUMNS <= n;
#pragma unroll
    for (uint i = 0; i < ROWS; ++i) {
        global float* const to = c + (row + i) * n + column;
        if (inside) {
#pragma unroll
            for (uint v = 0; v < VECTORS; ++v)
                store_v(begins ? sum[i][v] : sum[i][v] + load_v(v, to), v, to);
        } else if (row + i < n) {
            float some[COLUMNS];
#pragma unroll
            for (uint v = 0; v < VECTORS; ++v) store_v(sum[i][v], v, some);
            for (uint j = 0; j < COLUMNS && column + j < n; ++j) to[j] = begins ? some[j] : to[j] + some[j];
        }
    }
}

kernel ALONE void multiply(const uint n, global const float* a, global const float* b, global float* c) {
    const size_t first_row = get_global_id(1) * (PANELS_A * ROWS),
                 last_row = min(first_row + PANELS_A * ROWS, (size_t)n),
                 first_column = get_global_id(0) * (PANELS_B * COLUMNS),
                 last_column = min(first_column + PANELS_B * COLUMNS, (size_t)n);
    for (size_t from = 0; from < n; from += DEPTH) {
        const uint depth = min((size_t)DEPTH, n - from);
        for (size_t column = first_column; column < last_column; column += COLUMNS)
            for (size_t row = first_row; row < last_row; row += ROWS) {
                global const float* of_a = a + row * n + from * ROWS;
                global const float* of_b = b + column * n + from * COLUMNS;
                V sum[ROWS][VECTORS];
#pragma unroll
                for (uint i = 0; i < ROWS; ++i)
#pragma unroll
                    for (uint v = 0; v < VECTORS; ++v) sum[i][v] = 0;
                for (uint k = 0; k < depth; ++k, of_a += ROWS, of_b += COLUMNS) {
                    V some[VECTORS];
#pragma unroll
                    for (uint v = 0; v < VECTORS; ++v) some[v] = load_v(v, of_b);
#pragma unroll
                    for (uint i = 0; i < ROWS; ++i)
#pragma unroll
                        for (uint v = 0; v < VECTORS; ++v) sum[i][v] = fma((V)of_a[i], some[v], sum[i][v]);
                }
                put_block(sum, c, row, column, n, from == 0);
            }
    }
}
