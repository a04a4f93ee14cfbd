#pragma once

#include "core/base/progress.h"
#include "core/run/run.h"
#include "core/run/verdict.h"
#include "core/spots/problem.h"

namespace ks::spots {

/// full: compares the signal of every frame bit for bit with the definition, and the table with one
/// derived from it. sample: compares with the definition at several thousand pixels: found signal and
/// its surroundings, the largest counts, and random pixels. The verdict names frame (as in the file), x
/// and y of the first difference and the number of differences; its place has the same ("frame", "x",
/// "y"). Can be cancelled.
Verdict check_spots(const SpotProblem& problem, const Run& run, CheckMode mode, Progress& progress);

}  // namespace ks::spots
