#pragma once

#include <cstddef>

#include "core/particles/problem.h"

namespace ks::particles {

/// Parameters that set the difference between a treecode's sums and the exact ones.
struct Accuracy {
    /// Clusters of radii r <= R are separated if their centres are at least r + (2 / theta - 1) R apart: for
    /// equal radii, if the sum of the radii is at most theta times the distance.
    double theta = 0.75;
    double digits = 8;  ///< natural-log digits of the interpolation bound in Resolution
    double cut = 16;    ///< terms of rbf below e^-cut are dropped
    /// Two clusters with at most this number of pairs of Chebyshev points are replaced by these points, even
    /// if the clusters have fewer pairs of points. For measuring errors.
    std::size_t pairs_anyway = 0;
};

/// From the table of measured errors, for the tolerance of the settings: accuracy.cpp. Throws
/// ks::Error(input) if the precision cannot reach it.
Accuracy accuracy_of(const SumSettings& settings);

}  // namespace ks::particles
