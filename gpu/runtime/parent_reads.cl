// READ(p): a parent of a forest that other work-items may write to. ATOMIC_READS 1: reads by atomics, for tools that
// report races.

#ifndef ATOMIC_READS
#define ATOMIC_READS 0
#endif
#if ATOMIC_READS
#define READ(p) atomic_or((p), 0)
#else
#define READ(p) (*(p))
#endif
