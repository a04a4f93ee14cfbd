// Decides candidates without double precision. Sums and left sides are integers of 64 and 128 bits; the right
// sides, whose roundings the definition fixes, are doubles made of integers (gpu/spots/lib/soft_double.cl), root
// included. So every tie comes out as it does with doubles.
//
// NDRange and local memory: gpu/spots/lib/candidate_queue.cl.

#define SOFT 1
#include "gpu/spots/sliding/decide.cl"
