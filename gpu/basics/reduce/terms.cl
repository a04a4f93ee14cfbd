// Shared by the reductions. VALUE is float or uint; OPERATION is 0 (sum), 1 (minimum) or 2 (maximum); NEUTRAL
// is the neutral element; DOT uses the products of x and y as terms, otherwise x alone.
#ifndef VALUE
#define VALUE float
#endif
#ifndef OPERATION
#define OPERATION 0
#endif
#ifndef NEUTRAL
#define NEUTRAL 0
#endif
#ifndef DOT
#define DOT 0
#endif
#if OPERATION == 0
#define JOIN(a, b) ((a) + (b))
#elif OPERATION == 1
#define JOIN(a, b) min(a, b)
#else
#define JOIN(a, b) max(a, b)
#endif
#if DOT
#define TERM(i) (x[i] * y[i])
#else
#define TERM(i) (x[i])
#endif
