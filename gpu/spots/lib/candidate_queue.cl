// Decides candidates that are sparse in a plane of bits: a group takes a block of words, gathers their candidates in
// local memory and decides them in parallel, so that no work-item waits for the few that found one. A full queue is
// emptied and filled again, so any number of candidates is handled. The loop is tested at its end:
// quirk conditions_once_per_group.
//
// NDRange: dimension 0: WG work-items per block of WG * WORDS words. Group WG. Local memory: a block of words, QUEUE
// numbers.
//
// Define before: DECIDE(module, y, x), true if the candidate is signal.

#ifndef WG
#define WG 128
#endif
#ifndef WORDS
#define WORDS 4
#endif
#ifndef QUEUE
#define QUEUE 1024
#endif
#define BLOCK (WG * WORDS)

#define EACH_CANDIDATE(from, to, shape, word_count)                                                     \
    local uint found[BLOCK];                                                                            \
    local uint queue[QUEUE];                                                                            \
    local uint queued;                                                                                  \
    const uint lid = get_local_id(0), first = get_group_id(0) * BLOCK;                                  \
    uint at = lid, left = 0;                                                                            \
    for (uint i = lid; i < BLOCK; i += WG) found[i] = 0;                                                \
    if (first + at < word_count) left = from[first + at];                                               \
    bool again;                                                                                         \
    do {                                                                                                \
        if (lid == 0) queued = 0;                                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        while (at < BLOCK) {                                                                            \
            if (left == 0) {                                                                            \
                at += WG;                                                                               \
                left = at < BLOCK && first + at < word_count ? from[first + at] : 0;                    \
                continue;                                                                               \
            }                                                                                           \
            const uint place = atomic_inc(&queued);                                                     \
            if (place >= QUEUE) break;                                                                  \
            const uint bit = 31 - clz(left);                                                            \
            left &= ~(1u << bit);                                                                       \
            queue[place] = at * 32 + bit;                                                               \
        }                                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        again = queued > QUEUE;                                                                         \
        const uint number = min(queued, (uint)QUEUE);                                                   \
        for (uint i = lid; i < number; i += WG) {                                                       \
            const uint word = first + queue[i] / 32, bit = queue[i] % 32, row = word / WORDS_OF(shape); \
            if (DECIDE(row / HEIGHT_OF(shape), row % HEIGHT_OF(shape),                                  \
                       word % WORDS_OF(shape) * 32 + bit))                                              \
                atomic_or(&found[queue[i] / 32], 1u << bit);                                            \
        }                                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
    } while (again);                                                                                    \
    for (uint i = lid; i < BLOCK && first + i < word_count; i += WG) to[first + i] = found[i]
