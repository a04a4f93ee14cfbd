// Tile product in plain OpenCL C: each work-item of the group computes blocks of RM x RN rows with explicit vectors of
// VW elements. ACC is wide enough for flush products per lane, then the lanes are added into G_T.

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define ACC_V JOIN(ACC, VW)
#define LOAD JOIN(vload, VW)
#define WIDEN JOIN(convert_, ACC_V)

static inline G_T lanes_sum(ACC_V v) {
    const ACC* lane = (const ACC*)&v;
    G_T sum = 0;
#pragma unroll
    for (uint i = 0; i < VW; ++i) sum += (G_T)lane[i];
    return sum;
}

static void tile_product(global const ELEM* a, global const ELEM* b, const uint row, const uint flush,
                         const bool diagonal, local G_T* g) {
    for (uint block = get_local_id(0); block < (TILE / RM) * (TILE / RN); block += WG) {
        const uint i = block / (TILE / RN) * RM, j = block % (TILE / RN) * RN;
        if (diagonal && j + RN <= i) continue;
        global const ELEM* ra = a + (size_t)i * row;
        global const ELEM* rb = b + (size_t)j * row;
        G_T total[RM][RN] = {};
        for (uint k = 0; k < row;) {
            ACC_V acc[RM][RN] = {};
            const uint stop = (uint)min((ulong)row, k + (ulong)flush * VW);
            for (; k < stop; k += VW) {
                ACC_V vb[RN];
#pragma unroll
                for (uint n = 0; n < RN; ++n) vb[n] = WIDEN(LOAD(0, rb + (size_t)n * row + k));
#pragma unroll
                for (uint m = 0; m < RM; ++m) {
                    const ACC_V va = WIDEN(LOAD(0, ra + (size_t)m * row + k));
#pragma unroll
                    for (uint n = 0; n < RN; ++n) acc[m][n] += va * vb[n];
                }
            }
#pragma unroll
            for (uint m = 0; m < RM; ++m)
#pragma unroll
                for (uint n = 0; n < RN; ++n) total[m][n] += lanes_sum(acc[m][n]);
        }
#pragma unroll
        for (uint m = 0; m < RM; ++m)
#pragma unroll
            for (uint n = 0; n < RN; ++n) g[(i + m) * TILE + j + n] = total[m][n];
    }
}
