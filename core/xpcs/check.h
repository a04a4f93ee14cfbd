#pragma once

#include "core/run/run.h"
#include "core/run/verdict.h"
#include "core/xpcs/problem.h"

namespace ks::xpcs {

/// Compares "g2", "g2_err" and "two_time" of a run with exact sums on the host: some 200 values of random
/// bins and delays by a plain loop (sample), or all of them with host.reference (full). NaN must be in the
/// same places. Relative tolerances: 1e-6, for g2_err 1e-5, or what the variant states. The last step of
/// every way to g2_err is a difference of nearly equal terms, so it may also differ by what terms within the
/// tolerance of g2 can make of it. The verdict's place is "bin" and "delay", of a map
/// "frame_1" and "frame_2" in place of the delay.
Verdict check_correlation(const CorrelationProblem& problem, const Run& run, CheckMode mode,
                          Progress& progress);

}  // namespace ks::xpcs
