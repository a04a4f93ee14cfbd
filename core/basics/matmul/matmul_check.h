#pragma once

#include "core/base/progress.h"
#include "core/basics/exercise_analysis.h"
#include "core/basics/matmul/matmul.h"

namespace ks::basics {

/// Compares with exact_row(): all rows, or as many as keep the check short. See matmul_tolerance().
Verdict check_matmul(const MatmulProblem& problem, const Run& run, CheckMode mode, Progress& progress);

/// Rows of n elements that are computed between two looks at whether a stop was requested.
std::size_t rows_at_once(std::size_t n);

std::vector<HostRow> matmul_on_host();

}  // namespace ks::basics
