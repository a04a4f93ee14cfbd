#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ks::xpcs {

/// Values of a two-time map along a line.
struct MapCut {
    std::vector<double> at, values;  ///< in frames; only where the map has a value
};

/// A two-time map C(t1, t2) of `frames` frames by lag and age, [lag][age], for t1 <= t2: lag = t2 - t1, and
/// age = (t1 + t2) / 2 without the half frame that it has at odd lags. NaN where there are no such frames.
/// @param map [t1][t2]
std::vector<double> by_age_and_lag(std::span<const double> map, std::size_t frames);
/// C at one age, in whole frames, against the lag: a column of by_age_and_lag().
MapCut cut_at_age(std::span<const double> map, std::size_t frames, std::size_t age);
/// C(t, t + lag) against the age t + lag / 2.
MapCut cut_at_lag(std::span<const double> map, std::size_t frames, std::size_t lag);

}  // namespace ks::xpcs
