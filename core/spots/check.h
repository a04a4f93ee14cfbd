#pragma once

#include "core/base/progress.h"
#include "core/run/run.h"
#include "core/run/verdict.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// full: the signal of every frame bit for bit against the definition, and the table made anew from that.
/// sample: against the definition at some thousand pixels: found signal and what is around it, the largest
/// counts, and pixels anywhere. The verdict names frame (as in the file), x and y of the first difference and
/// how many there are; its place has the same ("frame", "x", "y"). Can be cancelled.
Verdict check_spots(const SpotProblem& problem, const Run& run, CheckMode mode, Progress& progress);

}  // namespace ks::spots
