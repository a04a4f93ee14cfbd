#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/session.h"
#include "app/cli/worker_process.h"
#include "core/io/files/temporary_folder.h"
#include "core/judge/judged_run.h"
#include "core/judge/judgement.h"
#include "core/run/request.h"
#include "core/wire/handlers.h"

namespace ks::cli {

/// A kernel to judge, on problems made in memory.
struct JudgePlan {
    Request request;             ///< analysis, variant, device, defines, kernel source
    std::string text_hash = {};  ///< XXH3 of the user's kernel file, 16 hexadecimal digits; empty: shipped
    std::chrono::milliseconds limit{10'000};             ///< how long a kernel may run
    std::chrono::milliseconds simulation_limit{60'000};  ///< for all simulations together
};

/// Runs a kernel on its device with a full check, in a worker process that it may end.
class DeviceJudge {
  public:
    DeviceJudge(const JudgePlan& plan, Progress& progress)
        : plan_(plan), worker_(progress, {}, WorkerProcess::Manner{.takes_errors = true}) {}
    /// Throws the user's mistakes (a variant that does not take the problem) as ks::Error(input), and
    /// ks::Error(cancelled).
    Attempt attempted(const JudgedRun& run, bool guarded);

  private:
    const JudgePlan& plan_;
    WorkerProcess worker_;
};

/// Runs a kernel under the simulator oclgrind.
class Simulator {
  public:
    /// @param builds of runs on the device, which locate lines
    /// @param kernel_files texts by path, as from Engine::kernel_files()
    Simulator(const JudgePlan& plan, std::vector<BuildLog> builds,
              const std::map<std::string, std::string>& kernel_files, Progress& progress);
    ~Simulator();
    /// Sets the run's groups and launch, and its findings "values", "races", "accesses", "uninitialised" and
    /// "barriers": not known, with the reason, if oclgrind is not installed, cannot run the kernel, or did
    /// not finish. Throws ks::Error(cancelled).
    void judge(JudgedRun& run);

  private:
    struct Outcome;
    Outcome simulated(const JudgedRun& run);
    void start(bool uninitialised);
    /// What was logged since the previous call.
    std::string logged();

    const JudgePlan& plan_;
    std::vector<BuildLog> builds_;
    const std::map<std::string, std::string>& kernel_files_;
    Progress& progress_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    io::TemporaryFolder folder_;
    std::unique_ptr<WorkerProcess> worker_ = {};
    std::filesystem::path log_ = {};   ///< of the worker
    std::string as_type_ = {};         ///< of the worker: JudgedRun::as_type
    std::size_t logs_ = 0, read_ = 0;  ///< files so far, and bytes of the last one that were read
    /// Why uninitialised memory is no longer searched for; empty: it is.
    std::string not_uninitialised_ = {};
};

/// The worker's job for both.
void add_judge_job(wire::Handlers& handlers, Session& session);

}  // namespace ks::cli
