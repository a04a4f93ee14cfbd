#include "app/cli/apart/apart_worker.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/worker_process.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/judge/judgement.h"
#include "core/run/user/user_variant.h"

namespace ks::cli {
namespace {

constexpr const char* apart = "apart";
/// Short: the process writes no files that could be left incomplete.
constexpr int patience_of_kernels_ms = 250;

wire::Message asked_for(const char* what) {
    wire::Message message;
    message.header = {{"type", apart}, {"what", what}};
    return message;
}

wire::Message asked_for(const char* what, const RunApart& asked) {
    wire::Message message = asked_for(what);
    message.header["request"] = ks::to_json(asked.request, &message.blobs);
    if (asked.sizes) message.header["sizes"] = to_json(*asked.sizes);
    message.header["reads"] = asked.reads;
    message.header["forget"] = asked.forget;
    message.header["with_result"] = asked.with_result;
    return message;
}

RunApart run_apart_from(const wire::Message& message) {
    const nlohmann::json& header = message.header;
    RunApart asked;
    asked.request = ks::from_json<Request>(header.at("request"), "a request", &message.blobs);
    if (header.contains("sizes")) asked.sizes = parameter_set_from(header.at("sizes"));
    asked.reads = header.at("reads").get<bool>();
    asked.forget = header.at("forget").get<bool>();
    asked.with_result = header.at("with_result").get<bool>();
    return asked;
}

class ApartWorker : public RunsApart {
  public:
    ApartWorker(Progress& progress, KernelLimit limit)
        : limit_(limit),
          worker_(progress, {},
                  {.patience_ms = patience_of_kernels_ms, .hides_kernels = true, .takes_printed = true}) {}

    Run run(const RunApart& asked, Progress&) override {
        Printed printed;
        Run run = run_from(answer_to(asked_for("run", asked), asked.request, &printed));
        run.printed = std::move(printed);
        return run;
    }

    std::unique_ptr<RecordedLaunches> record(const RunApart& asked, Run& made, Progress&) override;
    std::size_t process() const override { return worker_.number(); }

    static Run run_from(const wire::Message& message) {
        return ks::from_json<Run>(message.header.at("run"), "a run", &message.blobs);
    }

    /// Throws the error that the worker sends instead of an answer. @param of the request @param printed
    /// receives what kernels printed; null: it is only shown
    wire::Message answer_to(wire::Message message, const Request& of, Printed* printed = nullptr) {
        WorkerProcess::Answer answer = worker_.ask(std::move(message), {.kernel = limit_});
        show(answer.printed, of.variant.empty() ? of.kernel_file : of.variant,
             !answer.message || answer.message->type() == "error");
        if (printed != nullptr) *printed = answer.printed;
        if (!answer.message) {
            if (answer.was_too_long)
                throw Error(ErrorKind::run, did_not_end(answer.stage, *limit_), subject_of(of),
                            "its process was ended; --time-limit, or Settings in the window, allows a kernel "
                            "more time");
            throw Error(ErrorKind::run, ended_its_process(answer.stage, answer.how_it_ended), subject_of(of),
                        "kernelscope-cli judge finds out why");
        }
        if (answer.message->type() != "error") return std::move(*answer.message);
        const Error error = wire::error_from(answer.message->header.at("error"));
        // A failed kernel may have left a damaged state, which the next run must not use.
        if (error.kind() == ErrorKind::run || error.kind() == ErrorKind::device) worker_.end();
        throw error;
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
        const wire::Message answer = worker_.answer_to(asked_for("record", asked_), asked_.request, &printed);
        commands_ = answer.header.at("commands").get<std::size_t>();
        number_ = answer.header.at("launches").get<std::size_t>();
        process_ = worker_.process();
        Run run = ApartWorker::run_from(answer);
        run.printed = std::move(printed);
        return run;
    }

    std::size_t commands() const override { return commands_; }
    RepeatedLaunches repeat(std::size_t count, Progress&) override {
        wire::Message message = asked_for("repeat");
        message.header["count"] = count;
        const wire::Message answer = answer_to(std::move(message));
        return {answer.header.at("device_ns").get<std::vector<double>>(),
                answer.header.at("wall_ns").get<double>()};
    }
    std::string why_not_the_same() override {
        return answer_to(asked_for("compare")).header.at("why_not").get<std::string>();
    }

  private:
    /// Records the launches again if another variant has ended the process that kept them.
    wire::Message answer_to(wire::Message message) {
        if (process_ != worker_.process()) record();
        message.header["launches"] = number_;
        return worker_.answer_to(std::move(message), asked_.request);
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

    void answer(const wire::Message& message, wire::Message& answer, Progress& progress) {
        const std::string what = message.header.at("what").get<std::string>();
        if (what == "repeat") {
            const RepeatedLaunches times =
                launches(message).repeat(message.header.at("count").get<std::size_t>(), progress);
            answer.header["device_ns"] = times.device_nanoseconds;
            answer.header["wall_ns"] = times.wall_nanoseconds;
        } else if (what == "compare") {
            answer.header["why_not"] = launches(message).why_not_the_same();
        } else {
            run(run_apart_from(message), what == "record", answer, progress);
        }
    }

  private:
    RecordedLaunches& launches(const wire::Message& message) const {
        const auto number = message.header.at("launches").get<std::size_t>();
        const auto known = launches_.find(number);
        if (known == launches_.end()) throw Error(ErrorKind::run, "no launches were recorded before");
        return *known->second;
    }

    void run(RunApart asked, bool records, wire::Message& answer, Progress& progress) {
        Engine& engine = session_.engine();
        asked.request.watched = true;
        if (asked.forget) engine.forget();
        Run made;
        if (records) {
            Engine::Recorded recorded = engine.record(asked.request, *problem(asked, progress), progress);
            answer.header["commands"] = recorded.launches->commands();
            answer.header["launches"] = ++recorded_;
            launches_[recorded_] = std::move(recorded.launches);
            made = std::move(recorded.run);
        } else if (asked.reads) {
            made = engine.run(asked.request, progress);
        } else {
            made = engine.run(asked.request, problem(asked, progress), progress);
        }
        if (!asked.with_result) made.result.datasets.clear();
        answer.header["run"] = ks::to_json(made, &answer.blobs);
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

WorkerJob apart_job(Session& session) {
    return [runs = std::make_shared<ApartRuns>(session)](const wire::Message& message, wire::Message& answer,
                                                         Progress& progress) {
        runs->answer(message, answer, progress);
    };
}

}  // namespace ks::cli
