// Several targets per work-item, and the exponentials of some of them as polynomials: special function units
// and the multiply-add units work concurrently. NDRange, local memory and arguments: tile.cl.
#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef POLYNOMIAL
#define POLYNOMIAL 1
#endif
#include "gpu/particles/tile.cl"
