// Step 5: as step 4, but the work-items of a group, each with its own row, share the column of B that they
// all need: they copy it to local memory together, STRIP elements at a time. Items beyond the last row copy
// and wait like the others.
// NDRange: dimension 0 is the row, rounded up to groups of WG; local memory: STRIP floats. A launch covers the
// columns from `first` to before `last`.
#ifndef STRIP
#define STRIP 256
#endif

kernel void multiply(const uint n, global const float* a, global const float* b, global float* c,
                     const uint first, const uint last) {
    const size_t i = get_global_id(0), item = get_local_id(0), items = get_local_size(0);
    float row[STRIP];
    local float column[STRIP];
    for (size_t from = 0; from < n; from += STRIP) {
        const size_t count = min((size_t)STRIP, n - from);
        if (i < n)
            for (size_t k = 0; k < count; ++k) row[k] = a[i * n + from + k];
        for (size_t j = first; j < last; ++j) {
            for (size_t k = item; k < count; k += items) column[k] = b[(from + k) * n + j];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i < n) {
                float sum = from == 0 ? 0 : c[i * n + j];
                for (size_t k = 0; k < count; ++k) sum += row[k] * column[k];
                c[i * n + j] = sum;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}
