#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/xpcs/pairs/bin_pairs.h"
#include "core/xpcs/pairs/estimate.h"

namespace ks::xpcs {

/// g2 and its standard error per delay, NaN where undefined.
struct Curve {
    std::vector<double> g2, error;
};

/// How many threads may work, and how the caller is told or stops them.
struct Workers {
    unsigned threads;
    Progress& progress;
};

/// g2 of a bin at delays [0, delays), from pairs of used frames.
/// @param bins the bin, or for Estimator::two_level its static bins that have pixels; all with the same
/// frames, and with at least that many delays
/// @param used [frame]
std::vector<double> g2_of(std::span<const BinPairs> bins, Estimator estimator, const std::vector<bool>& used,
                          std::size_t delays, const Workers& workers);
/// The same with its error over time. Errors over pixels are NaN, except for Estimator::two_level, where the
/// static bins are the groups of pixels.
Curve curve_of(std::span<const BinPairs> bins, const Estimate& estimate, const std::vector<bool>& used,
               std::size_t delays, const Workers& workers);

/// C(t1, t2) = N G / (S S), [t1][t2]; NaN where S is 0, where a frame is not used, and beyond the delays.
std::vector<double> two_time_of(const BinPairs& bin, const std::vector<bool>& used);

/// g2 and its error per delay of `parts` successive parts of the series, [part], each with frames() / parts
/// frames (the rest is left out), to see a sample that changes. Throws ks::Error(input) for fewer frames than
/// parts.
std::vector<Curve> curves_of_parts(const BinPairs& bin, const Estimate& estimate,
                                   const std::vector<bool>& used, std::size_t parts, const Workers& workers);

/// Number of pairs of a block of the bootstrap: four times the integrated correlation time of `series`, but
/// at least the root of the number of its values, and at most a quarter of them (at least 1).
std::size_t block_length(std::span<const double> series);
/// The standard deviation that the mean of `deviations` has if blocks of `length` successive ones are drawn
/// at random, in the limit of infinitely many draws (Kuensch 1989); NaN for fewer than two values.
double bootstrap_error(std::span<const double> deviations, std::size_t length);
/// Standard error of the mean; NaN for fewer than two values.
double standard_error(std::span<const double> values);
/// The error by values without each of n groups: sqrt((n - 1) / n sum (value - mean)^2); NaN for fewer than
/// two.
double jackknife_error(std::span<const double> values);

}  // namespace ks::xpcs
