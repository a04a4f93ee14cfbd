// Offers CALL(counter, value): the operation of the kernels' work-items on a counter, one of those below (CALL_add).
// VALUE(g, k) is the value of item g for its call number k, and INITIAL the initial value of a counter. JOIN(counter,
// part), the one of the same name (JOIN_add), merges a group's counter into one that groups share. An exchange is used
// for the value it returns: with KEEPS, CALL and JOIN store it in `was`, which the kernels write to memory.
#ifndef CALL
#define CALL CALL_add
#define JOIN JOIN_add
#endif
#ifndef INITIAL
#define INITIAL 0u
#endif
#ifndef KEEPS
#define KEEPS 0  // 1: xchg
#endif
#ifndef BITS
#define BITS 0  // 1: one bit of the value, 2: all others
#endif

#define CALL_add(counter, value) atomic_add(counter, value)
#define CALL_sub(counter, value) atomic_sub(counter, value)
#define CALL_xchg(counter, value) was = atomic_xchg(counter, value)
#define CALL_inc(counter, value) atomic_inc(counter)
#define CALL_dec(counter, value) atomic_dec(counter)
#define CALL_min(counter, value) atomic_min(counter, value)
#define CALL_max(counter, value) atomic_max(counter, value)
#define CALL_and(counter, value) atomic_and(counter, value)
#define CALL_or(counter, value) atomic_or(counter, value)
#define CALL_xor(counter, value) atomic_xor(counter, value)

// Adds by compare-exchange, which fails if another item came first. The first attempt assumes that none did.
#define CALL_cmpxchg(counter, value)                                     \
    do {                                                                 \
        uint before = INITIAL, found;                                    \
        for (;; before = found) {                                        \
            found = atomic_cmpxchg(counter, before, before + (value));   \
            if (found == before) break;                                  \
        }                                                                \
    } while (0)

// Sets bits by compare-exchange, as the published cluster search does: it reads the word, and leaves it alone
// if the bits are already set. The read is not atomic, which oclgrind reports as a race: the compare-exchange
// detects an outdated word, and bits that are seen were set, since none is ever cleared.
#define CALL_or_by_cmpxchg(counter, value)                               \
    do {                                                                 \
        uint before = *(counter), found;                                 \
        for (; (before | (value)) != before; before = found) {           \
            found = atomic_cmpxchg(counter, before, before | (value));   \
            if (found == before) break;                                  \
        }                                                                \
    } while (0)

#define JOIN_add(counter, part) atomic_add(counter, part)
#define JOIN_sub(counter, part) atomic_add(counter, part)
#define JOIN_inc(counter, part) atomic_add(counter, part)
#define JOIN_dec(counter, part) atomic_add(counter, part)
#define JOIN_xchg CALL_xchg
#define JOIN_cmpxchg CALL_cmpxchg
#define JOIN_min CALL_min
#define JOIN_max CALL_max
#define JOIN_and CALL_and
#define JOIN_or CALL_or
#define JOIN_xor CALL_xor
#define JOIN_or_by_cmpxchg CALL_or_by_cmpxchg

#if KEEPS
#define VALUE(g, k) ((g)*calls + (k) + 1)
#elif BITS == 1
#define VALUE(g, k) (1u << ((own + (k)) % 32))
#elif BITS == 2
#define VALUE(g, k) (~(1u << ((own + (k)) % 32)))
#else
#define VALUE(g, k) (own + (k))
#endif
