#pragma once

#include "core/run/run.h"
#include "core/run/verdict.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Compares "g2", "g2_err" and "two_time" of a run with exact sums on the host: about 200 values of random
/// bins and delays in a plain loop (sample), or all of them with host.reference (full). NaN must be at the
/// same positions. Relative tolerances: 1e-6, for g2_err 1e-5, or those of the variant. Every computation of
/// g2_err ends with a difference of nearly equal terms, so it may also differ by the effect of terms within
/// the tolerance of g2. The place of the verdict is "bin" and "delay", or for a map "frame_1" and "frame_2"
/// instead of the delay.
Verdict check_correlation(const CorrelationProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress);

}  // namespace ks::xpcs
