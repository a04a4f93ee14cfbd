#pragma once

#include <optional>
#include <vector>

namespace ks::particles {

/// What a run with N sources and N targets took.
struct Cost {
    double n, seconds;  ///< both above 0
};

/// The time of direct sums at n: between those that were measured on straight lines of log(time) over log(n),
/// above the last one by its N^2. Nothing below the first, or where none was measured.
/// @param direct by ascending n
std::optional<double> direct_seconds(const std::vector<Cost>& direct, double n);

/// Where a treecode becomes faster than direct sums, as far as both were measured.
struct Crossover {
    enum class Kind {
        always,  ///< it was faster at every n from `n` on, the least that both were measured at
        from,    ///< it is faster from `n` on
        never    ///< it was not at `n`, the largest that was measured
    };
    Kind kind;
    double n;
    bool extrapolated;  ///< it follows from times of direct sums that were not measured

    bool operator==(const Crossover&) const = default;
};

/// Nothing without a time of the treecode where one of direct sums is known. Where the order changes more
/// than once, the last change counts.
/// @param direct, treecode by ascending n
std::optional<Crossover> crossover_of(const std::vector<Cost>& direct, const std::vector<Cost>& treecode);

}  // namespace ks::particles
