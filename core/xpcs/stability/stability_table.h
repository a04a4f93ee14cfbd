#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/parameter_spec.h"
#include "core/run/run.h"
#include "core/xpcs/problem.h"
#include "core/xpcs/stability/stability.h"

namespace ks::xpcs {

/// If the request of the run asks for segments: adds datasets stability_* and the fact "stability" to its
/// result, and a stage to its timings.
void add_stability(const CorrelationProblem& problem, Run& run, Progress& progress);

/// The test of each bin as a table; empty for a run without segments.
std::string stability_text(const Run& run);
/// Why a run with these parameters has no segments; empty: it has them.
std::string why_no_stability(const ParameterSet& parameters);
/// Lines of bin,segment,first_frame,last_frame,delay,g2,g2_err,p,change_frame, with that header: p is that of
/// the bin, and change_frame is empty if no change was found. Bins without pixels have no lines.
std::string stability_csv(const std::vector<BinStability>& bins, const Segments& segments);
/// Writes stability_csv(), atomically. Throws ks::Error(run) for a run without segments.
void write_stability_csv(const Run& run, const std::filesystem::path& out, bool overwrite,
                         Progress& progress);

}  // namespace ks::xpcs
