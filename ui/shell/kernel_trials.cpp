#include "ui/shell/kernel_trials.h"
#include "ui/kernels/trial/trial_history.h"
#include "ui/kernels/trial/trial_view.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/printable.h"
#include "core/base/progress.h"
#include "core/devices/device_id.h"
#include "core/judge/judged_choices.h"
#include "core/judge/judgement.h"
#include "core/run/parameters/parameter_names.h"
#include "core/run/user/shown_variant.h"
#include "core/run/variant.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/shell/general/measured_with.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

constexpr double patience = 1.5e9;  ///< nanoseconds that the repeats of one variant may take
constexpr std::size_t mostRepeats = 12, leastRepeats = 3;

/// As often as requested; otherwise as often as a significant order needs, allowing for a disturbed run; less
/// often for kernels that take over 0.1 s.
std::size_t repeatsFor(std::optional<int> asked, double kernelNanoseconds) {
    if (asked) return static_cast<std::size_t>(*asked);
    const double many = std::min(patience / std::max(kernelNanoseconds, 1.0), 1e3);
    return std::clamp(static_cast<std::size_t>(many), leastRepeats, mostRepeats);
}

/// The first line, and a note if there are more.
QString firstPrinted(const Printed& printed) {
    const QString text = QString::fromStdString(printable_lines(printed.text())).trimmed();
    const qsizetype lines = text.count(QLatin1Char('\n'));
    const QString first = text.section(QLatin1Char('\n'), 0, 0).left(80);
    return lines == 0 ? first : KernelTrials::tr("%1 ... (more in the Printed tab)").arg(first);
}

/// "300 frames, 7 bins, 11,916 pixels": the sizes of data from files, as far as the result names them.
QString dataText(const Run& run) {
    QStringList parts;
    const auto add = [&](const char* fact, const QString& one, const QString& many) {
        const auto at = run.result.facts.find(fact);
        if (at != run.result.facts.end() && at->is_number_unsigned())
            parts << counted(at->get<std::size_t>(), one, many);
    };
    add("frames", KernelTrials::tr("1 frame"), KernelTrials::tr("%1 frames"));
    add("bins", KernelTrials::tr("1 bin"), KernelTrials::tr("%1 bins"));
    add("pixels", KernelTrials::tr("1 pixel"), KernelTrials::tr("%1 pixels"));
    add("events", KernelTrials::tr("1 event"), KernelTrials::tr("%1 events"));
    return parts.join(QStringLiteral(", "));
}

/// The values that a page without sizes has in its texts, in brief: "a 7,-3,-2,5; b 1,2,3,4". Expressions,
/// which the text of a kernel replaces, are none.
QString valuesText(const Analysis& analysis, const ParameterSet& parameters) {
    constexpr qsizetype most = 24;
    const std::string code = analysis.code_of(parameters);
    QStringList parts;
    for (const ParameterSpec& spec : analysis.info().parameters) {
        const auto at = parameters.find(spec.id);
        const auto* const typed = at == parameters.end() ? nullptr : std::get_if<std::string>(&at->second);
        if (spec.type != ParameterType::text || !typed || typed->empty() || *typed == "none") continue;
        ParameterSet other = parameters;
        other[spec.id] = std::string("f()");
        if (analysis.code_of(other) != code) continue;
        const QString value = QString::fromStdString(*typed).simplified();
        parts << QStringLiteral("%1 %2").arg(
            QString::fromStdString(spec.label),
            value.size() > most ? value.left(most - 1) + QStringLiteral("\u2026") : value);
    }
    return parts.join(QStringLiteral("; "));
}

GeneratedSize sizeOf(TrialData data) {
    return data == TrialData::generatedUsual ? GeneratedSize::usual : GeneratedSize::small;
}

}  // namespace

KernelTrials::KernelTrials(Workbench& bench, QObject* parent) : QObject(parent), bench_(bench) {
    connect(&bench_.queue, &RunQueue::runAdded, this, &KernelTrials::take);
    connect(&bench_.queue, &RunQueue::notRun, this, &KernelTrials::fail);
    connect(&bench_.queue, &RunQueue::progress, this, &KernelTrials::showStep);
}

void KernelTrials::follow(UserKernels& kernels) {
    connect(&kernels, &UserKernels::trialWanted, this,
            [this, &kernels](const KernelTrial& what) { start(kernels, what); });
    kernels.setPageChoices([this](const QString& analysis) { return pageChoices(analysis); });
    connect(&kernels, &UserKernels::renamed, this,
            [this, &kernels](const QString& analysis, const QString& from, const QString& to) {
                const auto rename = [&](Trial& trial) {
                    if (trial.kernels == &kernels && trial.what.analysis == analysis && trial.what.id == from)
                        trial.what.id = to;
                };
                if (trial_) rename(*trial_);
                std::ranges::for_each(earlier_, rename);
            });
    connect(&kernels, &UserKernels::accessesWrong, this,
            [this](const QString& analysis, const QString& mark, const QStringList& faults) {
                bench_.desk.textFaults().put(analysis.toStdString(), mark.toStdString(), faults);
            });
    TextFaults& faults = bench_.desk.textFaults();
    kernels.history().setKnownFaults([of = QPointer(&faults)](const QString& analysis, const QString& mark) {
        return of ? of->of(analysis.toStdString(), mark.toStdString()) : QStringList();
    });
    connect(&faults, &TextFaults::changed, &kernels, &UserKernels::showFaults);
    connect(&kernels, &UserKernels::cancelWanted, this, &KernelTrials::cancel);
    connect(&kernels, &UserKernels::worstPlaceWanted, this, [this] {
        if (trial_) emit placeWanted(trial_->what.analysis, trial_->result.verdict.place);
    });
}

std::vector<TrialDataChoice> KernelTrials::dataChoices(const QString& analysis) const {
    std::vector<TrialDataChoice> choices;
    if (analysis.isEmpty()) return choices;
    if (const AnalysisPage* const page = bench_.pageRuns.pageWithData(analysis))
        choices.push_back({TrialData::page, tr("as on the %1 page").arg(page->title()),
                           tr("The current data and parameters of the %1 page").arg(page->title())});
    const Analysis& of = bench_.registry()->analysis(analysis.toStdString());
    if (canGenerate(of, GeneratedSize::small))
        choices.push_back({TrialData::generatedSmall, tr("generated, small"),
                           tr("A generated problem that is small enough to run almost instantly")});
    if (canGenerate(of, GeneratedSize::usual))
        choices.push_back(
            {TrialData::generatedUsual, tr("generated, as in the Lab"),
             tr("A generated problem with the sizes on the Lab page; where it has several, the largest")});
    return choices;
}

QStringList KernelTrials::pageChoices(const QString& analysis) const {
    QStringList choices;
    const std::optional<OpenRequest> open = bench_.pageRuns.openRequest(analysis);
    if (!open) return choices;
    const AnalysisInfo& info = bench_.registry()->analysis(analysis.toStdString()).info();
    for (const std::string& one : judge_arguments(info, choices_among(info, open->request.parameters)))
        choices << QString::fromStdString(one);
    return choices;
}

Measurement KernelTrials::measurement(const QString& analysis, const QStringList& variants,
                                      std::optional<TrialData> data) const {
    Measurement wanted{analysis, variants, data == TrialData::page};
    if (data == TrialData::generatedSmall)
        wanted.sizes = bench_.registry()->analysis(analysis.toStdString()).info().small;
    return wanted;
}

void KernelTrials::start(UserKernels& kernels, const KernelTrial& what) {
    retire();
    ++started_;
    trial_ = Trial{&kernels, what};
    bench_.queue.dropTurns();
    try {
        if (what.data != TrialData::page) return generate();
        std::optional<OpenRequest> open = bench_.pageRuns.openRequest(what.analysis);
        if (!open)
            throw Error(ErrorKind::input, "the page of the analysis has no data", what.analysis.toStdString(),
                        "open data there, or use generated data");
        if (const Variant* const of = base()) leave_out_untaken(*of, open->request.parameters);
        run(std::move(open->request), true);
    } catch (const Error& error) {
        tell(error);
    }
}

const Variant* KernelTrials::base() const {
    const auto& offers = bench_.desk.catalogue().offers;
    const auto known = offers.find(trial_->what.analysis.toStdString());
    const std::optional<std::size_t> device = bench_.request.devicePosition();
    if (known == offers.end() || !device || *device >= known->second.size()) return nullptr;
    const std::vector<Offer>& all = known->second[*device];
    const auto found = std::ranges::find(all, trial_->what.base.toStdString(),
                                         [](const Offer& one) { return one.variant.id; });
    return found == all.end() ? nullptr : &found->variant;
}

void KernelTrials::retire() {
    if (!trial_) return;
    const Trial before = *std::exchange(trial_, std::nullopt);
    if (before.result.underWay) {
        Trial untimed = before;
        untimed.result.underWay = false;
        untimed.result.note = tr("not timed: another run was started");
        if (untimed.kernels) untimed.kernels->history().take(untimed.what, untimed.result);
    } else if (!before.ended && before.number) {
        earlier_.push_back(before);
    } else if (!before.ended && before.kernels) {
        before.kernels->history().take(
            before.what,
            Error(ErrorKind::run,
                  "not run: another run was started before the problem for this one was generated"));
    }
}

void KernelTrials::cancel() {
    if (!trial_) return;
    if (trial_->result.underWay) return bench_.queue.dropTurns();
    if (trial_->number) return bench_.queue.cancelRun(*trial_->number);
    ++started_;  // the problem being generated is not used
    tell(Error(ErrorKind::cancelled, "the problem was not generated"));
}

void KernelTrials::showStep(double fraction, const QString& stage) {
    const QueuedRun* const running = bench_.queue.running();
    if (!trial_ || !trial_->kernels) return;
    if (!running || running->number != trial_->number || trial_->result.underWay) return;
    const QString done = fraction > 0 ? tr(", %1 %").arg(std::lround(fraction * 100)) : QString();
    trial_->kernels->setStep(tr("Building and running %1: %2%3").arg(trial_->what.id, stage, done));
}

TimedSizes KernelTrials::timedSizes(const QString& analysis) const {
    for (Page* const page : bench_.files.pages())
        if (const VariantTimer* const timer = page->timer()) return timer->timedSizes(analysis);
    return {};
}

void KernelTrials::generate() {
    const std::pair key(trial_->what.analysis, sizeOf(trial_->what.data));
    const Analysis& analysis = bench_.registry()->analysis(key.first.toStdString());
    const TimedSizes timed = key.second == GeneratedSize::usual ? timedSizes(key.first) : TimedSizes();
    const auto use = [this, &analysis, largest = timed.largest](const GeneratedProblem& problem) {
        trial_->problem = (largest ? tr("on the largest generated problem of the Lab: %1")
                                   : tr("on a generated problem: %1"))
                              .arg(sizesText(analysis.info(), problem.sizes));
        trial_->folder = problem.folder;
        run(problem.request, false);
    };
    const auto made = generated_.find(key);
    if (made != generated_.end() && made->second.given == timed.sizes) return use(made->second.problem);
    trial_->kernels->setStep(tr("Generating a problem for %1").arg(trial_->what.id));
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("problem of a trial"),
        [&analysis, size = key.second, given = timed.sizes] {
            Progress progress;
            return generatedProblem(analysis, size, progress, given);
        },
        [this, key, use, given = timed.sizes, started = started_](GeneratedProblem problem) {
            const Generated& kept = generated_[key] = {given, std::move(problem)};
            if (started == started_) use(kept.problem);
        },
        [this, started = started_](const Error& error) {
            if (started == started_) tell(error);
        });
}

void KernelTrials::run(Request request, bool ticked) {
    const DeviceInfo* const device = bench_.request.device();
    if (!device) return tell(Error(ErrorKind::run, "the worker is not ready yet"));
    request.device = DeviceId(*device).text();
    request.variant = trial_->what.id.toStdString();
    request.guarded = true;
    request.check = CheckMode::sample;
    if (trial_->kernels) trial_->kernels->setStep(tr("%1 is waiting for its turn").arg(trial_->what.id));
    trial_->request = request;
    trial_->number = bench_.queue.tryOut(request, ticked);
}

void KernelTrials::take(int number, const std::shared_ptr<const Run>& run) {
    if (!trial_ || trial_->number != number) return takeEarlier(number, run);
    putVerdict(*trial_, *run);
    emit passed();
    // A wrong kernel may be fast because it skips work.
    if (run->verdict.state == Verdict::State::fail)
        return noTimes(tr("not timed because its result is wrong"));
    time(*run);
}

void KernelTrials::takeEarlier(int number, const std::shared_ptr<const Run>& run) {
    const auto found = std::ranges::find(earlier_, std::optional(number), &Trial::number);
    if (found == earlier_.end()) return;
    Trial trial = std::move(*found);
    earlier_.erase(found);
    putVerdict(trial, *run);
    trial.result.note = tr("not timed: another run was started");
    show(trial);
}

void KernelTrials::putVerdict(Trial& trial, const Run& run) const {
    trial.ended = true;
    TrialResult& result = trial.result;
    result.base = trial.what.base;
    result.verdict = run.verdict;
    result.guarded = run.request.guarded;
    result.kernelNanoseconds = static_cast<double>(total(run.timings, StageKind::kernel));
    result.compiled = compiled_defines(run);
    for (const BuildLog& build : run.builds)
        if (build.source_file == run.request.kernel_file) result.buildLog += build.log + "\n";
    result.printed = firstPrinted(run.printed);
    result.problem = trial.problem.isEmpty() ? pageProblem(run) : trial.problem;
    result.placeCanBeShown = trial.what.data == TrialData::page && !run.verdict.place.empty();
}

QString KernelTrials::pageProblem(const Run& run) const {
    const Analysis& analysis = bench_.registry()->analysis(run.request.analysis);
    const AnalysisInfo& info = analysis.info();
    const QString sizes = sizesText(info, run.request.parameters), data = dataText(run);
    if (sizes.isEmpty()) {
        const QString values =
            joinedTexts({data, valuesText(analysis, run.request.parameters)}, QStringLiteral("; "));
        return values.isEmpty() ? tr("on the page's data") : tr("as on the page: %1").arg(values);
    }
    QStringList all;
    if (!data.isEmpty()) all << data;
    all << sizes;
    const ParameterSet choices = choices_among(info, run.request.parameters);
    for (const ParameterSpec& spec : info.benchmark) {
        const auto at = choices.find(spec.id);
        if (at == choices.end() || std::holds_alternative<std::monostate>(at->second)) continue;
        if (!std::holds_alternative<std::int64_t>(at->second) && valueText(spec, at->second) != QString())
            all << QStringLiteral("%1 %2").arg(QString::fromStdString(spec.label),
                                               valueText(spec, at->second));
    }
    return tr("as on the page: %1").arg(all.join(QStringLiteral(", ")));
}

void KernelTrials::time(const Run& run) {
    const std::string own = trial_->what.id.toStdString(), base = trial_->what.base.toStdString();
    BenchPlan plan;
    plan.analysis = run.request.analysis;
    plan.request = run.request;
    plan.variants = {base, own};
    plan.user_tuned = false;  // tuned values never apply to the copy
    plan.device = run.request.device;
    plan.memory_limit = run.request.memory_limit;
    plan.check = CheckMode::none;
    plan.repeats = repeatsFor(trial_->what.repeats, trial_->result.kernelNanoseconds);
    plan.warmups = trial_->what.repeats || plan.repeats == mostRepeats ? 1 : 0;
    // The text that was checked, whatever happens to its file.
    plan.kernel_sources[own] = {run.request.kernel_file, run.request.kernel_source};
    trial_->result.note = tr("now being timed alternately with %1, %2 runs each ...")
                              .arg(trial_->what.base)
                              .arg(static_cast<qulonglong>(plan.repeats));
    trial_->result.underWay = true;
    if (const Variant* const of = this->base(); of && !of->defines.empty() && bench_.request.usesTuned())
        trial_->result.baseNote =
            tr("%1 with its built-in definitions, not tuned ones").arg(trial_->what.base);
    if (trial_->kernels)
        trial_->kernels->setStep(tr("Timing %1 and %2 alternately").arg(trial_->what.id, trial_->what.base));
    show();
    const auto mine = [this, started = started_] { return started_ == started && trial_; };
    bench_.queue.add(TimedTurns{
        {workerJob<wire::BenchJob>(this, {std::move(plan)},
                                   {.answer =
                                        [this, mine](const auto& report) {
                                            if (mine()) takeTimes(*report);
                                        },
                                    .failed =
                                        [this, mine](const Error& error) {
                                            if (mine())
                                                noTimes(
                                                    tr("not timed: %1").arg(QString::fromUtf8(error.what())));
                                        }}),
         tr("Timing %1 and %2").arg(trial_->what.id, trial_->what.base)}});
}

void KernelTrials::takeTimes(const BenchReport& report) {
    TrialTimes times;
    for (const BenchRow& row : report.points.front().rows) {
        const bool own = row.variant.id == trial_->what.id.toStdString();
        (own ? times.own : times.base) = row.times(&BenchSample::kernel);
        if (!row.not_run.empty())
            times.failure =
                (row.verdict.state == Verdict::State::fail ? tr("%1 is wrong: %2") : tr("%1 failed: %2"))
                    .arg(QString::fromStdString(row.variant.id), QString::fromStdString(row.not_run));
    }
    trial_->result.note.clear();
    trial_->result.underWay = false;
    trial_->result.times = std::move(times);
    show();
}

void KernelTrials::timeBase(const Error& error) {
    const std::string base = trial_->what.base.toStdString();
    BenchPlan plan;
    plan.analysis = trial_->request.analysis;
    plan.request = trial_->request;
    plan.request->variant = base;
    plan.request->guarded = false;
    plan.variants = {base};
    plan.user_tuned = false;
    plan.device = trial_->request.device;
    plan.memory_limit = trial_->request.memory_limit;
    plan.check = CheckMode::none;
    plan.repeats = 1;
    plan.warmups = 0;
    const auto add = [this, error, started = started_](const QString& found) {
        if (started_ != started || !trial_) return;
        const std::string hint = found.toStdString() + (error.hint().empty() ? "" : "; " + error.hint());
        tell(Error(error.kind(), error.message(), error.where(), hint, error.details()));
    };
    bench_.queue.add(TimedTurns{
        {workerJob<wire::BenchJob>(
             this, {std::move(plan)},
             {.answer =
                  [add, ofBase = trial_->what.base](const auto& report) {
                      for (const BenchRow& row : report->points.front().rows)
                          add(row.samples.empty()
                                  ? tr("its base, %1, was not run: %2")
                                        .arg(ofBase, QString::fromStdString(row.not_run))
                                  : tr("its base, %1, takes %2 on the same problem")
                                        .arg(ofBase, formatDuration(row.median(&BenchSample::kernel))));
                  },
              .failed =
                  [add, ofBase = trial_->what.base](const Error& why) {
                      add(tr("its base, %1, failed as well: %2")
                              .arg(ofBase, QString::fromStdString(why.message())));
                  }}),
         tr("Timing %1").arg(trial_->what.base)}});
}

void KernelTrials::noTimes(const QString& why) {
    trial_->result.note = why;
    trial_->result.underWay = false;
    show();
}

void KernelTrials::fail(int number, const Error& error) {
    if (trial_ && trial_->number == number) {
        tell(error);
        if (says_that_it_did_not_end(error)) timeBase(error);
        return;
    }
    const auto found = std::ranges::find(earlier_, std::optional(number), &Trial::number);
    if (found == earlier_.end()) return;
    const Trial trial = std::move(*found);
    earlier_.erase(found);
    tell(trial, error);
}

void KernelTrials::tell(const Trial& of, const Error& found) {
    const std::string& analysis = of.request.analysis;
    const Error error = analysis.empty()
                            ? found
                            : with_fields(found, bench_.registry()->analysis(analysis).info().parameters);
    const bool shown = isShown(of);
    if (isNewest(of)) {
        trial_->ended = true;
        if (of.kernels) of.kernels->endTrial();
    }
    if (shown) of.kernels->setError(error);
    if (of.kernels) of.kernels->history().take(of.what, error);
    std::string where = of.what.id.toStdString();
    if (!error.where().empty()) where += ": " + error.where();
    emit failed(Error(error.kind(), error.message(), where, error.hint(), error.details()), shown);
}

void KernelTrials::show(const Trial& of) const {
    if (of.kernels) of.kernels->history().take(of.what, of.result);
    if (of.kernels && isNewest(of) && !of.result.underWay) of.kernels->endTrial();
    if (isShown(of)) of.kernels->setResult(of.result);
}

bool KernelTrials::isNewest(const Trial& trial) const {
    return trial_ && &trial == &*trial_;
}

bool KernelTrials::isShown(const Trial& of) const {
    const bool again =
        !isNewest(of) && trial_ && trial_->what.analysis == of.what.analysis && trial_->what.id == of.what.id;
    return of.kernels && of.kernels->isOpen(of.what) && !again;
}

}  // namespace ks::ui
