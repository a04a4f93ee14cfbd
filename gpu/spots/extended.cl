// dispersion_extended of counts: what erosion keeps of the pixels that are dispersed or invalid, then the final test.
//   masked_windows   once for a mask: where windows of the grid's rows have ignored pixels
//   keep             bits of the pixels kept (gpu/spots/grid_rows.cl)
//   over_background  of these, the pixels above the mean of their background (gpu/spots/background.cl)

#include "gpu/spots/plane.cl"
#include "gpu/spots/window_test.cl"
#include "gpu/spots/background_test.cl"
#include "gpu/spots/chunks.cl"
#include "gpu/spots/column_sums.cl"
#include "gpu/spots/near_rows.cl"
#include "gpu/spots/masked_windows.cl"
#include "gpu/spots/lane_bits.cl"
#include "gpu/spots/grid_rows.cl"
#include "gpu/spots/background.cl"
