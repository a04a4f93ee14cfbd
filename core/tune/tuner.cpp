#include "core/tune/tuner.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/quantile.h"
#include "core/devices/device_id.h"
#include "core/judge/questions.h"
#include "core/run/build_log.h"
#include "core/run/build_stage.h"
#include "core/run/errors/wrong_result.h"
#include "core/run/user/shown_variant.h"
#include "core/run/user/user_variant.h"

namespace ks {
namespace {

constexpr std::size_t tries = 3;     ///< runs per configuration, each paired with one of the default
constexpr std::size_t compared = 8;  ///< configurations in the final comparison

double median(const std::vector<double>& values) {
    return quantile(values, 0.5);
}

/// Nanoseconds of the kernels and of computations on the host: a define may move work from one to the other.
std::uint64_t computing(const Run& run) {
    std::uint64_t sum = 0;
    for (const Timing& row : run.timings)
        if (row.kind == StageKind::kernel || (row.kind == StageKind::host && row.stage != build_stage))
            sum += row.nanoseconds;
    return sum;
}

bool agrees(const Defines& some, const Defines& all) {
    return std::ranges::all_of(some, [&](const auto& define) {
        const auto found = all.find(define.first);
        return found != all.end() && found->second == define.second;
    });
}

const Variant& variant_of(const std::vector<Offer>& offers, const TunePlan& plan, const DeviceInfo& device) {
    const auto offer =
        std::ranges::find_if(offers, [&](const Offer& one) { return one.variant.id == plan.variant; });
    if (offer == offers.end())
        throw Error(
            ErrorKind::input,
            fmt::format("'{}' is not a variant of {} on {}", plan.variant, plan.analysis, device.title()),
            "--variant");
    if (offer->variant.on_host())
        throw Error(ErrorKind::input, "it runs on the host and has no definitions", plan.variant);
    if (!offer->why_not.empty()) throw Error(ErrorKind::input, offer->why_not, plan.variant);
    return offer->variant;
}

/// Notes the reason and, if it did not build, the compiler's messages.
void note_failure(TuneRow& row, const Error& error) {
    row.not_timed = error.what();
    row.failure = {error.kind(), error.kind() == ErrorKind::build ? error.details() : std::string()};
}

/// Tries and compares configurations, and fills the report.
class Tuner {
  public:
    Tuner(Engine& engine, const TunePlan& plan, Progress& progress, const TuneListener& listener)
        : engine_(engine),
          analysis_(engine.registry().analysis(plan.analysis)),
          progress_(progress),
          listener_(listener) {
        report_.plan = plan;
        report_.device = choose_device(engine.devices(), plan.device);
    }

    TuneReport run(const std::optional<TuneReport>& before) {
        problem_ = analysis_.benchmark_problem(report_.plan.sizes);
        const std::vector<Offer> offers =
            engine_.offers(report_.plan.analysis, report_.device, analysis_.traits(*problem_));
        const Variant& variant = variant_of(offers, report_.plan, report_.device);
        const TuningSpace space = space_of(variant, report_.plan.space, report_.plan.rules, report_.device);
        report_.combinations = space.combinations();
        report_.valid = space.size();
        hold_own_text();
        run_default();
        take_over(before);
        const std::size_t start = space.nearest(report_.usual.defines);
        search(space, report_.plan.method, report_.plan.budget, report_.plan.seed, start,
               [&](std::size_t configuration) { return cost_of(space.defines(configuration)); });
        compare();
        if (listener_) listener_(report_);
        return report_;
    }

  private:
    /// Keeps the user's text the same in all runs, and runs it in a process that it may crash.
    void hold_own_text() {
        if (!is_user_variant(report_.plan.variant)) return;
        own_ = engine_.with_user_text(request_of({}));
        report_.text_mark = text_mark(own_->kernel_source);
        process_ = engine_.apart(progress_, limit_of(report_.plan.kernel_limit));
    }

    Request request_of(const Defines& defines) const {
        if (own_) {
            Request request = *own_;
            for (const auto& [name, value] : defines) request.defines[name] = value;
            return request;
        }
        Request request;
        request.analysis = report_.plan.analysis;
        request.variant = report_.plan.variant;
        request.device = DeviceId(report_.device).text();
        request.memory_limit = report_.plan.memory_limit;
        request.defines = defines;
        request.user_tuned = false;
        return request;
    }

    Run made(const Defines& defines, CheckMode check) {
        Request request = request_of(defines);
        if (process_) {
            request.check = check;
            Run run = process_->run({.request = std::move(request), .sizes = report_.plan.sizes}, progress_);
            run.printed.require_no_flood(report_.plan.variant);
            return run;
        }
        Run run = engine_.run(request, problem_, progress_);
        if (check != CheckMode::none) run.verdict = analysis_.check(*problem_, run, check, progress_);
        return run;
    }

    double timed(const Defines& defines) {
        const Run run = made(defines, CheckMode::none);
        return static_cast<double>(std::max<std::uint64_t>(1, computing(run)));
    }

    /// Throws WrongResult where the check fails.
    Run checked_run(const Defines& defines) {
        Run run = made(defines, report_.plan.check);
        if (run.verdict.state == Verdict::State::fail)
            throw WrongResult("its result is wrong: " + without_verdict(run.verdict.text),
                              report_.plan.variant);
        return run;
    }

    void run_default() {
        const Run run = checked_run({});
        report_.started = run.started;
        report_.version = run.version;
        report_.program_hash = program_hash(run.builds);
        report_.usual.defines = compiled_defines(run);
        report_.of = Engine::tuned_for(analysis_, *problem_, report_.plan.sizes);
        report_.of.variant = report_.plan.variant;
        if (total(run.timings, StageKind::kernel) == 0)
            throw Error(ErrorKind::input, "it launches no kernels to time", report_.plan.variant);
    }

    void take_over(const std::optional<TuneReport>& before) {
        if (!before) return;
        const auto require = [&](bool same, const char* what) {
            if (!same)
                throw OtherTuning(ErrorKind::input,
                                  fmt::format("the earlier results are for a different {}", what),
                                  report_.plan.variant, "tune it from the beginning");
        };
        require(before->of == report_.of, "variant or kind of problem");
        require(before->plan.sizes == report_.plan.sizes, "size");
        require(before->device.name == report_.device.name && before->device.driver == report_.device.driver,
                "device or driver");
        require(before->program_hash == report_.program_hash, "text of the kernel");
        report_.rows = before->rows;
        for (TuneRow& row : report_.rows) row.samples.clear();
    }

    /// The known cost where it has been tried before.
    std::optional<double> cost_of(const Defines& defines) {
        const auto known = std::ranges::find(report_.rows, defines, &TuneRow::defines);
        if (known != report_.rows.end()) return known->cost();
        if (agrees(defines, report_.usual.defines)) return 1.0;
        progress_.report(static_cast<double>(report_.rows.size()) /
                             static_cast<double>(std::min(report_.plan.budget, report_.valid)),
                         "tune");
        TuneRow row;
        row.defines = defines;
        try {
            checked_run(defines);
            for (std::size_t i = 0; i < tries; ++i) {
                row.default_then.push_back(timed({}));
                row.tried.push_back(timed(defines));
            }
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled) throw;
            note_failure(row, error);
            row.wrong = dynamic_cast<const WrongResult*>(&error) != nullptr;
        }
        report_.rows.push_back(std::move(row));
        if (listener_) listener_(report_);
        return report_.rows.back().cost();
    }

    /// Candidates sorted by cost when tried, best first.
    std::vector<std::size_t> candidates() const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < report_.rows.size(); ++i)
            if (report_.rows[i].cost()) order.push_back(i);
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *report_.rows[i].cost(); });
        order.resize(std::min(order.size(), compared));
        return order;
    }

    /// One run of the default and of each of some rows, in turn, and in reverse order in the next round: so
    /// after-effects of a run affect all of them. Rows that fail now are dropped.
    void run_round(std::vector<std::size_t>& some, std::size_t round) {
        const bool backwards = round % 2 == 1;
        if (!backwards) report_.usual.samples.push_back(timed({}));
        if (backwards) std::ranges::reverse(some);
        std::erase_if(some, [this](std::size_t i) {
            TuneRow& row = report_.rows[i];
            try {
                row.samples.push_back(timed(row.defines));
                return false;
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::cancelled) throw;
                note_failure(row, error);
                row.samples.clear();
                return true;
            }
        });
        if (!backwards) return;
        std::ranges::reverse(some);
        report_.usual.samples.push_back(timed({}));
    }

    /// Halves the set of the best until one is left, which is then compared with the default in new runs: the
    /// times that selected it would be biased in its favour.
    void compare() {
        std::vector<std::size_t> left = candidates();
        report_.usual.samples.clear();
        report_.best.reset();
        if (left.empty()) return;
        const std::size_t rounds = std::max<std::size_t>(3, report_.plan.repeats / 4);
        while (left.size() > 1) {
            progress_.report(1 / static_cast<double>(left.size()), "compare the best");
            for (std::size_t i = 0; i < rounds; ++i) run_round(left, i);
            std::ranges::stable_sort(left, {},
                                     [&](std::size_t i) { return median(report_.rows[i].samples); });
            left.resize((left.size() + 1) / 2);
        }
        if (left.empty()) return;
        TuneRow& best = report_.rows[left.front()];
        report_.usual.samples.clear();
        best.samples.clear();
        for (std::size_t i = 0; i < report_.plan.repeats; ++i) {
            progress_.report(static_cast<double>(i) / static_cast<double>(report_.plan.repeats),
                             "compare with the default");
            run_round(left, i);
            if (left.empty()) return;
        }
        report_.best = left.front();
        report_.ratio = ratio_of_medians(report_.usual.samples, best.samples);
    }

    Engine& engine_;
    const Analysis& analysis_;
    Progress& progress_;
    const TuneListener& listener_;
    std::shared_ptr<const Problem> problem_;
    std::optional<Request> own_;          ///< with the text, for a user's variant
    std::unique_ptr<RunsApart> process_;  ///< which runs it
    TuneReport report_;
};

}  // namespace

std::optional<double> TuneRow::cost() const {
    if (!not_timed.empty() || tried.empty() || tried.size() != default_then.size()) return std::nullopt;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < tried.size(); ++i) ratios.push_back(tried[i] / default_then[i]);
    return median(ratios);
}

TuneReport run_tune(Engine& engine, const TunePlan& plan, const std::optional<TuneReport>& before,
                    Progress& progress, const TuneListener& listener) {
    return Tuner(engine, plan, progress, listener).run(before);
}

std::string why_not_kept(const TuneReport& report) {
    if (const std::size_t needed = report.runs_needed(); needed > 0)
        return fmt::format(
            "the best configuration is not significantly faster than the default; to show that it is, at "
            "least {} repeats are needed",
            needed);
    if (!report.surely_better()) return "it is not significantly faster than the default";
    if (!is_user_variant(report.plan.variant)) return {};
    std::string lines;
    for (const auto& [name, value] : report.rows.at(report.best.value()).defines)
        lines += fmt::format("{}// define: {}={}", lines.empty() ? "" : ", ", name, value);
    return "your kernels take their values from their files; to keep these values, add to the header of the "
           "file: " +
           lines;
}

TunedRow tuned_row(const TuneReport& report, const std::string& now) {
    return {report.of,
            report.device.platform_name,
            report.device.name,
            report.device.driver,
            report.rows.at(report.best.value()).defines,
            1 / report.ratio.value,
            now};
}

}  // namespace ks
