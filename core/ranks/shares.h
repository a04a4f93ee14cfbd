#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/run/analysis.h"

namespace ks {

/// Units [first, end) of a run, computed by one rank.
struct Share {
    std::size_t first = 0, end = 0;
    double work = 0;  ///< fraction of all work, 0 to 1

    bool is_empty() const { return first == end; }
};

/// Cuts units into `count` consecutive shares whose work is as even as whole units allow: each border is
/// placed where the cumulated work is nearest to its ideal value. Shares may be empty; the first one has a
/// unit unless there is none.
/// @param work per unit, not negative
std::vector<Share> even_shares(std::span<const double> work, std::size_t count);

/// The same for the units of a problem; borders are multiples of ShareUnits::multiple.
std::vector<Share> even_shares(const ShareUnits& units, std::size_t count);

}  // namespace ks
