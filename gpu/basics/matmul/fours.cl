// Offers four() and put_four(): 4 neighbours in a row of a matrix of n x n floats, from a column that is a
// multiple of 4. Elements beyond the matrix read as 0 and are not written.
//   EDGES   0: n is a multiple of every tile, so that nothing lies beyond; 1: n is a multiple of 4; 2: n is any
#ifndef EDGES
#define EDGES 2
#endif

static inline float4 four(global const float* matrix, const uint row, const uint column, const uint n) {
    global const float* at = matrix + (size_t)row * n + column;
#if EDGES == 0
    return *(global const float4*)at;
#elif EDGES == 1
    if (row < n && column < n) return *(global const float4*)at;
    return 0;
#else
    float4 some = 0;
    if (row >= n || column >= n) return some;
    some.x = at[0];
    if (column + 1 < n) some.y = at[1];
    if (column + 2 < n) some.z = at[2];
    if (column + 3 < n) some.w = at[3];
    return some;
#endif
}

static inline void put_four(global float* matrix, const uint row, const uint column, const uint n,
                            const float4 some) {
    global float* at = matrix + (size_t)row * n + column;
#if EDGES == 0
    *(global float4*)at = some;
#elif EDGES == 1
    if (row < n && column < n) *(global float4*)at = some;
#else
    if (row >= n || column >= n) return;
    at[0] = some.x;
    if (column + 1 < n) at[1] = some.y;
    if (column + 2 < n) at[2] = some.z;
    if (column + 3 < n) at[3] = some.w;
#endif
}
