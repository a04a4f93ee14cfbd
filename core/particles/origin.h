#pragma once

#include "core/particles/problem.h"

namespace ks::particles {

/// Where the coordinates of a problem begin.
struct Origin {
    Place centre;
    double reach;  ///< the length by which coordinates are scaled
    /// What sums in f32 may be off by, relative to their terms, because coordinates are rounded: the largest
    /// of some targets, with some of the sources.
    double loss;
};

/// The problem's own centre and reach, unless single precision loses more than a tenth of `acceptable_loss`
/// there, as where one point is very far from all others. Then the best of other centres: the median of the
/// targets, and some of the targets themselves. Its reach is the median distance of the points from it.
Origin local_origin(const SumProblem& problem);

}  // namespace ks::particles
