#pragma once

#include <cstddef>
#include <vector>

#include "core/run/result.h"
#include "core/xpcs/pairs/bin_pairs.h"

namespace ks::xpcs {

/// The pairs of all bins as datasets of a result, and from them.
struct KeptPairs {
    std::vector<BinPairs> bins;  ///< a bin without pixels has no frames
    std::vector<bool> used;      ///< [frame]; pairs with other frames are 0
};

/// Adds the datasets "pairs" [bin][pair] (u32 if all fit it, else u64; f64 if counts are not whole), in the
/// order of BinPairs::products(), "pair_sums" [bin][frame] (u64 or f64), "pair_pixels" [bin] and "pair_used"
/// [frame].
/// @param delays that each bin with pixels has
void add_pairs(Result& result, KeptPairs kept, std::size_t delays);
/// The pairs of a result, for example of a saved run; nothing if it has none. Throws ks::Error(input) if
/// their shapes do not fit each other.
KeptPairs pairs_in(const Result& result);
/// Counts per pixel of each frame of a bin, from these datasets; NaN for frames that were not used. Empty if
/// the result has none that fit each other, or the bin no pixels.
/// @param bin from 0 on
std::vector<double> kept_counts(const Result& result, std::size_t bin);

}  // namespace ks::xpcs
