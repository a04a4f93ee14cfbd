#pragma once

#include <memory>
#include <utility>

#include "core/basics/exercise.h"
#include "core/record/result_file.h"
#include "core/record/run_record.h"
#include "core/run/analysis_parts.h"

namespace ks::basics {

/// Completes an analysis of the group with what all exercises share: benchmarks take every parameter, a full
/// check compares with host.reference, and runs are saved in the general layout.
template <class P>
std::unique_ptr<Analysis> exercise(AnalysisParts<P> parts) {
    parts.info.group = group;
    parts.info.benchmark = parts.info.parameters;
    parts.info.reference = "host.reference";
    parts.save = io::write_result;
    parts.open = io::read_run_record;
    parts.save_csv = io::write_result_table;
    return analysis_of<P>(std::move(parts));
}

}  // namespace ks::basics
