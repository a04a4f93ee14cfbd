#pragma once

#include "core/base/progress.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/matmul/matmul.h"

namespace ks::basics {

/// Compares with exact_row(): all rows, or as many as keep the check short. See matmul_tolerance().
Verdict check_matmul(const MatmulProblem& problem, const Run& run, CheckMode mode, Progress& progress);

std::vector<HostRow> matmul_on_host();

}  // namespace ks::basics
