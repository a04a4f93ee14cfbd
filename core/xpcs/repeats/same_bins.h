#pragma once

#include <string>

#include "core/run/result.h"

namespace ks::xpcs {

/// The fact of a result made elsewhere with a hash of the map of its bins.
inline constexpr const char* bins_hash = "bins_hash";

/// Why the bins of another result with as many bins are not those of the first one, as far as both know their
/// pixels
/// ("labels", or bins_hash) and their "q"; empty: they are. Masks may differ: a pixel may be in no bin of one
/// of them. q may differ by a thousandth.
std::string why_other_bins(const Result& first, const Result& other);

/// Whether both results know the q of all their bins, which are as many, it is the same within a thousandth,
/// and nothing says that their pixels are others.
bool has_same_q(const Result& first, const Result& other);

}  // namespace ks::xpcs
