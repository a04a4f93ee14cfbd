#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/spots/problem.h"

namespace ks::gpu::spots {

/// The `table` argument of all kernels that test windows: see gpu/spots/lib/window_test.cl.
std::vector<std::uint64_t> test_table(const ks::spots::SpotProblem& problem);

/// SRC, KIND, KX, KY, MIN_LOCAL, GAIN and LIMIT of gpu/spots/lib/window_test.cl.
std::map<std::string, std::string> common_defines(const ks::spots::SpotProblem& problem);

/// Defines of gpu/spots/lib/large_counts.cl, which tests counts that are too large for the sums of
/// `dispersion`; nothing if there are no such counts.
std::optional<std::map<std::string, std::string>> large_count_defines(const ks::spots::SpotProblem& problem);

/// For whole counts, as a value of the type SRC: the smallest value that is not a valid count, or is at the
/// limit.
std::uint64_t end_of_counts(const ks::spots::SpotProblem& problem);

/// For whole counts, as values of the type SRC: the saturated ones; first > last if there are none.
struct CountRange {
    std::uint64_t first, last;
};
CountRange saturated_counts(const ks::spots::SpotProblem& problem);

}  // namespace ks::gpu::spots
