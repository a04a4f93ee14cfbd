#pragma once

#include <cstddef>

#include "core/particles/problem.h"

namespace ks::particles {

/// What decides how far a treecode's sums are from the definition's.
struct Accuracy {
    /// Clusters of radii r <= R are apart where their centres are at least r + (2 / theta - 1) R from each
    /// other: of equal radii, where the sum of these is at most theta times the distance.
    double theta = 0.75;
    double digits = 8;  ///< natural ones, of the bound of interpolation in Resolution
    double cut = 16;    ///< terms of rbf below e^-cut are left out
    /// Up to so many pairs of Chebyshev points two clusters stand for their points also where the pairs of
    /// these are fewer: to measure errors.
    std::size_t pairs_anyway = 0;
};

/// From the table of measured errors, for the tolerance of the settings: accuracy.cpp. Throws
/// ks::Error(input) where their precision cannot reach it.
Accuracy accuracy_of(const SumSettings& settings);

}  // namespace ks::particles
