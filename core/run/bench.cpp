#include "core/run/bench.h"
#include "core/devices/device_id.h"
#include "core/devices/device_list.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/quantile.h"
#include "core/base/random.h"
#include "core/io/files/temporary_folder.h"
#include "core/run/apart/runs_apart.h"
#include "core/run/build_stage.h"
#include "core/run/errors/wrong_result.h"
#include "core/run/tables/enum_names.h"
#include "core/run/tables/runs_among.h"
#include "core/run/user/shown_variant.h"

namespace ks {
namespace {

constexpr EnumNames<Sweep, 2> sweeps{{"product", "one-by-one"}};

constexpr std::size_t slow_repeats = 3;
constexpr std::size_t max_points = 1000;

/// Why a row has no times. The row names its variant.
std::string reason_of(const Error& error, const std::string& variant) {
    const std::string what = error.what();
    for (const char* const separator : {", ", ": "})
        if (const std::string begin = variant + separator; what.starts_with(begin))
            return what.substr(begin.size());
    return what;
}

BenchSample sample_of(const Run& run) {
    const auto sum = [&run](StageKind kind) { return static_cast<double>(total(run.timings, kind)); };
    BenchSample sample;
    sample.kernel = sum(run.variant.on_host() ? StageKind::host : StageKind::kernel);
    sample.host = run.variant.on_host() ? 0 : sum(StageKind::host);
    sample.upload = sum(StageKind::upload);
    sample.download = sum(StageKind::download);
    sample.read = sum(StageKind::read);
    // What comes before a run that the benchmark has already chosen is not part of it, nor of its stages.
    std::uint64_t before = 0;
    for (const Timing& row : run.timings) {
        if (row.stage == request_stage || row.stage == choice_stage)
            before += row.nanoseconds;
        else
            sample.timings.push_back(row);
    }
    for (Timing& row : sample.timings)
        for (Span& span : row.spans) span.start -= std::min(before, span.start);
    sample.total = static_cast<double>(run.wall_nanoseconds - std::min(before, run.wall_nanoseconds));
    return sample;
}

std::vector<Offer> offers_of(const Engine& engine, const BenchPlan& plan, const DeviceInfo& device,
                             const Traits& traits = {}) {
    return names_several(plan.device) ? engine.offers(plan.analysis, plan.device, traits)
                                      : engine.offers(plan.analysis, device, traits);
}

std::vector<BenchRow> wanted_rows(Engine& engine, const BenchPlan& plan, const DeviceInfo& device) {
    std::vector<BenchRow> rows;
    std::vector<std::string> known;
    for (const Offer& offer : offers_of(engine, plan, device)) {
        known.push_back(offer.variant.id);
        const bool wanted = plan.variants.empty()
                                ? !offer.variant.by_name_only && !offer.variant.from_user()
                                : std::ranges::find(plan.variants, offer.variant.id) != plan.variants.end();
        if (!wanted) continue;
        BenchRow row;
        row.variant = offer.variant;
        row.variant.source.clear();
        row.not_run = offer.why_not;
        for (const DefineSpec& define : row.variant.defines)
            if (const auto given = plan.defines.find(define.name); given != plan.defines.end())
                row.given.insert(*given);
        rows.push_back(std::move(row));
    }
    for (const std::string& id : plan.variants)
        if (std::ranges::find(known, id) == known.end())
            throw Error(ErrorKind::input,
                        fmt::format("'{}' is not a variant of {} on {}", id, plan.analysis, device.title()),
                        "--variants", fmt::format("the variants are {}", fmt::join(known, ", ")));
    return rows;
}

/// The user's kernels keep the same text in all runs of a benchmark, even if their files change.
void hold_user_texts(const Engine& engine, BenchPlan& plan) {
    for (const std::string& id : plan.variants) {
        if (!is_user_variant(id) || plan.kernel_sources.contains(id)) continue;
        Request request;
        request.analysis = plan.analysis;
        request.variant = id;
        request = engine.with_user_text(request);
        plan.kernel_sources[id] = {request.kernel_file, request.kernel_source};
    }
}

/// The sizes that are parameters of a request. Where a problem has inputs, its sizes belong to a generator,
/// and some merely share a name with a parameter.
ParameterSet parameters_of(const ParameterSet& sizes, const AnalysisInfo& info) {
    ParameterSet parameters;
    if (!info.inputs.empty()) return parameters;
    for (const ParameterSpec& spec : info.parameters)
        if (const auto size = sizes.find(spec.id); size != sizes.end()) parameters.insert(*size);
    return parameters;
}

Request request_of(const BenchPlan& plan, const ParameterSet& sizes, const AnalysisInfo& info,
                   const BenchRow& row, const DeviceInfo& device) {
    Request request;
    if (plan.request) {
        request.inputs = plan.request->inputs;
        request.parameters = plan.request->parameters;
    } else {
        request.parameters = parameters_of(sizes, info);
    }
    request.analysis = plan.analysis;
    request.variant = row.variant.id;
    request.device = names_several(plan.device) ? plan.device
                     : row.variant.on_host()    ? "host"
                                                : DeviceId(device).text();
    request.memory_limit = plan.memory_limit;
    request.user_tuned = plan.user_tuned;
    request.defines = row.given;
    if (const auto given = plan.kernel_sources.find(row.variant.id); given != plan.kernel_sources.end()) {
        request.kernel_file = given->second.file;
        request.kernel_source = given->second.text;
    }
    return request;
}

/// The failure of one variant must not discard the times of the others. A user's kernel that was not run
/// counts as a failure, whatever the reason.
void note_failure(BenchRow& row, const Error& error, bool own_source) {
    if (error.kind() == ErrorKind::cancelled) throw error;
    row.not_run = reason_of(error, row.variant.id);
    row.failed = error.kind() != ErrorKind::input || own_source;
    row.failure = {error.kind(), error.kind() == ErrorKind::build ? error.details() : std::string()};
    if (dynamic_cast<const WrongResult*>(&error) != nullptr) {
        row.verdict.state = Verdict::State::fail;
        row.verdict.text = std::string("fail: ") + error.what();
    }
    row.samples.clear();
}

/// "TILE, WG of gram.tiled; WG of gram.vectors", or a sentence saying that there are none.
std::string defines_text(const std::vector<BenchRow>& rows) {
    std::vector<std::string> all;
    for (const BenchRow& row : rows) {
        std::vector<std::string> names;
        for (const DefineSpec& define : row.variant.defines) names.push_back(define.name);
        if (!names.empty()) all.push_back(fmt::format("{} of {}", fmt::join(names, ", "), row.variant.id));
    }
    return all.empty() ? "they have no definitions that can be set"
                       : fmt::format("the definitions are {}", fmt::join(all, "; "));
}

/// Sizes, defines and sources that fit no variant are reported before anything is timed.
void require_used(const BenchPlan& plan, const std::vector<BenchRow>& rows) {
    for (const auto& define : plan.defines)
        if (std::ranges::none_of(rows, [&define](const BenchRow& row) {
                return std::ranges::find(row.variant.defines, define.first, &DefineSpec::name) !=
                       row.variant.defines.end();
            }))
            throw Error(ErrorKind::input,
                        fmt::format("none of the variants has a definition {}", define.first), "--define",
                        defines_text(rows));
    for (const auto& source : plan.kernel_sources)
        if (std::ranges::none_of(rows,
                                 [&source](const BenchRow& row) { return row.variant.id == source.first; }))
            throw Error(ErrorKind::input,
                        fmt::format("{} is not one of the variants to be timed", source.first),
                        "--kernel-source");
}

/// The input of one point of a benchmark, and how each run obtains it.
class PointInput {
  public:
    /// Writes the files immediately. Throws ks::Error(input) where the analysis reads none.
    PointInput(const Analysis& analysis, const BenchPlan& plan, const ParameterSet& sizes,
               const BenchRunner& runner, Progress& progress)
        : analysis_(analysis), from_(plan.from), sizes_(sizes), runner_(runner), request_(plan.request) {
        if (request_) request_->analysis = plan.analysis;
        if (from_ != BenchFrom::file || request_) return;
        folder_.emplace("kernelscope-bench");
        request_ = analysis.benchmark_files(sizes, folder_->path(), progress);
        if (!request_)
            throw Error(ErrorKind::input,
                        "it generates its input from parameters, so there is no file to read",
                        analysis.info().id, "use --from memory or --from device");
    }

    /// Kept until it is released, where it can be created again.
    const Problem& problem(Progress& progress) {
        if (!problem_)
            problem_ =
                request_ ? analysis_.load(*request_, progress, nullptr) : analysis_.benchmark_problem(sizes_);
        return *problem_;
    }
    void let_go() {
        if (reads()) problem_.reset();
    }

    /// The job for a separate process.
    RunApart asked_of(Request request) const {
        if (request_) {
            request.inputs = request_->inputs;
            request.parameters = request_->parameters;
        }
        return {.request = std::move(request),
                .sizes = request_ ? std::nullopt : std::optional(sizes_),
                .reads = reads(),
                .forget = from_ != BenchFrom::device};
    }

    Run run(Engine& engine, Request request, Progress& progress) {
        if (from_ != BenchFrom::device) engine.forget();
        if (!reads()) {
            problem(progress);
            return runner_ ? runner_(request, problem_, sizes_, progress)
                           : engine.run(request, problem_, progress);
        }
        request.inputs = request_->inputs;
        request.parameters = request_->parameters;
        return engine.run(request, progress);
    }

  private:
    bool reads() const { return from_ == BenchFrom::file; }

    const Analysis& analysis_;
    BenchFrom from_;
    const ParameterSet& sizes_;
    const BenchRunner& runner_;       ///< null: the engine
    std::optional<Request> request_;  ///< reads the problem; absent: generated in memory
    std::optional<io::TemporaryFolder> folder_;
    std::shared_ptr<const Problem> problem_;
};

/// The order in which rows run in a round: alternately a random order and its reverse, so that effects of
/// the position in a round (a cache warmed by the previous run, a disturbance as long as a round) affect
/// all rows alike.
std::vector<std::size_t> order_in_round(std::size_t rows, std::size_t round) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(1, round / 2);
    for (std::size_t left = rows; left > 1; --left)
        std::swap(order[left - 1],
                  order[static_cast<std::size_t>(random.uniform() * static_cast<double>(left))]);
    if (round % 2 == 1) std::ranges::reverse(order);
    return order;
}

/// Whether a variant with few repeats runs in this round; its runs are spread evenly over all rounds.
bool has_turn(std::size_t runs, std::size_t wanted, std::size_t round, std::size_t rounds) {
    return runs < wanted && round * wanted >= runs * rounds;
}

/// Whether one run takes longer than slow_run_seconds, without what only the first one contains: the build,
/// and the upload of a problem that stays on the device.
bool is_slow(const BenchRow& row, BenchFrom from) {
    const double upload = from == BenchFrom::device ? row.first.upload : 0;
    const double nanoseconds = row.samples.empty() ? row.first.total - row.build_nanoseconds() - upload
                                                   : row.median(&BenchSample::total);
    return nanoseconds > 1e9 * slow_run_seconds;
}

/// Credits the run with what an earlier run built.
void add_build_of(const Run& before, Run& run) {
    const auto build = std::ranges::find(before.timings, std::string(build_stage), &Timing::stage);
    if (build == before.timings.end()) return;
    add(run.timings, *build);
    run.wall_nanoseconds += build->nanoseconds;
    run.builds = before.builds;
}

/// Times one point of a benchmark.
class PointTimer {
  public:
    PointTimer(Engine& engine, BenchReport& report, std::size_t point, const BenchListener& listener,
               const BenchRunner& runner, std::unique_ptr<RunsApart>& process)
        : engine_(engine),
          report_(report),
          plan_(report.plan),
          index_(point),
          listener_(listener),
          runner_(runner),
          process_(process) {}

    void run(const Analysis& analysis, Progress& progress) {
        progress.check();
        const std::unique_ptr<PointInput> input = input_of(analysis, progress);
        if (input == nullptr) return;
        Traits traits = analysis.traits(input->problem(progress));
        if (plan_.request) traits.insert(plan_.request->parameters.begin(), plan_.request->parameters.end());
        note_what_is_not_taken(traits);
        for (BenchRow& row : point().rows) {
            if (row.not_run.empty()) run_first(row, analysis, *input, progress);
            tell(row);
        }
        input->let_go();
        if (plan_.kernels_only) {
            repeat_launches(progress);
        } else {
            for (std::size_t round = 0; round < plan_.warmups + plan_.repeats; ++round) {
                for (const std::size_t i : order_in_round(point().rows.size(), round))
                    if (BenchRow& row = point().rows[i]; row.not_run.empty())
                        repeat(row, round, *input, progress);
                tell_between_rounds();
            }
        }
        // The ceilings describe a single device.
        if (const std::optional<Ceilings> ceilings = engine_.known_ceilings(report_.device);
            ceilings && report_.devices.empty())
            add_shares(analysis, input->problem(progress), *ceilings);
        for (const BenchRow& row : point().rows)
            if (!row.samples.empty() || row.failed) tell(row);
    }

  private:
    BenchPoint& point() { return report_.points[index_]; }

    Request request_for(const BenchRow& row) {
        return request_of(plan_, point().sizes, engine_.registry().analysis(plan_.analysis).info(), row,
                          report_.device);
    }

    /// Null where one of several points cannot be created: its rows say why, and the other points are timed.
    std::unique_ptr<PointInput> input_of(const Analysis& analysis, Progress& progress) {
        try {
            auto input = std::make_unique<PointInput>(analysis, plan_, point().sizes, runner_, progress);
            input->problem(progress);
            return input;
        } catch (const Error& error) {
            if (report_.points.size() == 1 || error.kind() != ErrorKind::input) throw;
            for (BenchRow& row : point().rows) {
                row.not_run = reason_of(error, row.variant.id);
                tell(row);
            }
            return nullptr;
        }
    }

    void tell(const BenchRow& row) {
        if (listener_) listener_(index_, point().sizes, row);
        told_ = std::chrono::steady_clock::now();
    }

    /// Rarely, since reporting competes with the runs.
    void tell_between_rounds() {
        if (std::chrono::steady_clock::now() - told_ < std::chrono::seconds(1)) return;
        for (const BenchRow& row : point().rows)
            if (row.not_run.empty()) tell(row);
    }

    /// Notes which variants do not accept this problem, before any of them runs.
    void note_what_is_not_taken(const Traits& traits) {
        for (const Offer& offer : offers_of(engine_, plan_, report_.device, traits))
            for (BenchRow& row : point().rows)
                if (row.variant.id == offer.variant.id) row.not_run = offer.why_not;
    }

    void run_first(BenchRow& row, const Analysis& analysis, PointInput& input, Progress& progress) {
        try {
            const Run run = first_of(row, analysis, input, progress);
            row.first = sample_of(run);
            row.builds = run.builds;
            row.facts = run.result.facts;
            row.tuned = run.tuned;
            if (report_.started.empty()) {
                report_.started = run.started;
                report_.version = run.version;
            }
            row.verdict = run.verdict;
        } catch (const Error& error) {
            note_failure(row, error, is_own(row));
        }
    }

    Run first_of(const BenchRow& row, const Analysis& analysis, PointInput& input, Progress& progress) {
        if (RunsApart* const process = apart(progress)) {
            Run run = first_of(row, *process, input, progress);
            met_[row.variant.id] = process->process();
            return run;
        }
        const Request request = request_for(row);
        Run run;
        if (plan_.kernels_only) {
            Engine::Recorded made = engine_.record(request, input.problem(progress), progress);
            recorded_[row.variant.id] = std::move(made.launches);
            run = std::move(made.run);
        } else {
            run = input.run(engine_, request, progress);
        }
        if (plan_.check != CheckMode::none)
            run.verdict = analysis.check(input.problem(progress), run, plan_.check, progress);
        return run;
    }

    Run first_of(const BenchRow& row, RunsApart& process, PointInput& input, Progress& progress) {
        Request request = request_for(row);
        const std::optional<Run> guarded =
            is_own(row) ? guarded_of(request, process, input, progress) : std::nullopt;
        request.check = plan_.check;
        Run run;
        if (plan_.kernels_only)
            recorded_[row.variant.id] = process.record(input.asked_of(request), run, progress);
        else
            run = process.run(input.asked_of(request), progress);
        run.printed.require_no_flood(row.variant.id);
        if (guarded) add_build_of(*guarded, run);
        return run;
    }

    /// A run between guard zones, which tells what is wrong with a faulty kernel. Nothing where no check is
    /// requested, or none is possible: with several devices, or without memory for the zones.
    std::optional<Run> guarded_of(Request request, RunsApart& process, PointInput& input,
                                  Progress& progress) {
        if (plan_.check == CheckMode::none || names_several(request.device)) return std::nullopt;
        request.guarded = true;
        try {
            Run run = process.run(input.asked_of(std::move(request)), progress);
            run.printed.require_no_flood(run.variant.id);
            return run;
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::input) throw;
            return std::nullopt;
        }
    }

    bool is_own(const BenchRow& row) const { return plan_.kernel_sources.contains(row.variant.id); }

    /// Null: everything runs in this process. Where the user's kernels are among the rows, all rows run in
    /// the separate process, so that none has a different process, memory layout or overhead from the others.
    RunsApart* apart(Progress& progress) {
        if (runner_ || plan_.kernel_sources.empty()) return nullptr;
        if (!process_) process_ = engine_.apart(progress, limit_of(plan_.kernel_limit));
        return process_.get();
    }

    /// If another variant ended the process, the first run in the new one is not counted among the times.
    Run run_apart(const BenchRow& row, RunsApart& process, PointInput& input, Progress& progress) {
        const RunApart asked = input.asked_of(request_for(row));
        std::size_t& met = met_[row.variant.id];
        if (met != process.process()) {
            process.run(asked, progress);
            met = process.process();
        }
        return process.run(asked, progress);
    }

    /// A few series per variant, round robin.
    void repeat_launches(Progress& progress) {
        const std::size_t series = series_of(plan_.repeats);
        const auto for_all = [&](const auto& what, std::size_t round = 0) {
            for (const std::size_t at : order_in_round(point().rows.size(), round)) {
                BenchRow& row = point().rows[at];
                if (!row.not_run.empty()) continue;
                try {
                    what(row, *recorded_.at(row.variant.id));
                } catch (const Error& error) {
                    note_failure(row, error, is_own(row));
                }
            }
        };
        for_all([&](BenchRow& row, RecordedLaunches& launches) {
            row.launches = launches.commands();
            if (plan_.warmups > 0) launches.repeat(plan_.warmups, progress);
        });
        for (std::size_t i = 0; i < series; ++i)
            for_all(
                [&](BenchRow& row, RecordedLaunches& launches) {
                    add_series(row, launches.repeat(length_of_series(plan_.repeats, i), progress));
                },
                i);
        for_all([&](BenchRow& row, RecordedLaunches& launches) {
            row.not_run = launches.why_not_the_same();
            if (!row.not_run.empty()) row.samples.clear();
        });
        recorded_.clear();
    }

    static void add_series(BenchRow& row, const RepeatedLaunches& times) {
        const auto count = static_cast<double>(times.device_nanoseconds.size());
        double on_device = 0;
        for (const double nanoseconds : times.device_nanoseconds) {
            BenchSample sample;
            sample.kernel = nanoseconds;
            sample.total = times.wall_nanoseconds / count;
            row.samples.push_back(std::move(sample));
            on_device += nanoseconds;
        }
        row.host_per_launch.push_back(std::max(0.0, times.wall_nanoseconds - on_device) /
                                      (count * static_cast<double>(row.launches)));
    }

    void repeat(BenchRow& row, std::size_t round, PointInput& input, Progress& progress) {
        const bool warmup = round < plan_.warmups;
        if (is_slow(row, plan_.from) &&
            (warmup || !has_turn(row.samples.size(), std::min(slow_repeats, plan_.repeats),
                                 round - plan_.warmups, plan_.repeats)))
            return;
        try {
            RunsApart* const process = apart(progress);
            const Run run = process ? run_apart(row, *process, input, progress)
                                    : input.run(engine_, request_for(row), progress);
            if (!warmup) row.samples.push_back(sample_of(run));
        } catch (const Error& error) {
            note_failure(row, error, is_own(row));
        }
    }

    void add_shares(const Analysis& analysis, const Problem& problem, const Ceilings& ceilings) {
        for (BenchRow& row : point().rows) {
            if (row.variant.on_host() || row.samples.empty()) continue;
            row.ceiling =
                analysis.ceiling_share(problem, row.variant, row.median(&BenchSample::kernel), ceilings);
            if (row.ceiling) report_.ceilings_started = ceilings.started;
        }
    }

    Engine& engine_;
    BenchReport& report_;
    const BenchPlan& plan_;
    std::size_t index_;
    const BenchListener& listener_;
    const BenchRunner& runner_;
    std::unique_ptr<RunsApart>& process_;     ///< null before the first request, and where there is none
    std::map<std::string, std::size_t> met_;  ///< by variant id: the process it ran in last
    std::map<std::string, std::unique_ptr<RecordedLaunches>> recorded_;  ///< by variant id
    std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

std::optional<double> load_before() {
    double minute = 0;
    return ::getloadavg(&minute, 1) == 1 ? std::optional(minute) : std::nullopt;
}

/// Slope of y over x by least squares; NaN where x is the same everywhere.
double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    const double n = static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return xy / xx;
}

/// What distinguishes the problem of a request from others.
ParameterSet point_of(const Request& request) {
    ParameterSet point = request.parameters;
    for (const auto& [role, input] : request.inputs)
        point[role] = input.values
                          ? fmt::format("{} {}", input.name, hash_text(hash_of(input.values->bytes())))
                          : input.name;
    return point;
}

/// The times of one variant as a function of one size.
struct TimesOverSize {
    std::vector<double> size, kernel, total;  ///< logarithms
};

}  // namespace

const char* name_of(Sweep sweep) {
    return sweeps.of(sweep);
}

Sweep sweep_from(const std::string& name) {
    return sweeps.from(name, ErrorKind::input, "sizes of a benchmark");
}

const char* name_of(BenchFrom from) {
    return from == BenchFrom::device ? "device" : from == BenchFrom::memory ? "memory" : "file";
}

BenchFrom bench_from_named(const std::string& name) {
    for (const BenchFrom from : {BenchFrom::device, BenchFrom::memory, BenchFrom::file})
        if (name == name_of(from)) return from;
    throw Error(ErrorKind::input, "expected \"memory\", \"device\" or \"file\", found \"" + name + "\"",
                "source of a benchmark's input");
}

BenchWork work_of(const BenchSample& sample, bool on_host) {
    BenchWork work;
    for (const Timing& timing : sample.timings) {
        if (timing.kind != (on_host ? StageKind::host : StageKind::kernel)) continue;
        work.operations += static_cast<double>(timing.operations);
        work.bytes += static_cast<double>(timing.bytes);
    }
    return work;
}

std::size_t series_of(std::size_t repeats) {
    constexpr std::size_t fewest = 5, most = 20;
    return std::min(repeats, std::clamp(repeats / 2, fewest, most));
}

std::size_t length_of_series(std::size_t repeats, std::size_t series) {
    const std::size_t all = series_of(repeats);
    return repeats * (series + 1) / all - repeats * series / all;
}

bool is_wrong(const BenchRow& row) {
    return row.verdict.state == Verdict::State::fail;
}

RankedTimes ranked_times(const BenchRow& row, const BenchPlan& plan, double BenchSample::*time) {
    if (is_wrong(row)) return {};
    const std::vector<double> times = row.times(time);
    if (!plan.kernels_only || times.empty()) return {times};
    RankedTimes ranked;
    auto next = times.begin();
    for (std::size_t i = 0; i < series_of(times.size()); ++i) {
        const auto end = next + static_cast<std::ptrdiff_t>(length_of_series(times.size(), i));
        ranked.times.push_back(quantile({next, end}, 0.5));
        next = end;
    }
    return ranked;
}

Orders orders_of(const BenchPoint& point, const BenchPlan& plan, double BenchSample::*time) {
    std::vector<RankedTimes> lists;
    lists.reserve(point.rows.size());
    for (const BenchRow& row : point.rows) lists.push_back(ranked_times(row, plan, time));
    return Orders(lists);
}

std::size_t repeats_needed(const BenchPoint& point, const BenchPlan& plan) {
    std::size_t timed = 0, most = 0;
    for (const BenchRow& row : point.rows) {
        if (row.samples.empty() || is_wrong(row)) continue;
        ++timed;
        most = std::max(most, row.samples.size());
    }
    if (timed < 2) return 0;
    const std::size_t repeats = repeats_for(runs_for_an_order(timed), plan);
    return most < repeats ? repeats : 0;
}

std::size_t repeats_for(std::size_t runs, const BenchPlan& plan) {
    std::size_t repeats = runs;
    if (plan.kernels_only)
        while (series_of(repeats) < runs) ++repeats;
    return repeats;
}

bool has_fewer_runs(const BenchRow& row, const BenchPlan& plan) {
    return !row.samples.empty() && row.samples.size() < plan.repeats && is_slow(row, plan.from);
}

double BenchRow::build_nanoseconds() const {
    double sum = 0;
    for (const Timing& timing : first.timings)
        if (timing.stage == build_stage) sum += static_cast<double>(timing.nanoseconds);
    return sum;
}

std::vector<double> BenchRow::times(double BenchSample::*time) const {
    std::vector<double> list;
    list.reserve(samples.size());
    for (const BenchSample& sample : samples) list.push_back(sample.*time);
    return list;
}

double BenchRow::median(double BenchSample::*time) const {
    return quantile(times(time), 0.5);
}

const BenchRow* BenchPoint::baseline_row() const {
    const auto found = std::ranges::find_if(
        rows, [](const BenchRow& row) { return row.variant.baseline && !row.variant.from_user(); });
    return found == rows.end() ? nullptr : &*found;
}

const BenchRow* BenchPoint::baseline() const {
    const BenchRow* const row = baseline_row();
    return row && row->text_mark.empty() && row->given.empty() && !row->samples.empty() ? row : nullptr;
}

const BenchRow* BenchPoint::best_host(const std::string& reference) const {
    const BenchRow* best = nullptr;
    for (const BenchRow& row : rows) {
        if (!row.variant.on_host() || row.samples.empty() || row.variant.id == reference) continue;
        if (best == nullptr || row.variant.rank > best->variant.rank) best = &row;
    }
    return best;
}

std::vector<ParameterSet> bench_points(const Analysis& analysis, const BenchPlan& plan) {
    if (plan.request) return {point_of(*plan.request)};
    ParameterSet firsts;
    std::size_t count = 1;
    for (const auto& [id, values] : plan.sizes) {
        if (values.empty()) throw Error(ErrorKind::input, "the list of values is empty", "parameter " + id);
        firsts[id] = values.front();
        count = plan.sweep == Sweep::product ? count * values.size() : count + values.size() - 1;
        if (count > max_points)
            throw Error(
                ErrorKind::input,
                fmt::format("the lists of sizes give more than {} combinations to measure", max_points),
                plan.analysis, "shorten the lists, or vary one size at a time");
    }
    std::vector<ParameterSet> given{firsts};
    for (const auto& [id, values] : plan.sizes) {
        const std::vector<ParameterSet> before =
            plan.sweep == Sweep::product ? std::exchange(given, {}) : std::vector{firsts};
        for (const ParameterSet& one : before)
            for (const ParameterValue& value : values) {
                given.push_back(one);
                given.back()[id] = value;
            }
    }
    std::vector<ParameterSet> points;
    for (const ParameterSet& one : given) {
        ParameterSet complete = analysis.benchmark_sizes(one);
        if (std::ranges::find(points, complete) == points.end()) points.push_back(std::move(complete));
    }
    return points;
}

std::optional<double> size_number(const ParameterSet& sizes, const std::string& id) {
    const auto found = sizes.find(id);
    if (found == sizes.end()) return std::nullopt;
    double number = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&found->second)) number = static_cast<double>(*whole);
    if (const auto* real_number = std::get_if<double>(&found->second)) number = *real_number;
    if (!(number > 0) || !std::isfinite(number)) return std::nullopt;
    return number;
}

std::vector<std::string> varied_sizes(const std::vector<BenchPoint>& points) {
    std::set<std::string> ids;
    std::vector<std::string> varied;
    for (const BenchPoint& point : points)
        for (const auto& [id, value] : point.sizes) ids.insert(id);
    for (const std::string& id : ids) {
        const auto value_at = [&](const BenchPoint& point) {
            const auto found = point.sizes.find(id);
            return found == point.sizes.end() ? ParameterValue() : found->second;
        };
        if (std::ranges::any_of(
                points, [&](const BenchPoint& point) { return value_at(point) != value_at(points.front()); }))
            varied.push_back(id);
    }
    return varied;
}

namespace {

const ParameterValue* value_at(const BenchPoint& point, const std::string& id) {
    const auto found = point.sizes.find(id);
    return found == point.sizes.end() ? nullptr : &found->second;
}

/// Whether `id` has one value, and is present or absent depending on the value of `size` only.
bool follows(const std::vector<BenchPoint>& points, const std::string& id, const std::string& size) {
    const ParameterValue* constant = nullptr;
    std::map<ParameterValue, bool> present;
    for (const BenchPoint& point : points) {
        const ParameterValue *const value = value_at(point, id), *const of = value_at(point, size);
        if (value != nullptr && constant != nullptr && *constant != *value) return false;
        if (value != nullptr) constant = value;
        if (of == nullptr) continue;
        const auto [known, isFirst] = present.try_emplace(*of, value != nullptr);
        if (!isFirst && known->second != (value != nullptr)) return false;
    }
    return true;
}

}  // namespace

std::vector<std::string> varied_beside(const std::vector<BenchPoint>& points, const std::string& size) {
    std::vector<std::string> others = varied_sizes(points);
    std::erase_if(others, [&](const std::string& id) { return id == size || follows(points, id, size); });
    return others;
}

std::optional<std::string> swept_size(const std::vector<BenchPoint>& points) {
    const std::vector<std::string> varied = varied_sizes(points);
    const auto is_swept = [&](const std::string& id) {
        return std::ranges::none_of(
            varied, [&](const std::string& other) { return other != id && follows(points, id, other); });
    };
    const auto found = std::ranges::find_if(varied, is_swept);
    if (found != varied.end()) return *found;
    return varied.empty() ? std::nullopt : std::optional(varied.front());
}

std::vector<BenchSlope> slopes_of(const std::vector<BenchPoint>& points) {
    constexpr std::size_t enough = 3;
    const std::vector<std::string> varied = varied_sizes(points);
    std::vector<BenchSlope> slopes;
    for (const std::string& size : varied) {
        std::map<std::pair<std::string, ParameterSet>, TimesOverSize> lines;
        const std::vector<std::string> beside = varied_beside(points, size);
        for (const BenchPoint& point : points) {
            const std::optional<double> at = size_number(point.sizes, size);
            if (!at) continue;
            ParameterSet others;
            for (const std::string& id : beside)
                if (const auto found = point.sizes.find(id); found != point.sizes.end())
                    others.insert(*found);
            for (const BenchRow& row : point.rows) {
                const double kernel = row.median(&BenchSample::kernel),
                             total = row.median(&BenchSample::total);
                if (!(kernel > 0) || !(total > 0)) continue;
                TimesOverSize& line = lines[{row.variant.id, others}];
                line.size.push_back(std::log(*at));
                line.kernel.push_back(std::log(kernel));
                line.total.push_back(std::log(total));
            }
        }
        for (const auto& [of, line] : lines)
            if (line.size.size() >= enough)
                slopes.push_back({of.first, size, of.second, line.size.size(),
                                  slope_of(line.size, line.kernel), slope_of(line.size, line.total)});
    }
    return slopes;
}

BenchReport run_bench(Engine& engine, const BenchPlan& plan, Progress& progress,
                      const BenchListener& listener, const BenchRunner& runner) {
    const Analysis& analysis = engine.registry().analysis(plan.analysis);
    BenchReport report;
    report.plan = plan;
    hold_user_texts(engine, report.plan);
    report.device = first_device(engine.devices(), plan.device);
    if (const auto devices = choose_devices(engine.devices(), plan.device); devices.size() > 1)
        report.devices = labels_of(devices);
    report.host = choose_device(engine.devices(), "host");
    report.load = load_before();
    std::vector<BenchRow> rows = wanted_rows(engine, plan, report.device);
    for (BenchRow& row : rows)
        if (const auto own = report.plan.kernel_sources.find(row.variant.id);
            own != report.plan.kernel_sources.end())
            row.text_mark = text_mark(own->second.text);
    require_used(plan, rows);
    for (ParameterSet& sizes : bench_points(analysis, plan))
        report.points.push_back({std::move(sizes), rows});
    std::unique_ptr<RunsApart> process;
    for (std::size_t point = 0; point < report.points.size(); ++point)
        PointTimer(engine, report, point, listener, runner, process).run(analysis, progress);
    report.slopes = slopes_of(report.points);
    if (report.plan.request)
        for (auto& input : report.plan.request->inputs) input.second.values.reset();
    return report;
}

}  // namespace ks
