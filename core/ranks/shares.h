#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/run/analysis.h"

namespace ks {

/// Units [first, end) of a run, which one rank computes.
struct Share {
    std::size_t first = 0, end = 0;
    double work = 0;  ///< of all: 0 to 1

    bool is_empty() const { return first == end; }
};

/// Cuts units into `count` consecutive shares of work that is as even as whole units allow: a border is where
/// the sum of the work before it is nearest to its part of all. Shares may be empty, and the first one has a
/// unit unless there is none.
/// @param work of each unit, not negative
std::vector<Share> even_shares(std::span<const double> work, std::size_t count);

/// The same of the units of a problem; borders are at its multiples.
std::vector<Share> even_shares(const ShareUnits& units, std::size_t count);

}  // namespace ks
