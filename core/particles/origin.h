#pragma once

#include "core/particles/problem.h"

namespace ks::particles {

/// Origin and scale of a problem's coordinates.
struct Origin {
    Place centre;
    double reach;  ///< the length by which coordinates are scaled
    /// Error of sums in f32, relative to their terms, caused by rounding the coordinates: the largest over a
    /// sample of targets and sources.
    double loss;
};

/// The problem's own centre and reach, unless single precision loses more than a tenth of `acceptable_loss`
/// there, for example because one point is very far from all others. In that case the best of other centres:
/// the median of the targets, and some of the targets themselves. The reach is then the median distance of
/// the points from that centre.
Origin local_origin(const SumProblem& problem);

}  // namespace ks::particles
