#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ks::xpcs {

/// The place at which a series of vectors is most likely to have got another mean.
struct ChangePoint {
    std::size_t first;  ///< index of the first vector with the other mean
    double t2;          ///< Hotelling's T^2 of the vectors before and from there on
    /// Probability that a series without a change has a place with this T^2 or a larger one.
    double p;
};

/// Correlations of the means of successive segments, [i][j], of a series whose correlation decays as exp(-t /
/// time). @param length of a segment, in the unit of the time
std::vector<double> correlation_of_means(std::size_t segments, double length, double time);

/// The likelihood ratio test of Srivastava and Worsley (1986) for one change of the mean of a series of
/// normal vectors with the same unknown covariance, generalised to known correlations in time. p is found by
/// series of random numbers, which are always the same, and limited by Bonferroni's inequality. Nothing if
/// the vectors are too few (at least their elements + 3), or if they do not scatter.
/// @param vectors all of the same size, finite @param correlation [i][j] of these vectors
std::optional<ChangePoint> strongest_change(const std::vector<std::vector<double>>& vectors,
                                            std::span<const double> correlation);

}  // namespace ks::xpcs
