// Floats cannot slide: a subtraction does not restore what a large count has rounded away. So the row sums are computed
// anew, in doubles, and the window sums from the row sums kept in registers, in the order that core/spots/thresholds.h
// fixes: x is exact as defined, and the strong test is the final one.

#ifndef V
#define V 4
#endif
#define DEPTH (2 * KY + 1)

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void candidates(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape) {
    const uint x = get_global_id(0) * V, y0 = get_global_id(1) * STRIP, module = get_global_id(2);
    if (x >= WIDTH_OF(shape) || y0 >= HEIGHT_OF(shape)) return;
    const uint rows = min((uint)STRIP, HEIGHT_OF(shape) - y0), pitch = PITCH_OF(shape);
    const size_t first = pixel_at(shape, module, y0, x) - (size_t)KY * pitch;

    double sums[DEPTH][V];
    uint numbers[DEPTH][V];
    for (uint start = 0; start < rows + 2 * KY; start += DEPTH) {
#if DEPTH <= 15
#pragma unroll
#endif
        for (int phase = 0; phase < DEPTH; ++phase) {
            const uint row = start + phase;
            if (row >= rows + 2 * KY) continue;
            const size_t at = first + (size_t)row * pitch;
#pragma unroll
            for (int j = 0; j < V; ++j) {
                double sum = 0;
                uint number = 0;
#pragma unroll
                for (int i = -KX; i <= KX; ++i) {
                    const float p = images[at + j + i];
                    const bool valid = is_valid(p, ignore[at + j + i]);
                    sum += valid ? (double)p : 0.0;
                    number += valid ? 1 : 0;
                }
                sums[phase][j] = sum;
                numbers[phase][j] = number;
            }
            if (row < 2 * KY) continue;
            uint found = 0;
#pragma unroll
            for (int j = 0; j < V; ++j) {
                double sum = 0;
                uint number = 0;
                // from the row that is DEPTH - 1 above this one, downwards
#pragma unroll
                for (int i = 1; i <= DEPTH; ++i) {
                    sum += sums[(phase + i) % DEPTH][j];
                    number += numbers[(phase + i) % DEPTH][j];
                }
                const size_t centre = at - (size_t)KY * pitch + j;
                const float p = images[centre];
                if (is_valid(p, ignore[centre]) && over_threshold(p, table) && is_strong(number, sum, p, table))
                    found |= 1u << j;
            }
            if (found != 0) atomic_or(bits + word_at(shape, module, y0 + row - 2 * KY, x), found << x % 32);
        }
    }
}
