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

/// Those of gpu/spots/lib/large_counts.cl, which tests what the sums of `dispersion` do not take; nothing
/// where there are no such counts.
std::optional<std::map<std::string, std::string>> large_count_defines(const ks::spots::SpotProblem& problem);

/// Whole counts as SRC: the first value that is none or at the limit.
std::uint64_t end_of_counts(const ks::spots::SpotProblem& problem);

/// Whole counts as SRC that are saturated; first > last where none are.
struct CountRange {
    std::uint64_t first, last;
};
CountRange saturated_counts(const ks::spots::SpotProblem& problem);

}  // namespace ks::gpu::spots
