// READ(p): a parent of a forest that other items may write to. ATOMIC_READS 1: by atomics as well, for tools that report
// races.

#ifndef ATOMIC_READS
#define ATOMIC_READS 0
#endif
#if ATOMIC_READS
#define READ(p) atomic_or((p), 0)
#else
#define READ(p) (*(p))
#endif
