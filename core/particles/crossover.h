#pragma once

#include <optional>
#include <vector>

namespace ks::particles {

/// Run time with N sources and N targets.
struct Cost {
    double n, seconds;  ///< both above 0
};

/// The time of direct sums at n: interpolated linearly in log(time) over log(n) between measured times, and
/// extrapolated by N^2 above the last. Empty below the first measurement, or if there are none.
/// @param direct in ascending order of n
std::optional<double> direct_seconds(const std::vector<Cost>& direct, double n);

/// Where a treecode becomes faster than direct sums, within the range measured for both.
struct Crossover {
    enum class Kind {
        always,  ///< faster at every n from `n` on, the smallest n measured for both
        from,    ///< faster from `n` on
        never    ///< not faster at `n`, the largest n measured
    };
    Kind kind;
    double n;
    bool extrapolated;  ///< based on extrapolated times of direct sums

    bool operator==(const Crossover&) const = default;
};

/// Empty if no size of the treecode's measurements has a known time of direct sums. If the order changes more
/// than once, the last change counts.
/// @param direct, treecode in ascending order of n
std::optional<Crossover> crossover_of(const std::vector<Cost>& direct, const std::vector<Cost>& treecode);

}  // namespace ks::particles
