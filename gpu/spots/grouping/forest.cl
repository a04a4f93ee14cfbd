// Signal pixels as nodes of forests: node k is pixel list[1 + k]; parents only get smaller, so the root of a set ends
// up as its first pixel. A run (adjacent signal pixels in a word of bits) enters as its first pixel, to which the
// others are attached from the start.

#include "gpu/spots/lib/shape.cl"

#define SPACE global
#define NODE uint
#include "gpu/runtime/forest.cl"

/// Pixels of a word from `bit` on without a gap.
static inline uint run_length(const uint word, const uint bit) {
    const uint gaps = ~(word >> bit);
    return gaps == 0 ? 32 : 31 - clz(gaps & -gaps);
}

static inline bool starts_run(const uint word, const uint bit) {
    return bit == 0 || (word >> (bit - 1) & 1) == 0;
}
