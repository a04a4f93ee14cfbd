#pragma once

#include <cstddef>
#include <vector>

#include "core/xpcs/pairs/bin_pairs.h"

namespace ks::xpcs {

/// The two-time map of a bin in `cells` x `cells` cells, [t1][t2]: means of C over the pairs of different
/// used frames whose times are in a cell; NaN where there are none. With as many cells as frames, it is
/// two_time_of() without the diagonal. @param cells at most the number of frames
std::vector<double> small_two_time_of(const BinPairs& bin, const std::vector<bool>& used, std::size_t cells);

}  // namespace ks::xpcs
