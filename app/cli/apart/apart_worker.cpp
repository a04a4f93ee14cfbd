#include "app/cli/apart/apart_worker.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/worker_process.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/judge/judgement.h"
#include "core/run/errors/wrong_result.h"
#include "core/run/user/user_variant.h"

namespace ks::cli {
namespace {

/// Short: the process writes no files that could be left incomplete.
constexpr int patience_of_kernels_ms = 250;

struct ApartRunJob {
    RunApart asked;
    using Part = wire::Nothing;
    using Answer = Run;
    static constexpr const char* name = "apart run";
};
KS_FIELDS(ApartRunJob, asked)

/// A run whose launches the process keeps.
struct ApartRecordJob {
    RunApart asked;
    struct Answer {
        Run run;
        std::size_t commands = 0;
        std::size_t launches = 0;  ///< their number in the process
    };
    using Part = wire::Nothing;
    static constexpr const char* name = "apart record";
};
KS_FIELDS(ApartRecordJob, asked)
KS_FIELDS(ApartRecordJob::Answer, run, commands, launches)

struct ApartRepeatJob {
    std::size_t launches = 0, count = 0;
    using Part = wire::Nothing;
    using Answer = RepeatedLaunches;
    static constexpr const char* name = "apart repeat";
};
KS_FIELDS(ApartRepeatJob, launches, count)

/// Whether repeated launches still give the recorded result.
struct ApartCompareJob {
    std::size_t launches = 0;
    using Part = wire::Nothing;
    using Answer = std::string;  ///< why they do not; else empty
    static constexpr const char* name = "apart compare";
};
KS_FIELDS(ApartCompareJob, launches)

class ApartWorker : public RunsApart {
  public:
    ApartWorker(Progress& progress, KernelLimit limit)
        : limit_(limit),
          worker_(progress, {},
                  {.patience_ms = patience_of_kernels_ms, .hides_kernels = true, .takes_printed = true}) {}

    Run run(const RunApart& asked, Progress&) override {
        Printed printed;
        Run run = answer_to(ApartRunJob{asked}, asked.request, &printed);
        run.printed = std::move(printed);
        return run;
    }

    std::unique_ptr<RecordedLaunches> record(const RunApart& asked, Run& made, Progress&) override;
    std::size_t process() const override { return worker_.number(); }

    /// Throws if there is no answer. @param of the request @param printed receives what kernels printed;
    /// null: it is only shown
    template <class Job>
    typename Job::Answer answer_to(const Job& job, const Request& of, Printed* printed = nullptr) {
        auto answer = worker_.ask(job, {.kernel = limit_});
        show(answer.printed, of.variant.empty() ? of.kernel_file : of.variant, !answer.value);
        if (printed != nullptr) *printed = answer.printed;
        if (answer.value) return std::move(*answer.value);
        if (answer.error) {
            // A failed kernel may have left a damaged state, which the next run must not use.
            if (answer.error->kind() == ErrorKind::run || answer.error->kind() == ErrorKind::device)
                worker_.end();
            throw_received(*answer.error, answer.was_wrong_result);
        }
        if (answer.was_too_long)
            throw Error(
                ErrorKind::run, did_not_end(answer.stage, *limit_), subject_of(of),
                "its process was stopped; to allow kernels more time, use --time-limit, or Settings in "
                "the window");
        throw Error(ErrorKind::run, ended_its_process(answer.stage, answer.how_it_ended), subject_of(of),
                    "use kernelscope-cli judge to find out why");
    }

  private:
    /// Shows what kernels print on standard error: once for a variant that is repeated, and for every run
    /// that failed.
    void show(const Printed& printed, const std::string& variant, bool failed) {
        if (printed.empty() || (!shown_.insert(variant).second && !failed)) return;
        tell(fmt::format("{} printed:\n{}", printable(variant), printable_lines(printed.text())));
    }
    static std::string subject_of(const Request& request) {
        return fmt::format("{}, variant {}", request.analysis,
                           request.variant.empty() ? request.kernel_file : request.variant);
    }

    KernelLimit limit_;
    std::set<std::string> shown_;  ///< variants that have printed
    WorkerProcess worker_;
};

/// Recorded launches, kept in the process of an ApartWorker.
class LaunchesApart : public RecordedLaunches {
  public:
    LaunchesApart(ApartWorker& worker, RunApart asked) : worker_(worker), asked_(std::move(asked)) {}

    Run record() {
        Printed printed;
        auto answer = worker_.answer_to(ApartRecordJob{asked_}, asked_.request, &printed);
        commands_ = answer.commands;
        number_ = answer.launches;
        process_ = worker_.process();
        answer.run.printed = std::move(printed);
        return std::move(answer.run);
    }

    std::size_t commands() const override { return commands_; }
    RepeatedLaunches repeat(std::size_t count, Progress&) override {
        return worker_.answer_to(ApartRepeatJob{launches(), count}, asked_.request);
    }
    std::string why_not_the_same() override {
        return worker_.answer_to(ApartCompareJob{launches()}, asked_.request);
    }

  private:
    /// Records the launches again if another variant has ended the process that kept them.
    std::size_t launches() {
        if (process_ != worker_.process()) record();
        return number_;
    }

    ApartWorker& worker_;
    RunApart asked_;
    std::size_t commands_ = 0, number_ = 0, process_ = 0;
};

std::unique_ptr<RecordedLaunches> ApartWorker::record(const RunApart& asked, Run& made, Progress&) {
    auto launches = std::make_unique<LaunchesApart>(*this, asked);
    made = launches->record();
    return launches;
}

/// The worker's side: what the process keeps between messages.
class ApartRuns {
  public:
    explicit ApartRuns(Session& session) : session_(session) {}

    Run run(RunApart asked, Progress& progress) {
        prepare(asked);
        return sent(asked, asked.reads
                               ? session_.engine().run(asked.request, progress)
                               : session_.engine().run(asked.request, problem(asked, progress), progress));
    }
    ApartRecordJob::Answer record(RunApart asked, Progress& progress) {
        prepare(asked);
        Engine::Recorded recorded =
            session_.engine().record(asked.request, *problem(asked, progress), progress);
        const std::size_t commands = recorded.launches->commands();
        launches_[++recorded_] = std::move(recorded.launches);
        return {sent(asked, std::move(recorded.run)), commands, recorded_};
    }
    RecordedLaunches& launches(std::size_t number) const {
        const auto known = launches_.find(number);
        if (known == launches_.end())
            throw Error(ErrorKind::run, fmt::format("no launches were recorded with the number {}", number));
        return *known->second;
    }

  private:
    void prepare(RunApart& asked) {
        asked.request.watched = true;
        if (asked.forget) session_.engine().forget();
    }
    static Run sent(const RunApart& asked, Run made) {
        if (!asked.with_result) made.result.datasets.clear();
        return made;
    }

    std::shared_ptr<const Problem> problem(const RunApart& asked, Progress& progress) {
        if (!asked.sizes) return session_.engine().load(asked.request, progress);
        if (!made_ || sizes_ != *asked.sizes || analysis_ != asked.request.analysis) {
            launches_.clear();  // of the previous problem
            made_.reset();
            made_ = session_.registry().analysis(asked.request.analysis).benchmark_problem(*asked.sizes);
            sizes_ = *asked.sizes;
            analysis_ = asked.request.analysis;
        }
        return made_;
    }

    Session& session_;
    std::shared_ptr<const Problem> made_;
    ParameterSet sizes_;  ///< of made_
    std::string analysis_;
    std::map<std::size_t, std::unique_ptr<RecordedLaunches>> launches_;  ///< by their number
    std::size_t recorded_ = 0;
};

}  // namespace

std::unique_ptr<RunsApart> start_apart(Progress& progress, KernelLimit limit) {
    return std::make_unique<ApartWorker>(progress, limit);
}

Run run_own_apart(Session& session, const Request& request, const std::optional<ParameterSet>& sizes) {
    Request complete = session.engine().with_user_text(request);
    if (complete.kernel_source.empty()) {
        if (!sizes) return session.engine().run(complete, session.progress());
        const Analysis& analysis = session.registry().analysis(complete.analysis);
        return session.engine().run(complete, analysis.benchmark_problem(*sizes), session.progress());
    }
    const std::unique_ptr<RunsApart> process = start_apart(session.progress(), std::nullopt);
    return process->run(
        {.request = std::move(complete), .sizes = sizes, .reads = !sizes, .with_result = true},
        session.progress());
}

void add_apart_jobs(wire::Handlers& handlers, Session& session) {
    const auto runs = std::make_shared<ApartRuns>(session);
    handlers.on<ApartRunJob>(
        [runs](const auto& job, Progress& progress) { return runs->run(job.asked, progress); });
    handlers.on<ApartRecordJob>(
        [runs](const auto& job, Progress& progress) { return runs->record(job.asked, progress); });
    handlers.on<ApartRepeatJob>([runs](const auto& job, Progress& progress) {
        return runs->launches(job.launches).repeat(job.count, progress);
    });
    handlers.on<ApartCompareJob>(
        [runs](const auto& job, Progress&) { return runs->launches(job.launches).why_not_the_same(); });
}

}  // namespace ks::cli
