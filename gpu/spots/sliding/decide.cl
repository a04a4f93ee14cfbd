// Second pass: decides exactly whether a candidate is signal, from its window summed anew. In place: candidate bits
// become signal bits.
//
// NDRange and local memory: gpu/spots/lib/candidate_queue.cl.

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"

static inline bool decided(global const SRC* images, global const uchar* ignore, global const ulong* table,
                           const uint pitch, const size_t at) {
    const sums_t sums = window_sums(images + at, ignore + at, pitch);
    return is_signal(sums, (count_t)images[at], table);
}

#define DECIDE(module, y, x) decided(images, ignore, table, PITCH_OF(shape), pixel_at(shape, module, y, x))
#include "gpu/spots/lib/candidate_queue.cl"

kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void decide(
    global const SRC* images, global const uchar* ignore, global uint* bits, global const ulong* table,
    const uint4 shape, const uint word_count) {
    EACH_CANDIDATE(bits, bits, shape, word_count);
}
