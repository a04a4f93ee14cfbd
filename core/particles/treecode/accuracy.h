#pragma once

#include "core/particles/problem.h"

namespace ks::particles {

/// What decides how far a treecode's sums are from the definition's.
struct Accuracy {
    /// Clusters are apart where the sum of their radii is at most theta times the distance of their centres.
    double theta = 0.75;
    double digits = 8;  ///< natural ones, of the bound of interpolation in Resolution
    double cut = 16;    ///< terms of rbf below e^-cut are left out
    /// Clusters stand for their points also where sums of pairs take less: to measure errors.
    bool even_if_slower = false;
};

/// From the table of measured errors, for the tolerance of the settings: accuracy.cpp. Throws
/// ks::Error(input) where their precision cannot reach it.
Accuracy accuracy_of(const SumSettings& settings);

}  // namespace ks::particles
