// Several targets a work-item, and the exponentials of some of them as polynomials: special function units
// and the units that multiply and add work side by side. NDRange, local memory and arguments: tile.cl.
#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef POLYNOMIAL
#define POLYNOMIAL 1
#endif
#include "gpu/particles/tile.cl"
