// dispersion_extended of counts: what erosion keeps of the pixels that are dispersed or invalid, then the final test.
//   masked_windows   once per mask: which windows of the grid's rows have ignored pixels
//   keep             bits of the pixels kept (gpu/spots/extended/grid_rows.cl)
//   over_background  of these, the pixels above the mean of their background (gpu/spots/extended/background.cl)

#include "gpu/spots/lib/plane.cl"
#include "gpu/spots/lib/window_test.cl"
#include "gpu/spots/lib/background_test.cl"
#include "gpu/spots/extended/chunks.cl"
#include "gpu/spots/extended/column_sums.cl"
#include "gpu/spots/extended/near_rows.cl"
#include "gpu/spots/extended/masked_windows.cl"
#include "gpu/spots/extended/lane_bits.cl"
#include "gpu/spots/extended/grid_rows.cl"
#include "gpu/spots/extended/background.cl"
