#pragma once

#include "core/particles/problem.h"

namespace ks::particles {

/// Origin and scale of a problem's coordinates.
struct Origin {
    Place centre;
    double reach;  ///< the length by which coordinates are scaled
    /// Error of sums in f32 that is caused by rounding the coordinates, relative to the terms of the sums:
    /// the largest over a sample of targets and sources.
    double loss;
};

/// The problem's own centre and reach, unless single precision loses more than a tenth of `acceptable_loss`
/// with them, for example because one point is very far from all others. In that case, other centres are
/// tried (the median of the targets, and some of the targets), and the best one is returned. Its reach is the
/// median distance of the points from it.
Origin local_origin(const SumProblem& problem);

}  // namespace ks::particles
