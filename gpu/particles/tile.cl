// A work-item sums for ITEMS targets, WG apart; its group loads TILE sources at a time into local memory. The
// terms of a tile are added up first, and tile sums with compensation (Kahan), so that precision does not
// degrade with many sources.
//
// NDRange: dimension 0: targets / ITEMS, rounded up to the group. Group WG. Local memory: TILE sources.
//   POLYNOMIAL  number of the ITEMS exponentials of a source that are polynomials, not the device's function
//   MIXED       1: every term is added with compensation; 2: in double
//   PTX         1: functions of the special function units through PTX (NVIDIA)
//
// out: real parts of `total` targets, then imaginary ones; the range of a launch begins with target `first`.

#ifndef WG
#define WG 128
#endif
#ifndef TILE
#define TILE 128
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef POLYNOMIAL
#define POLYNOMIAL 0
#endif
#ifndef MIXED
#define MIXED 0
#endif
#if MIXED == 2
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SUM double
#else
#define SUM REAL
#endif
#include "gpu/particles/device_functions.cl"
#include "gpu/particles/pair.cl"
#include "gpu/runtime/polynomial.cl"
#include "gpu/particles/targets.cl"
#include "gpu/particles/compensate.cl"

#if VECTORS > 1 || GRADIENT
#include "gpu/particles/tile_several.cl"
#elif MIXED
#include "gpu/particles/tile_mixed.cl"
#else
#include "gpu/particles/tile_sums.cl"
#endif
