#include "app/cli/judge_worker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/judge/abort_text.h"
#include "core/judge/oclgrind_log.h"
#include "core/judge/source_causes.h"
#include "core/kernels/compiler_message.h"
#include "core/kernels/resolved_source.h"
#include "core/run/errors/wrong_result.h"
#include "gpu/runtime/driver_cache.h"
#include "gpu/runtime/guard_zones.h"
#include "gpu/runtime/recorded/launched_groups.h"
#include "gpu/runtime/simulated/simulated_type.h"

namespace ks::cli {
namespace {

/// Maximum number of faults that oclgrind reports: each access by each work-item counts as one.
constexpr const char* most_faults = "20000";

/// A run of a kernel with a full check.
struct JudgeJob {
    Request request;
    ParameterSet sizes;     ///< of the problem, which is made in memory
    bool in_parts = false;  ///< see JudgedRun
    struct Answer {
        std::optional<Verdict> verdict = {};
        std::string damage = {};
        bool ended_early = false;
        std::map<std::string, std::uint64_t> groups = {};
        std::vector<BuildLog> builds = {};
        JudgedLaunch launch = {};
    };
    using Part = wire::Nothing;
    static constexpr const char* name = "judge";
};
KS_FIELDS(JudgeJob, request, sizes, in_parts)
KS_FIELDS(JudgeJob::Answer, verdict, damage, ended_early, groups, builds, launch)

JudgeJob job_of(Request request, const JudgedRun& run) {
    for (const auto& [name, value] : run.defines) request.defines[name] = value;
    request.check = CheckMode::full;
    return {std::move(request), run.sizes, run.in_parts};
}

/// What the C or C++ library wrote when it aborted a worker becomes a part of how it ended; the rest is
/// passed on.
Attempt attempt_of(const WorkerProcess::Answer<JudgeJob>& answer) {
    const WrittenErrors written = divide_errors(answer.printed.text());
    std::fputs(printable_lines(written.others).c_str(), stderr);
    Attempt attempt;
    attempt.error = answer.error;
    attempt.stage = answer.stage;
    attempt.how_it_ended = answer.how_it_ended;
    // After a flood of other output it is at the end alone.
    const std::string last = answer.printed.is_flood() ? divide_errors(answer.printed.end()).abort : "";
    if (const std::string& why = written.abort.empty() ? last : written.abort;
        !why.empty() && !attempt.how_it_ended.empty())
        attempt.how_it_ended += "; the C library wrote: " + printable(why);
    attempt.was_too_long = answer.was_too_long;
    if (!answer.value) return attempt;
    attempt.verdict = answer.value->verdict;
    attempt.damage = answer.value->damage;
    attempt.ended_early = answer.value->ended_early;
    attempt.groups = answer.value->groups;
    attempt.builds = answer.value->builds;
    attempt.launch = answer.value->launch;
    return attempt;
}

bool is_installed(const std::string& program) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(std::filesystem::path(folder) / program, ignored)) return true;
    }
    return false;
}

double seconds(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
}

/// The first error of a compiler's log, with its place in the kernel's file.
std::string first_error(const std::string& log, const ResolvedSource& source,
                        const std::map<std::string, std::string>& files) {
    const std::vector<CompilerMessage> messages = compiler_messages(log);
    const auto first = std::ranges::find(messages, CompilerMessage::Kind::error, &CompilerMessage::kind);
    if (first == messages.end()) {
        const std::size_t begin = std::min(log.size(), log.find_first_not_of(" \t\r\n"));
        return log.substr(begin, log.find('\n', begin) - begin);
    }
    const auto place = place_of(*first, source, files);
    return place ? fmt::format("{}:{}: {}", place->file, place->line, first->text) : first->whole;
}

bool is_refused(const Attempt& attempt) {
    return attempt.error && attempt.error->kind() == ErrorKind::build;
}

/// Why a simulation did not cover everything that the kernel does; empty if it did.
std::string why_not_all(const Attempt& attempt, const JudgePlan& plan, const std::string& compiler_error) {
    if (is_refused(attempt))
        return "the simulator's compiler refused the kernel: " +
               (compiler_error.empty() ? attempt.error->what() : compiler_error);
    if (attempt.was_too_long)
        return fmt::format(
            "the simulation was stopped early, because all simulations together may take only {:g} s",
            seconds(plan.simulation_limit));
    if (!attempt.how_it_ended.empty()) return "oclgrind ended unexpectedly: " + attempt.how_it_ended;
    if (attempt.error) return std::string("the kernel does not run under oclgrind: ") + attempt.error->what();
    if (attempt.ended_early) return "the simulation ended early, because no result can be made of its values";
    return {};
}

std::string trimmed_code(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == std::string::npos ? std::string()
                                      : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Programs of a variant, by the kernels created from them.
class Programs {
  public:
    Programs(const Request& request, const std::vector<BuildLog>& builds,
             const std::map<std::string, std::string>& files)
        : defines_(request.defines) {
        if (!request.kernel_source.empty())
            sources_.push_back(
                resolve_source(request.kernel_file.empty() ? given_source : request.kernel_file,
                               request.kernel_source, files));
        for (const BuildLog& build : builds) {
            const auto shipped = files.find(build.source_file);
            const bool own = shipped == files.end();
            if (own && request.kernel_source.empty()) continue;
            const ResolvedSource source =
                resolve_source(build.source_file, own ? request.kernel_source : shipped->second, files);
            for (const std::string& entry_point : build.entry_points) of_kernel_[entry_point] = source;
            sources_.push_back(source);
        }
    }
    /// The place of a line as the compiler counts it; if the kernel's program is not known, found by the text
    /// of the line.
    std::optional<SourcePlace> place(const std::string& kernel, const SimulatedFault::Place& place) const {
        const auto known = of_kernel_.find(kernel);
        if (known != of_kernel_.end() && says(known->second, place))
            return known->second.place_of(place.line);
        for (const ResolvedSource& source : sources_)
            if (says(source, place)) return source.place_of(place.line);
        return std::nullopt;
    }
    /// Why oclgrind 21.10 may report memory that a kernel wrote as uninitialised; empty: there is no known
    /// reason. It takes element 11 of a vector that is assembled from others for undefined.
    std::string doubt(const std::string& kernel) const {
        const auto known = of_kernel_.find(kernel);
        const bool wide = known != of_kernel_.end()
                              ? uses_wide_vectors(known->second.text())
                              : std::ranges::any_of(sources_, [](const ResolvedSource& source) {
                                    return uses_wide_vectors(source.text());
                                });
        const bool by_define = std::ranges::any_of(
            defines_, [](const auto& define) { return uses_wide_vectors(define.second); });
        return wide || by_define ? "oclgrind does not follow vectors of 8 or 16 elements" : std::string();
    }

  private:
    /// Whether that line of a source is the one that the log quotes.
    static bool says(const ResolvedSource& source, const SimulatedFault::Place& place) {
        const auto line = std::ranges::find_if(
            source.lines, [&](const SourceLine& one) { return one.compiled == place.line; });
        return line != source.lines.end() && trimmed_code(line->text) == place.code;
    }
    std::map<std::string, std::string> defines_;
    std::map<std::string, ResolvedSource> of_kernel_;
    std::vector<ResolvedSource> sources_;
};

/// The error of an attempt that says nothing of the kernel, because the driver could not write its files.
std::optional<Error> full_disk(const Attempt& attempt) {
    if (attempt.error && gpu::says_that_driver_cannot_write(*attempt.error)) return attempt.error;
    // The compiler ends its process in this case; a kernel would end it by a signal.
    if (!attempt.how_it_ended.starts_with("exit code")) return std::nullopt;
    const std::filesystem::path folder = gpu::pocl_cache_folder();
    const std::string why = gpu::why_not_writable(folder, gpu::room_for_kernels);
    return why.empty() ? std::nullopt : std::optional(gpu::driver_cannot_write(folder, why, {}));
}

}  // namespace

Attempt DeviceJudge::attempted(const JudgedRun& run, bool guarded) {
    Request request = plan_.request;
    request.guarded = guarded;
    const auto ask = [&] { return attempt_of(worker_.ask(job_of(request, run), {.kernel = plan_.limit})); };
    Attempt attempt = ask();
    if (full_disk(attempt)) {
        // It has become full since the process was started; another process chooses another folder.
        worker_.end();
        attempt = ask();
    }
    if (const std::optional<Error> full = full_disk(attempt)) throw *full;
    if (!attempt.verdict || attempt.ended_early)
        worker_.end();  // a failure may have left the process in any state
    if (attempt.error &&
        (attempt.error->kind() == ErrorKind::input || attempt.error->kind() == ErrorKind::cancelled))
        throw *attempt.error;
    return attempt;
}

struct Simulator::Outcome {
    Attempt attempt;
    SimulatedLog log;
    std::string why_not_all;
};

Simulator::Simulator(const JudgePlan& plan, std::vector<BuildLog> builds,
                     const std::map<std::string, std::string>& kernel_files, Progress& progress)
    : plan_(plan),
      builds_(std::move(builds)),
      kernel_files_(kernel_files),
      progress_(progress),
      folder_("kernelscope-judge") {}

Simulator::~Simulator() = default;

void Simulator::start(bool uninitialised) {
    log_ = folder_.path() / fmt::format("log{}", ++logs_);
    read_ = 0;
    // Its programs are for the simulator only. With several threads it would mix their logs. An optimiser
    // hides faults: it merges the barriers of two branches, and assumes anything about what lies behind a
    // constant table; and oclgrind does not know every instruction that it generates.
    std::vector<std::string> under{"env", "KERNELSCOPE_CACHE=" + (folder_.path() / "cache").string()};
    if (!as_type_.empty()) under.push_back(fmt::format("{}={}", gpu::simulated_type_variable, as_type_));
    under.insert(under.end(), {"oclgrind", "--log", log_.string(), "--data-races", "--num-threads", "1",
                               "--max-errors", most_faults, "--build-options", "-cl-opt-disable"});
    if (uninitialised) under.emplace_back("--uninitialized");
    worker_ = std::make_unique<WorkerProcess>(progress_, std::move(under),
                                              WorkerProcess::Manner{.takes_errors = true, .threads = 1});
}

std::string Simulator::logged() {
    std::ifstream file(log_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(read_));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    read_ += text.size();
    return text;
}

Simulator::Outcome Simulator::simulated(const JudgedRun& run) {
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_);
    const auto left = std::max(plan_.simulation_limit - passed, std::chrono::milliseconds(0));
    Outcome outcome;
    if (left.count() == 0) {
        outcome.attempt.was_too_long = true;
    } else {
        if (as_type_ != run.as_type) worker_.reset();
        as_type_ = run.as_type;
        if (!worker_) start(not_uninitialised_.empty());
        Request request = plan_.request;
        request.device = "Oclgrind";
        outcome.attempt = attempt_of(worker_->ask(job_of(std::move(request), run), {.whole = left}));
        if (outcome.attempt.error && outcome.attempt.error->kind() == ErrorKind::cancelled)
            throw *outcome.attempt.error;
        outcome.log = read_oclgrind_log(logged());
        if (!outcome.attempt.verdict || outcome.attempt.ended_early) worker_.reset();
    }
    std::string compiler_error;
    if (is_refused(outcome.attempt)) {
        const Request& request = plan_.request;
        const std::string file = request.kernel_file.empty() ? given_source : request.kernel_file;
        compiler_error =
            first_error(outcome.attempt.error->details(),
                        resolve_source(file, request.kernel_source, kernel_files_), kernel_files_);
    }
    outcome.why_not_all = why_not_all(outcome.attempt, plan_, compiler_error);
    if (outcome.why_not_all.empty()) outcome.why_not_all = outcome.log.gave_up;
    return outcome;
}

void Simulator::judge(JudgedRun& run) {
    if (!is_installed("oclgrind")) {
        run.findings = findings_without_oclgrind();
        run.not_simulated = "oclgrind is not installed";
        return;
    }
    Outcome outcome = simulated(run);
    if (!outcome.why_not_all.empty() && !outcome.attempt.was_too_long && !is_refused(outcome.attempt) &&
        !outcome.attempt.ended_early && not_uninitialised_.empty()) {
        // Its search for uninitialised memory does not know all instructions that it can execute.
        const Outcome first = std::exchange(outcome, Outcome());
        worker_.reset();
        not_uninitialised_ = first.why_not_all + " (during the search for uninitialised memory)";
        outcome = simulated(run);
        for (const SimulatedFault& fault : first.log.faults)
            if (fault.kind == SimulatedFault::Kind::uninitialised) outcome.log.faults.push_back(fault);
        if (!outcome.why_not_all.empty()) not_uninitialised_.clear();  // it had another cause
    }
    if (run.in_small_steps && outcome.attempt.error && outcome.attempt.error->kind() == ErrorKind::input) {
        run.not_taken = outcome.attempt.error->what();  // such small steps
        return;
    }
    std::vector<BuildLog> builds = builds_;
    builds.insert(builds.end(), outcome.attempt.builds.begin(), outcome.attempt.builds.end());
    const Programs programs(plan_.request, builds, kernel_files_);
    run.groups = outcome.attempt.groups;
    run.launch = outcome.attempt.launch;
    if (is_refused(outcome.attempt)) run.simulator_log = outcome.attempt.error->details();
    run.findings = findings_of(
        outcome.log.faults,
        [&](const std::string& kernel, const SimulatedFault::Place& place) {
            return programs.place(kernel, place);
        },
        outcome.why_not_all, [&](const std::string& kernel) { return programs.doubt(kernel); });
    for (Finding& finding : run.findings)
        if (finding.id == "uninitialised" && finding.state == Finding::State::yes &&
            !not_uninitialised_.empty())
            finding = {finding.id, Finding::State::unknown, not_uninitialised_};
    run.findings.insert(
        run.findings.begin(),
        outcome.attempt.verdict && (outcome.why_not_all.empty() || outcome.attempt.ended_early)
            ? finding_of(*outcome.attempt.verdict)
            : Finding{"values", Finding::State::unknown, outcome.why_not_all});
}

namespace {

/// A run that the host divides wherever it can: in the shortest launches, with nearly the smallest memory
/// limit that the variant takes. Throws what the run does; ks::Error(input) if no limit is enough.
Run run_in_parts(Engine& engine, Request request, const std::shared_ptr<const Problem>& problem,
                 Progress& progress) {
    constexpr std::uint64_t least = 2048, most = std::uint64_t{1} << 30;
    request.shortest_launches = true;
    // Too small a limit is refused before anything is computed.
    for (std::uint64_t limit = least;; limit += limit / 4) {
        request.memory_limit = limit;
        try {
            return engine.run(request, problem, progress);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::input || limit > most) throw;
        }
    }
}

}  // namespace

void add_judge_job(wire::Handlers& handlers, Session& session) {
    handlers.on<JudgeJob>([&session](const JudgeJob& job, Progress& progress) {
        const Analysis& analysis = session.registry().analysis(job.request.analysis);
        gpu::take_launched_groups();
        try {
            const auto problem = analysis.benchmark_problem(analysis.benchmark_sizes(job.sizes));
            Run run = job.in_parts ? run_in_parts(session.engine(), job.request, problem, progress)
                                   : session.engine().run(job.request, problem, progress);
            JudgedLaunch launch = launch_of(run);
            return JudgeJob::Answer{.verdict = std::move(run.verdict),
                                    .groups = gpu::take_launched_groups(),
                                    .builds = std::move(run.builds),
                                    .launch = std::move(launch)};
        } catch (const WrongResult& error) {
            Verdict wrong;
            wrong.state = Verdict::State::fail;
            wrong.text = std::string("fail: ") + error.what();
            return JudgeJob::Answer{
                .verdict = wrong, .ended_early = true, .groups = gpu::take_launched_groups()};
        } catch (const gpu::GuardError& error) {
            return JudgeJob::Answer{.damage = error.what()};
        }
    });
}

}  // namespace ks::cli
