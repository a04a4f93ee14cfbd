// Decides candidates without double precision. Sums and left sides are integers of 64 and 128 bits; the right sides,
// whose rounding the definition fixes, are doubles emulated with integers (gpu/spots/lib/soft_double.cl), including the
// root. So every tie gives the same result as with doubles.
//
// NDRange and local memory: gpu/spots/lib/candidate_queue.cl.

#define SOFT 1
#include "gpu/spots/sliding/decide.cl"
