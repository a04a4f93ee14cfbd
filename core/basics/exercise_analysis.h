#pragma once

#include <utility>

#include "core/basics/exercise.h"
#include "core/record/result_file.h"
#include "core/record/run_record.h"
#include "core/run/analysis.h"

namespace ks::basics {

/// An exercise and its place in the lecture, which is the order in lists.
struct Exercise {
    int place;
    Analysis analysis;
};

/// Completes an analysis of the group with what all exercises share: benchmarks take every parameter, a full
/// check compares with host.reference, and runs are saved in the general layout.
inline Analysis exercise(AnalysisFunctions functions) {
    functions.info.group = group;
    functions.info.benchmark = functions.info.parameters;
    functions.info.reference = "host.reference";
    functions.save = io::write_result;
    functions.open = io::read_run_record;
    functions.save_csv = io::write_result_table;
    return Analysis(std::move(functions));
}

}  // namespace ks::basics
