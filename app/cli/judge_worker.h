#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/session.h"
#include "app/cli/worker_process.h"
#include "core/base/parameter_value.h"
#include "core/io/files/temporary_folder.h"
#include "core/judge/judged_run.h"
#include "core/judge/judgement.h"
#include "core/run/request.h"
#include "core/wire/worker.h"

namespace ks::cli {

/// A kernel to judge, on problems that are made in memory.
struct JudgePlan {
    Request request;             ///< analysis, variant, device, defines, kernel source
    std::string text_hash = {};  ///< XXH3 of the user's kernel file, 16 hexadecimal digits; empty: shipped
    std::chrono::milliseconds limit{10'000};             ///< for a kernel that says nothing
    std::chrono::milliseconds simulation_limit{60'000};  ///< for all simulations together
};

/// Runs a kernel on its device with a full check, in a worker process that it may end.
class DeviceJudge {
  public:
    DeviceJudge(const JudgePlan& plan, Progress& progress) : plan_(plan), worker_(progress) {}
    /// What the user got wrong (a variant that does not take the problem) is thrown: ks::Error(input), or
    /// ks::Error(cancelled).
    Attempt attempted(const JudgedRun& run, bool guarded);

  private:
    const JudgePlan& plan_;
    WorkerProcess worker_;
};

/// Runs a kernel under the simulator oclgrind.
class Simulator {
  public:
    /// @param builds of runs on the device: where lines come from
    /// @param kernel_files texts by path, as Engine::kernel_files() has them
    Simulator(const JudgePlan& plan, std::vector<BuildLog> builds,
              const std::map<std::string, std::string>& kernel_files, Progress& progress);
    ~Simulator();
    /// Sets the run's groups, and its findings "values", "races", "accesses", "uninitialised" and "barriers":
    /// not known with the reason where oclgrind is not there, cannot run the kernel, or did not come to the
    /// end of it. Throws ks::Error(cancelled).
    void judge(JudgedRun& run);

  private:
    struct Outcome;
    Outcome simulated(const JudgedRun& run);
    void start(bool uninitialised);
    /// What was logged since the last call.
    std::string logged();

    const JudgePlan& plan_;
    std::vector<BuildLog> builds_;
    const std::map<std::string, std::string>& kernel_files_;
    Progress& progress_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    io::TemporaryFolder folder_;
    std::unique_ptr<WorkerProcess> worker_ = {};
    std::filesystem::path log_ = {};   ///< of the worker
    std::size_t logs_ = 0, read_ = 0;  ///< files until now, and bytes of the last one that were read
    /// Why memory that nobody wrote is looked for no more; empty: it is.
    std::string not_uninitialised_ = {};
};

/// What the worker does for either.
WorkerJob judge_job(Session& session);

}  // namespace ks::cli
