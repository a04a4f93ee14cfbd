#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "app/cli/session.h"
#include "core/base/parameter_value.h"
#include "core/judge/judgement.h"
#include "core/run/request.h"
#include "core/wire/worker.h"

namespace ks::cli {

/// A kernel to judge, on a problem that is made in memory.
struct JudgePlan {
    Request request;             ///< analysis, variant, device, defines, kernel source
    std::string text_hash = {};  ///< XXH3 of the user's kernel file, 16 hexadecimal digits; empty: shipped
    ParameterSet sizes;          ///< of AnalysisInfo::benchmark, all of them
    std::chrono::milliseconds limit{10'000};  ///< for a kernel that says nothing
};

/// Runs the kernel once with a full check, in a worker process that it may end. What the user got wrong
/// (a variant that does not take the problem) is thrown: ks::Error(input), or ks::Error(cancelled).
Attempt attempted(const JudgePlan& plan, bool guarded, Progress& progress);

/// Whether the kernel is clean under the simulator oclgrind: findings "races", "accesses" and "barriers",
/// unknown with the reason where oclgrind is not there, or cannot run the kernel. Throws
/// ks::Error(cancelled).
/// @param kernel_files texts by path, as Engine::kernel_files() has them
std::vector<Finding> simulated(JudgePlan plan, const std::map<std::string, std::string>& kernel_files,
                               Progress& progress);

/// What the worker does for either.
WorkerJob judge_job(Session& session);

}  // namespace ks::cli
