#include "ui/shell/page_runs.h"

#include <QFileInfo>
#include <QSet>
#include <QStringList>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/devices/device_id.h"
#include "core/io/files/data_name.h"
#include "core/io/series/series.h"
#include "core/record/changed_files.h"
#include "core/record/made_elsewhere.h"
#include "core/record/saved_run.h"
#include "core/run/errors/told_warnings.h"
#include "core/run/parameters/parameter_names.h"
#include "core/run/repeats/repeats.h"
#include "core/run/user/trusted_code.h"
#include "ui/base/parameter_form.h"
#include "ui/files/data_identity.h"
#include "ui/runs/run_source.h"
#include "ui/runs/same_inputs.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/drawer.h"
#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

constexpr int refusedAfter = 1000;  ///< milliseconds without a change after which a preview's error is shown
constexpr int longestWaitMs = 20'000;  ///< limit for files that a page reads again before its run starts
constexpr int lateAfter =
    250;  ///< milliseconds that a preview may take before the display is marked as outdated

/// A file is the same under any name that leads to it.
bool sameInput(const InputRef& a, const InputRef& b) {
    if (a == b) return true;
    if (a.values || b.values) return false;
    if (isSameData(a.name, b.name)) return true;
    const io::DataName one = io::DataName::parse(a.name), other = io::DataName::parse(b.name);
    std::error_code failed;
    return one.object == other.object && std::filesystem::equivalent(one.file, other.file, failed);
}

/// "a.csv", "img_#.tif (new file img_3.tif)".
QStringList textsOf(const std::vector<FileChange>& changes) {
    QStringList texts;
    for (const FileChange& one : changes) {
        const QString leaf = QFileInfo(QString::fromStdString(one.name)).fileName();
        texts << (one.details.empty()
                      ? leaf
                      : PageRuns::tr("%1 (%2)").arg(leaf, QString::fromStdString(one.details)));
    }
    texts.removeDuplicates();
    return texts;
}

/// Errors of what a run is made of, not of the device or of the program.
bool isOfInputs(const Error& error) {
    return error.kind() == ErrorKind::input || error.kind() == ErrorKind::build;
}

/// QueuedMeasurement::changed, told to the page that measures while there is one.
template <class By>
auto changedBy(By& by) {
    return [by = QPointer(&by)](bool running) {
        if (by) emit by->changed(running);
    };
}

bool sameAttempt(const std::variant<Request, std::string>& a, const std::variant<Request, std::string>& b) {
    const auto *const one = std::get_if<Request>(&a), *const other = std::get_if<Request>(&b);
    if (!one || !other) return !one && !other && std::get<std::string>(a) == std::get<std::string>(b);
    return one->analysis == other->analysis && one->variant == other->variant &&
           one->device == other->device && one->inputs == other->inputs &&
           one->parameters == other->parameters && one->defines == other->defines &&
           one->memory_limit == other->memory_limit && one->user_tuned == other->user_tuned;
}

}  // namespace

PageRuns::PageRuns(Workbench& bench)
    : bench_(bench),
      live_(
          bench.queue, [this](double share) { return makePreview(share); },
          [this] { return previewAtOnce(); }),
      repeatCauses_(bench.jobs),
      causes_(bench.jobs) {
    followWorker();
    followFiles();
    followLive();
    followDesk();
    late_.setSingleShot(true);
    late_.setInterval(lateAfter);
    connect(&late_, &QTimer::timeout, this, [this] {
        isLate_ = live_.behind();
        if (isLate_) showOutdated();
    });
    refused_.setSingleShot(true);
    refused_.setInterval(refusedAfter);
    connect(&refused_, &QTimer::timeout, this, [this] {
        if (refusal_) emit previewFailed(labelled(*refusal_));
    });
    lacking_.setSingleShot(true);
    lacking_.setInterval(lateAfter);
    connect(&lacking_, &QTimer::timeout, this, [this] {
        isLacking_ = !missing().isEmpty();
        if (isLacking_) showOutdated();
    });
    connect(&bench_.request, &RequestForm::changed, this, [this] {
        const auto responding = reaction();
        emit changed();
        const DeviceInfo* const now = bench_.request.device();
        const std::string device = now ? DeviceId(*now).text() : std::string();
        if (std::exchange(device_, device) != device)
            previewAgain();
        else
            showOutdated();
    });
    connect(&bench_.request.variants(), &VariantPicker::variantChanged, this, &PageRuns::previewAgain);
    connect(&bench_.request.parameters(), &ParameterForm::edited, this, [this](const QStringList& ids) {
        if (!shown()) return;
        const auto responding = reaction();
        bench_.request.showTraits();
        shown()->formEdited(ids, bench_.request.parameters().values());
        showOutdated();
    });
    connect(&bench_.runs, &RunTableModel::tickedChanged, this, &PageRuns::show);
    connect(&failure_, &PassingError::failed, &bench_.messages, &Messages::failed);
    connect(&failure_, &PassingError::mended, this, &PageRuns::mended);
    connect(&causes_, &ErrorCauses::changed, this, [this] {
        causesChanged_ = true;
        failure_.review();
    });
    connect(&repeatCauses_, &ErrorCauses::changed, this, [this] {
        if (repeatFailure_) emit mended(std::exchange(repeatFailure_, std::nullopt)->error);
    });
}

void PageRuns::followWorker() {
    connect(&bench_.worker, &WorkerClient::catalogueReady, this, [this](const wire::Catalogue& catalogue) {
        bench_.desk.setCatalogue(catalogue);
        bench_.runs.lookAtTexts();
        showOpenRequests();
        catchUp();  // kernel texts may have changed
    });
    const RunQueue& queue = bench_.queue;
    connect(&queue, &RunQueue::notRun, this, [this](int number, const Error& error) {
        startedFailed_ = started_ && started_->number == number && isOfInputs(error);
        notRun_ = error;
        const auto repeat = repeats_.find(number);
        failedRepeatOf_ = repeat == repeats_.end() || error.kind() == ErrorKind::cancelled
                              ? std::nullopt
                              : std::optional(repeat->second);
        repeats_.erase(number);
    });
    connect(&queue, &RunQueue::failed, this, &PageRuns::runFailed);
    connect(&queue, &RunQueue::runAdded, this,
            [this](int number, const std::shared_ptr<const Run>& run) { showAdded(number, *run); });
    connect(&queue, &RunQueue::repeatReady, this,
            [this](const RunRow& before, const std::shared_ptr<const Run>& now) {
                if (repeatFailure_ && repeatFailure_->of == before.number)
                    emit mended(std::exchange(repeatFailure_, std::nullopt)->error);
                tellWhetherSame(before, now);
            });
    connect(&queue, &RunQueue::verdictChanged, this, &PageRuns::tellPage);
    connect(&queue, &RunQueue::verdictChanged, this, &PageRuns::judgePreview);
    connect(&queue, &RunQueue::verdictChanged, this, &PageRuns::withdrawWarning);
    connect(&bench_.desk.textFaults(), &TextFaults::changed, this, &PageRuns::judgePreview);
    connect(&queue, &RunQueue::supplemented, this, &PageRuns::tellPage);
}

void PageRuns::followDesk() {
    connect(&bench_.desk, &Desk::sweepWanted, this, [this](Sweep* by, const std::vector<BenchPlan>& plans) {
        if (by->parent() == page()) sweep(*by, plans);
    });
    connect(&bench_.desk, &Desk::tuneWanted, this,
            [this](Tuning* by, const TunePlan& plan, std::shared_ptr<const TuneReport> before) {
                if (by->parent() == page()) tune(*by, plan, std::move(before));
            });
    connect(&bench_.desk, &Desk::ceilingsWanted, this, &PageRuns::measureCeilings);
    connect(&bench_.desk, &Desk::asked, this,
            [this](const WorkerJob& job) { bench_.queue.add(Question{{job}}); });
}

void PageRuns::followFiles() {
    const FileSession& files = bench_.files;
    connect(&files, &FileSession::pageGiven, this, [this](Page* one) {
        if (one != page()) return showOpenRequests();
        // The page has dropped its preview, which was of the file before.
        if (!std::exchange(preview_, nullptr)) return;
        live_.stop();
        if (isLive_)
            previewWanted();
        else
            showOutdated();
    });
    // A preview would have other contents than the display.
    connect(&files, &FileSession::changedOnDisk, this, &PageRuns::stopLive);
    connect(&files, &FileSession::changedOnDisk, this, &PageRuns::changed);
    connect(&files, &FileSession::restoredOnDisk, this, [this] {
        for (AnalysisPage* one : bench_.files.analysisPages())
            if (bench_.files.given(*one) == bench_.files.file()) emit one->fileRestored();
    });
    connect(&files, &FileSession::notOpened, this, [this] { waiting_.reset(); });
    connect(&files, &FileSession::opened, this, [this] {
        if (!waiting_) return;
        if (const QString leaf = std::exchange(waiting_->reopens, {}); !leaf.isEmpty())
            emit bench_.messages.said(
                waiting_->gone ? tr("%1 is gone: the data were reopened without it for the run, and frame "
                                    "numbers may have changed")
                                     .arg(leaf)
                               : tr("%1 changed on disk and was reopened for the run").arg(leaf),
                15000);
        // What is missing then is the user's choice, and so is the run.
        QTimer::singleShot(longestWaitMs, this, [this] { waiting_.reset(); });
        startWaiting();
    });
}

void PageRuns::followLive() {
    connect(&live_, &LivePreview::ready, this, [this](const std::shared_ptr<const Run>& run) {
        if (shown() && isLive_) showPreview(run);
        endRefusal();
        if (!live_.behind()) endWait();
        emit changed();
    });
    connect(&live_, &LivePreview::none, this, &PageRuns::withdrawPreview);
    // Edits made during a run or a measurement. Later: the queue is just about to choose its next job.
    connect(
        &bench_.queue, &RunQueue::busyChanged, this,
        [this](bool busy) {
            if (!busy && isLive_ && live_.turnedAway()) previewWanted();
        },
        Qt::QueuedConnection);
    connect(&live_, &LivePreview::failed, this, &PageRuns::refusePreview);
}

// The result of a hidden page's job is not for the visible page.
void PageRuns::follow(Page& one) {
    const auto isShown = [this, &one] { return page() == &one; };
    AnalysisPage* const role = bench_.files.analysisPage(one);
    if (role)
        role->setComparison([this, isShown](const Run& run) {
            return isShown() && bench_.request.analysis() ? outdated(run) : QStringList();
        });
    const auto inputsChanged = [this, isShown, role] {
        const auto responding = reaction();
        emit changed();
        if (!isShown()) {
            // Those of other pages are no part of the open requests, which they may follow.
            if (role) showOpenRequests();
            return;
        }
        // The cause of a refusal may be a file that is there again.
        if (refusal_ && role)
            previewAgain();
        else
            showOutdated();
        startWaiting();
    };
    connect(&one, &Page::inputsChanged, this, inputsChanged);
    connect(&one, &Page::failed, this, [this] { waiting_.reset(); });
    connect(&one, &Page::cancelWanted, this, [this, isShown] {
        if (isShown()) cancel();
    });
    if (!role) return;
    connect(role, &AnalysisPage::runRequested, this, [this, isShown] {
        if (!isShown()) return;
        if (const RunRow* const made = madeBefore())
            pointTo(*made);
        else
            start();
    });
    connect(role, &AnalysisPage::supplementWanted, this, [this, isShown](const Supplement& wanted) {
        if (isShown()) bench_.queue.add(wanted);
        emit changed();
    });
    connect(role, &AnalysisPage::fullCheckWanted, this, [this](int number) {
        bench_.queue.add(QueuedCheck{number, CheckMode::full});
        emit changed();
    });
    connect(role, &AnalysisPage::parametersChanged, this, [this, isShown](const ParameterSet& values) {
        if (isShown()) bench_.request.parameters().setValues(values);
    });
    connect(role, &AnalysisPage::runAmended, this, [this](int number, const std::shared_ptr<const Run>& run) {
        const RunRow* const before = bench_.runs.find(number);
        const bool other = before && told_warnings(*before->run) != told_warnings(*run);
        bench_.runs.replaceRun(number, run);
        if (other && number == warnedOf_) {
            const auto [sentence, details] = warningOf(number, *run);
            emit warningChanged(sentence, details);
        }
        tellPage(number);
        emit changed();
    });
    connect(role, &AnalysisPage::previewWanted, this, [this, isShown, inputsChanged] {
        if (!isShown()) return inputsChanged();
        const auto responding = reaction();
        previewWanted();
        startWaiting();
    });
}

Page* PageRuns::page() const {
    return bench_.files.page();
}

AnalysisPage* PageRuns::shown() const {
    return bench_.files.analysisPage();
}

std::shared_ptr<const Request> PageRuns::filled() const {
    if (filled_) return filled_;
    Request asked;
    shown()->fill(asked);
    auto made = std::make_shared<const Request>(std::move(asked));
    if (reactions_ > 0) filled_ = made;
    return made;
}

QString PageRuns::missing() const {
    if (!page()) return tr("no page is open");
    if (shown() && bench_.files.file() && !bench_.files.pageAccepts() && shown()->needsFile())
        return tr("the %1 page cannot use %2; open another file")
            .arg(page()->title(), QFileInfo(bench_.files.file()->path).fileName());
    return page()->missing();
}

Request PageRuns::makeRequest() const {
    if (!bench_.request.analysis()) throw Error(ErrorKind::run, "the worker is not ready yet");
    if (const QString lacking = missing(); !lacking.isEmpty())
        throw Error(ErrorKind::input, lacking.toStdString());
    return bench_.request.request(*filled());
}

bool PageRuns::previewable() const {
    if (!shown() || !missing().isEmpty()) return false;
    const bool changed = readsOpenFile() && bench_.files.changedFileLately();
    return !changed && !shown()->renewInputs();
}

std::shared_ptr<const Run> PageRuns::previewAtOnce() const {
    const bool may = shown() && shown()->previewsAtOnce() && previewable();
    return may ? shown()->previewAtOnce(makeRequest()) : nullptr;
}

std::optional<LivePreview::Wanted> PageRuns::makePreview(double share) const {
    if (!previewable()) return std::nullopt;
    Request request = makeRequest();
    if (!bench_.request.refused(request.analysis, request.parameters).isEmpty()) return std::nullopt;
    const AnalysisPage::Reduced reduced = shown()->reduce(request, share);
    if (reduced == AnalysisPage::Reduced::noPreviews) return std::nullopt;
    return LivePreview::Wanted{std::move(request), reduced == AnalysisPage::Reduced::whole,
                               reduced == AnalysisPage::Reduced::most};
}

void PageRuns::start() {
    waiting_.reset();
    if (page() && page()->startsItself()) return page()->start();
    if (renews()) return;
    if (!awaits()) return startNow();
    waiting_ = Waiting{page(), {}, false, true};
    emit bench_.messages.said(tr("The run starts as soon as its inputs are complete"), 15000);
}

bool PageRuns::awaits() const {
    if (!shown() || !shown()->inputState().awaited) return false;
    return !bench_.files.file() || bench_.files.pageAccepts() || !shown()->needsFile();
}

bool PageRuns::reopens() const {
    const std::optional<QString>& changed = bench_.files.knownChange();
    return shown() && readsOpenFile() && changed && io::is_there(changed->toStdString());
}

bool PageRuns::readsOpenFile() const {
    const auto& file = bench_.files.file();
    return page() && file && bench_.files.given(*page()) == file;
}

bool PageRuns::renews() {
    if (!shown()) return false;
    // What is missing may be what could not be read: bins of a file that was gone.
    const bool complete = missing().isEmpty();
    if (const auto changed = readsOpenFile() ? bench_.files.changedFile() : std::nullopt;
        changed && (complete || io::is_there(changed->toStdString()))) {
        waiting_ = Waiting{page(), QFileInfo(*changed).fileName(), !io::is_there(changed->toStdString())};
        bench_.files.reopen();
        return true;
    }
    if (!complete) return false;
    // Before asking the page: inputs that need no job are available at once.
    waiting_ = Waiting{page(), {}};
    if (shown()->renewInputs()) return true;
    waiting_.reset();
    return false;
}

// A file that keeps growing has changed again by now: that is no reason to wait once more.
void PageRuns::startWaiting() {
    if (!waiting_ || !waiting_->reopens.isEmpty()) return;
    if (waiting_->page != page()) return waiting_.reset();
    // Newer inputs may be next; if none are, a run that is still not possible says why.
    if (waiting_->computes ? awaits() : !missing().isEmpty()) return;
    if (waiting_->computes) emit bench_.messages.said({});  // that it waits
    waiting_.reset();
    startNow();
}

void PageRuns::startNow() {
    filled_.reset();
    try {
        const Request request = makeRequest();
        if (!mayCompile(request)) return;
        stopLive();
        emit starts();
        failure_.forget();
        causes_.end();
        const int number = bench_.queue.run(request, true, {}, shown() ? shown()->repeatSet() : RepeatSet());
        started_ = Started{number, request};
    } catch (const Error& error) {
        if (isOfInputs(error))
            refuse(error, error, attempt());
        else
            emit bench_.messages.failed(labelled(error));
    }
    emit changed();
}

const RunRow* PageRuns::madeBefore() {
    Request now;
    filled_.reset();
    try {
        now = makeRequest();
    } catch (const Error&) {
        return nullptr;  // start() reports it
    }
    filled_.reset();
    if (readsOpenFile() && bench_.files.changedFile()) return nullptr;
    const auto isSame = [&](const RunRow& row) {
        const Run& run = *row.run;
        const bool sameText = run.variant.from_user() ? !bench_.request.kernelChanged(run)
                                                      : run.request.kernel_source == now.kernel_source;
        // A run names its devices in its own way.
        const bool sameDevices = run.variant.on_host() || bench_.request.otherChoices(run).isEmpty();
        return sameInputs(run.request, now) && bench_.runs.isOfContents(row) && sameText &&
               run.request.defines == now.defines && sameDevices &&
               run.request.memory_limit == now.memory_limit && run.request.user_tuned == now.user_tuned &&
               run.variant.id == now.variant && !isOfOtherRepeats(run);
    };
    const auto found = std::ranges::find_if(bench_.runs.rows(), isSame);
    return found == bench_.runs.rows().end() ? nullptr : &*found;
}

// As if it had just been added.
void PageRuns::pointTo(const RunRow& row) {
    const int number = row.number;
    QSet<int> ticked{number};
    for (const RunRow& one : bench_.runs.rows())
        if (one.ticked && one.run->request.analysis != row.run->request.analysis) ticked.insert(one.number);
    bench_.runs.tickOnly(ticked);
    shown()->setRuns(bench_.runs.ticked(page()->analysis()));
    emit bench_.messages.said(tr("Run %1 has the same inputs and is shown again").arg(number), 15000);
}

std::variant<Request, std::string> PageRuns::attempt() const {
    try {
        return makeRequest();
    } catch (const Error& error) {
        return std::string(error.what());
    }
}

void PageRuns::runFailed(const Error& error, const std::string& analysis) {
    // As it was before the queue named the run.
    const Error cause = std::exchange(notRun_, std::nullopt).value_or(error);
    // Another page may be shown by now.
    const Error told = analysis.empty()
                           ? error
                           : with_fields(error, bench_.registry()->analysis(analysis).info().parameters);
    if (const std::optional<int> of = std::exchange(failedRepeatOf_, std::nullopt)) {
        repeatFailure_ = RepeatFailure{*of, labelled(told)};
        if (const RunRow* const row = bench_.runs.find(*of))
            watchCause(repeatCauses_, cause, &row->run->request);
    }
    // If the inputs are other ones by now, nobody has seen the error: it stays until it is dismissed.
    if (std::exchange(startedFailed_, false) && sameAttempt(started_->request, attempt()))
        refuse(told, cause, started_->request);
    else
        emit bench_.messages.failed(labelled(told));
}

void PageRuns::refuse(const Error& error, const Error& cause, std::variant<Request, std::string> made) {
    causesChanged_ = false;
    watchCause(causes_, cause, std::get_if<Request>(&made));
    failure_.show(labelled(error),
                  [this, made = std::move(made)] { return !causesChanged_ && sameAttempt(made, attempt()); });
}

void PageRuns::watchCause(ErrorCauses& causes, const Error& error, const Request* request) const {
    causes.watch(error, request ? &bench_.registry()->analysis(request->analysis).info() : nullptr, request);
}

void PageRuns::repeat(int number) {
    const RunRow* row = bench_.runs.find(number);
    if (!row) return;
    try {
        require_repeatable(*row->run);
    } catch (const Error& error) {
        return emit bench_.messages.failed(error);
    }
    if (!mayCompile(row->run->request)) return;
    repeats_[bench_.queue.run(row->run->request, false, *row, set_of(*row->run))] = number;
    emit changed();
}

bool PageRuns::mayCompile(const Request& request) {
    const QString file = request.from_file.empty()
                             ? bench_.request.refused(request.analysis, request.parameters)
                             : QString::fromStdString(request.from_file);
    if (file.isEmpty()) return true;
    const std::string code = code_in(bench_.registry()->analysis(request.analysis), request);
    if (is_known_code(code, bench_.desk.catalogue().kernel_files)) return true;
    const auto& ask = bench_.files.trust().compile;
    const QString what = QString::fromStdString(title_of_code(request));
    if (!ask || !ask(file, what, QString::fromStdString(code))) {
        emit bench_.messages.said(tr("Nothing was compiled"), 5000);
        return false;
    }
    know_code(code);
    return true;
}

// Each combination of a plan's texts counts as separate code.
bool PageRuns::mayCompile(const BenchPlan& plan) {
    if (plan.request) return mayCompile(*plan.request);
    std::vector<ParameterSet> all(1);
    for (const auto& [id, values] : plan.sizes) {
        std::vector<ParameterSet> more;
        for (const ParameterSet& one : all)
            for (const ParameterValue& value : values)
                if (std::holds_alternative<std::string>(value) || more.empty()) {
                    more.push_back(one);
                    more.back()[id] = value;
                }
        if (!more.empty()) all = std::move(more);
    }
    return std::ranges::all_of(all, [this, &plan](const ParameterSet& sizes) {
        Request request;
        request.analysis = plan.analysis;
        request.parameters = among(bench_.registry()->analysis(plan.analysis).info().parameters, sizes);
        return mayCompile(request);
    });
}

void PageRuns::cancel() {
    waiting_.reset();
    stopLive();
    bench_.queue.cancel();
    if (shown()) shown()->cancel();
    emit changed();
}

void PageRuns::cancelAll() {
    waiting_.reset();
    stopLive();
    bench_.queue.cancelAll();
    emit changed();
}

void PageRuns::setLive(bool on) {
    isLive_ = on;
    live_.stop();
    if (!on)
        withdrawPreview();
    else if (!outdated().isEmpty())
        previewWanted();  // changes made in the meantime
}

void PageRuns::previewWanted() {
    bench_.request.showTraits();
    const bool same = isRun();
    if (same) live_.stop();
    waitsForWorker_ = isLive_ && !same && !bench_.worker.ready();
    refused_.stop();
    if (isLive_ && bench_.worker.ready() && !same) {
        if (!late_.isActive()) late_.start();
        live_.changed();
    } else {
        withdrawPreview();
    }
    emit changed();
    showOutdated();
}

void PageRuns::previewAgain() {
    if (isLive_ && shown() && bench_.request.analysis() && (preview_ || live_.behind() || refusal_))
        previewWanted();
    else
        showOutdated();
}

// Do not wait for the requested data: a preview of the earlier data must not be shown for them.
void PageRuns::stopLive() {
    if (live_.behind()) withdrawPreview();
    live_.stop();
    endRefusal();
}

void PageRuns::showPreview(const std::shared_ptr<const Run>& run) {
    const bool before = std::exchange(preview_, bench_.runs.judgedPreview(run)) != nullptr;
    if (shown()) shown()->setPreview(preview_);
    if (before != (preview_ != nullptr)) showOutdated();
}

void PageRuns::judgePreview() {
    if (preview_ && bench_.runs.judgedPreview(preview_)->verdict.state != preview_->verdict.state)
        showPreview(preview_);
}

void PageRuns::withdrawPreview() {
    showPreview(nullptr);
    endRefusal();
    endWait();
}

void PageRuns::refusePreview(const Error& error) {
    showPreview(nullptr);
    endWait();
    refusal_ = error;
    refused_.start();
}

void PageRuns::endRefusal() {
    refused_.stop();
    if (std::exchange(refusal_, std::nullopt)) emit previewPassed();
}

Error PageRuns::labelled(const Error& error) const {
    const AnalysisInfo* const info = bench_.request.analysis();
    return info ? with_fields(error, info->parameters) : error;
}

const RunRow* PageRuns::newestOfFile() const {
    if (!shown() || !bench_.request.analysis()) return nullptr;
    const std::vector<RunRow> ticked = bench_.runs.ticked(page()->analysis());
    const auto& file = bench_.files.file();
    const auto ofFile = [&file, needsFile = shown()->needsFile()](const RunRow& row) {
        if (made_elsewhere(*row.run)) return false;
        if (row.run->request.inputs.empty()) return true;
        const bool isOfOpen =
            file && (isRepeatOf(*row.run, file->name.toStdString()) ||
                     std::ranges::any_of(row.run->request.inputs, [&file](const auto& input) {
                         return sameInput(input.second, {file->name.toStdString(), {}});
                     }));
        // If the page needs no file, another one is a change like any other.
        return isOfOpen ? readContents(*row.run, file->record, file->states) : !needsFile;
    };
    const auto row = std::ranges::find_if(ticked, ofFile);
    return row == ticked.end() ? nullptr : bench_.runs.find(row->number);
}

bool PageRuns::isRun() const {
    return newestOfFile() && missing().isEmpty() && outdated().isEmpty();
}

QStringList PageRuns::otherInputs(const Run& run) const {
    const AnalysisInfo* const info = bench_.request.analysis();
    if (!info) return {};
    if (!missing().isEmpty())
        return isLacking_ ? QStringList(tr("inputs are missing or invalid")) : QStringList();
    const std::shared_ptr<const Request> now = filled();
    const AnalysisPage::InputState state = shown()->inputState();
    const auto otherContents = [&](const std::string& role) {
        const auto read = state.files.find(role);
        return read != state.files.end() && !readContents(run, read->second.record, read->second.states);
    };
    QStringList labels;
    for (const InputSpec& input : info->inputs) {
        const auto is = now->inputs.find(input.role), was = run.request.inputs.find(input.role);
        const bool both = is != now->inputs.end() && was != run.request.inputs.end();
        const bool neither = is == now->inputs.end() && was == run.request.inputs.end();
        // The request of an average names one of its repeats.
        const bool same =
            both && (sameInput(is->second, was->second) ||
                     (input.role == info->inputs.front().role && isRepeatOf(run, is->second.name)));
        const QString label = QString::fromStdString(input.label);
        if (same && state.gone.contains(input.role))
            labels << tr("the %1's file is gone").arg(label.left(1).toLower() + label.mid(1));
        else if (!neither && (!same || otherContents(input.role)) &&
                 !(state.uses && state.uses(run, input.role)))
            labels << label;
    }
    if (isOfOtherRepeats(run))
        labels << tr("Repeats");
    else if (state.changedRepeats)
        labels += state.changedRepeats(run);
    return labels;
}

bool PageRuns::isOfOtherRepeats(const Run& run) const {
    return !std::ranges::equal(
        names_of_repeats(run), shown()->repeats(),
        [](const std::string& was, const std::string& is) { return sameInput(InputRef{was}, InputRef{is}); });
}

QStringList PageRuns::outdated() const {
    const RunRow* const row = newestOfFile();
    return row ? outdated(*row->run) : QStringList();
}

QStringList PageRuns::outdated(const Run& run) const {
    if (made_elsewhere(run)) return {};  // it was never computed with what the page shows
    const QStringList labels = otherInputs(run) + bench_.request.differing(run);
    // Another text of the same variant is no reason for which another variant would be chosen.
    return labels + bench_.request.otherKernel(run) + bench_.request.otherChoices(run, !labels.isEmpty());
}

ExportedRun PageRuns::exported(const RunRow& row) const {
    const QString run = tr("run %1").arg(row.number);
    const QString name = bench_.runs.dataName(row);
    ExportedRun made{run, name.isEmpty() ? run : tr("%1 of %2").arg(run, name), {}};
    if (!bench_.runs.isOfFile(row))
        made.text = made.title;
    else if (!bench_.runs.isOfContents(row))
        made.text = made.title = tr("%1 of %2 as it was at %3").arg(run, name, madeAt(*row.run));
    if (const QString average = QString::fromStdString(average_text(*row.run)); !average.isEmpty())
        for (QString* const text : {&made.text, &made.title}) *text += QStringLiteral(", ") + average;
    const bool ofPage = page() && bench_.request.analysis() &&
                        page()->analysis() == QString::fromStdString(row.run->request.analysis);
    if (!ofPage) return made;
    if (bench_.runs.isOfContents(row))
        if (const QStringList labels = outdated(*row.run); !labels.isEmpty()) {
            made.outdated = AnalysisPage::outdatedMark(labels);
            for (QString* const text : {&made.text, &made.title})
                *text += QStringLiteral(", ") + made.outdated;
        }
    if (showsPreview())
        made.warning =
            tr("the visible live preview is not part of any run; press Run (F5), then export again");
    return made;
}

void PageRuns::catchUp() {
    const auto responding = reaction();
    if (isLive_ && (std::exchange(waitsForWorker_, false) || !outdated().isEmpty()))
        previewWanted();
    else
        showOutdated();
}

void PageRuns::leavePage() {
    if (page() && isLive_ && (preview_ || live_.behind())) leftWithPreview_.insert(page());
    live_.reset();
}

void PageRuns::showOutdated() {
    // Later: a form that is being filled passes through states that are none.
    if (failure_.isShown()) QTimer::singleShot(0, &failure_, &PassingError::review);
    if (!shown() || !bench_.request.analysis()) return emit marked({}, {});
    const auto responding = reaction();
    showNext();
    if (missing().isEmpty()) {
        lacking_.stop();
        isLacking_ = false;
    } else if (!isLacking_ && !lacking_.isActive()) {
        lacking_.start();
    }
    const QStringList labels = outdated();
    const RunRow* const row = newestOfFile();
    // Inputs may pass through other states on their way back to those of a run: a mask that is being read.
    if (labels.isEmpty() && (preview_ || live_.behind()) && isRun()) {
        live_.stop();
        shown()->setPreview(nullptr);
        preview_.reset();
        isLate_ = false;
        late_.stop();
    }
    shown()->setOutdated(labels);
    QString whole, shorter;
    const QString lacking = isLacking_ && bench_.files.pageAccepts() ? missing() : QString();
    if (isLate_) {
        // Without anything displayed there is nothing that could be outdated.
        const bool displays = row || preview_;
        whole = displays ? tr("Outdated: computing a preview with the current inputs")
                         : tr("Computing a preview");
        shorter = displays ? tr("Outdated") : whole;
    } else if (shown()->drawing()) {
        whole = tr("Outdated: drawing the results of the current inputs");
        shorter = tr("Outdated");
    } else if (row && !labels.isEmpty()) {
        whole = tr("Run %1 is outdated (%2)").arg(row->number).arg(labels.join(QStringLiteral(", ")));
        shorter = tr("Run %1 outdated").arg(row->number);
        if (preview_) {
            whole += tr("; a preview with the current inputs is shown");
            shorter = tr("Preview; run %1 outdated").arg(row->number);
        }
        if (!lacking.isEmpty()) whole += tr("; Run (F5) cannot start yet: %1").arg(lacking);
    } else if (!lacking.isEmpty()) {
        whole = tr("Run (F5) cannot start yet: %1").arg(lacking);
        constexpr qsizetype room = 60;
        shorter = lacking.size() > room ? tr("Cannot run: %1\u2026").arg(lacking.left(room))
                                        : tr("Cannot run: %1").arg(lacking);
    }
    page()->drawer().setMark(whole, shorter);
    emit marked(shorter, whole);
}

void PageRuns::endWait() {
    late_.stop();
    if (std::exchange(isLate_, false)) showOutdated();
}

bool PageRuns::measurable() const {
    return bench_.worker.ready() && bench_.queue.measurable();
}

void PageRuns::sweep(Sweep& by, std::vector<BenchPlan> plans) {
    const DeviceInfo* const device = bench_.request.device();
    if (!device || !measurable())
        return emit bench_.messages.said(tr("Variants can be timed when nothing else is running"), 5000);
    // A size without values is that of the form; if nothing is open, its default.
    const auto isOpen = [](const BenchPlan& plan) {
        return std::ranges::any_of(plan.sizes, [](const auto& size) { return size.second.empty(); });
    };
    ParameterSet form;
    try {
        if (shown() && missing().isEmpty() && std::ranges::any_of(plans, isOpen))
            form = bench_.request.request(*shown()).parameters;
    } catch (const Error& error) {
        return emit bench_.messages.failed(error);
    }
    for (BenchPlan& plan : plans) {
        if (plan.device.empty()) plan.device = DeviceId(*device).text();
        for (auto& [id, values] : plan.sizes)
            if (const auto set = form.find(id); values.empty() && set != form.end())
                values.push_back(set->second);
        std::erase_if(plan.sizes, [](const auto& size) { return size.second.empty(); });
        plan.user_tuned = bench_.request.usesTuned();
    }
    for (const BenchPlan& plan : plans)
        if (!mayCompile(plan)) return;
    stopLive();
    emit starts();
    std::vector<JobData> jobs;
    jobs.reserve(plans.size());
    for (BenchPlan& plan : plans) {
        const QString what = tr("Timing variants of %1").arg(QString::fromStdString(plan.analysis));
        jobs.push_back(QueuedMeasurement{
            {workerJob<wire::BenchJob>(
                 &by, {std::move(plan)},
                 {.answer = [&by](const auto& report) { emit by.ready(*report); },
                  .part = [&by](const auto& row) { emit by.rowDone(row.point, row.sizes, row.row); }}),
             what, tr("benchmark: %1"), changedBy(by)}});
    }
    bench_.queue.add(std::move(jobs));
    emit changed();
}

void PageRuns::tune(Tuning& by, const TunePlan& plan, std::shared_ptr<const TuneReport> before) {
    if (!measurable())
        return emit bench_.messages.said(tr("A variant can be tuned when nothing else is running"), 5000);
    Request asked;
    asked.analysis = plan.analysis;
    asked.parameters = among(bench_.registry()->analysis(plan.analysis).info().parameters, plan.sizes);
    if (!mayCompile(asked)) return;
    stopLive();
    emit starts();
    wire::TuneJob job{plan};
    if (before) job.before = wire::Shared<TuneReport>{std::move(before)};
    bench_.queue.add(QueuedMeasurement{
        {workerJob(&by, std::move(job),
                   Callbacks<wire::TuneJob>{
                       .answer = [&by](const auto& report) { emit by.ready(*report); },
                       .part = [&by](const auto& rows) { emit by.partDone(rows.first, rows.report); }}),
         tr("Tuning %1").arg(QString::fromStdString(plan.variant)), tr("tuning: %1"), changedBy(by)}});
    emit changed();
}

void PageRuns::showOpenRequests() {
    if (!page() || !page()->startsItself()) return;
    std::vector<OpenRequest> open;
    const std::shared_ptr<const OpenFile>& file = bench_.files.file();
    for (const AnalysisPage* one : bench_.files.analysisPages()) {
        if (std::optional<OpenRequest> request = openRequest(one->analysis())) {
            open.push_back(std::move(*request));
        } else if (const QString lacking = one->missing();
                   !lacking.isEmpty() && one->needsFile() && file && bench_.files.given(*one) == file) {
            open.push_back({one->title(), {}, lacking});
            open.back().request.analysis = one->analysis().toStdString();
        }
    }
    bench_.desk.setOpenRequests(std::move(open));
}

void PageRuns::showNext() {
    const DeviceInfo* const device = bench_.request.device();
    if (!device) return;
    try {
        Request next = makeRequest();
        bench_.request.showIdle(next);
        next.device = DeviceId(*device).text();
        emit bench_.desk.nextChanged(next);
    } catch (const Error&) {
        // The page reports what it lacks.
    }
}

AnalysisPage* PageRuns::pageWithData(const QString& analysis) const {
    AnalysisPage* const one = bench_.files.pageOf(analysis);
    return one && (one == page() ? missing() : one->missing()).isEmpty() ? one : nullptr;
}

std::optional<OpenRequest> PageRuns::openRequest(const QString& analysis) const {
    const AnalysisPage* const of = pageWithData(analysis);
    if (!of) return std::nullopt;
    try {
        OpenRequest open{of->title(), bench_.request.request(*of)};
        if (!bench_.request.refused(open.request.analysis, open.request.parameters).isEmpty())
            return std::nullopt;
        return open;
    } catch (const Error&) {
        return std::nullopt;  // the page itself reports the error
    }
}

KernelChoice PageRuns::kernelChoice() const {
    KernelChoice choice = page() ? page()->kernelChoice() : KernelChoice();
    if (choice.analysis.isEmpty()) return {lookedAt_, {}};
    if (choice.variant.isEmpty() && choice.analysis == page()->analysis())
        choice.variant = bench_.request.variants().variant();
    return choice;
}

void PageRuns::measureCeilings(const DeviceInfo& device) {
    const RunQueue& queue = bench_.queue;
    if (!queue.measurable())
        return emit bench_.messages.said(
            queue.measuringCeilings()
                ? tr("Ceilings are being measured")
                : tr("A run is in progress; ceilings can be measured once it has finished"),
            5000);
    stopLive();
    bench_.queue.add(QueuedMeasurement{
        {workerJob<wire::CeilingsJob>(this, {DeviceId(device).text()}, {[this](const auto& ceilings) {
                                          bench_.desk.takeCeilings(*ceilings);
                                      }}),
         tr("Measuring the peak rates of %1").arg(QString::fromStdString(device.name)), tr("ceilings: %1")}});
    emit changed();
}

void PageRuns::showAdded(int number, const Run& run) {
    repeats_.erase(number);
    bench_.files.changedFile();  // a repeat reads the files as they are now
    bench_.request.showMemory(run);
    if (const auto [sentence, details] = warningOf(number, run); !sentence.isEmpty()) {
        warnedOf_ = number;
        emit bench_.messages.warnedOfRun(sentence, details);
    }
    tellOtherRepeats(number, run);
    emit changed();
}

std::pair<QString, QString> PageRuns::warningOf(int number, const Run& run) const {
    QStringList lines;
    const AnalysisInfo& info = bench_.registry()->analysis(run.request.analysis).info();
    for (const std::string& warning : told_warnings(run))
        lines << QString::fromStdString(with_fields(warning, info.parameters));
    if (lines.isEmpty()) return {};
    const QString first = tr("Run %1: %2").arg(QString::number(number), lines.takeFirst());
    return {lines.isEmpty() ? first : tr("%1 (and %2 more)").arg(first).arg(lines.size()),
            lines.join(QLatin1Char('\n'))};
}

// What it concluded from wrong values says nothing about the data; its tips have it with that remark.
void PageRuns::withdrawWarning(int number) {
    const RunRow* const row = bench_.runs.find(number);
    if (number != warnedOf_ || !row || !isWrong(*row)) return;
    warnedOf_.reset();
    emit warningWithdrawn();
}

// It is another average under the same name, whether or not the change was noticed before.
void PageRuns::tellOtherRepeats(int number, const Run& run) {
    const std::vector<std::string> repeats = names_of_repeats(run);
    if (repeats.empty()) return;
    const auto before = std::ranges::find_if(bench_.runs.rows(), [&](const RunRow& row) {
        return row.number < number && row.run->request.analysis == run.request.analysis &&
               names_of_repeats(*row.run) == repeats;
    });
    if (before == bench_.runs.rows().end()) return;
    std::vector<FileChange> changes = changed_files(*before->run, run);
    std::erase_if(changes, [](const FileChange& one) { return one.only_time || one.instead_of; });
    if (changes.empty()) return;
    emit bench_.messages.said(tr("Run %1 read other contents than run %2: %3 changed on disk")
                                  .arg(number)
                                  .arg(before->number)
                                  .arg(textsOf(changes).join(QStringLiteral(", "))),
                              15000);
}

void PageRuns::tellPage(int number) {
    const RunRow* row = bench_.runs.find(number);
    if (!row || !row->ticked) return;
    if (AnalysisPage* const one = bench_.files.pageOf(QString::fromStdString(row->run->request.analysis)))
        one->runChanged(*row);
}

void PageRuns::tellWhetherSame(const RunRow& before, const std::shared_ptr<const Run>& now) {
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("compare with the run before"),
        [registry = bench_.registry(), before = before.run, now] {
            Progress progress;
            return difference_of_repeat(registry->analysis(now->request.analysis), *before, *now, progress);
        },
        [this, number = before.number,
         changes = changed_files(*before.run, *now)](const std::optional<std::string>& difference) {
            const QStringList changed = textsOf(changes);
            if (!difference) {
                // A copied or touched file has another time, but may have the same contents.
                emit bench_.messages.said(
                    changed.isEmpty()
                        ? tr("Identical to run %1, byte for byte").arg(number)
                        : tr("Identical to run %1, byte for byte, although files were written since: %2")
                              .arg(number)
                              .arg(changed.join(QStringLiteral(", "))),
                    15000);
            } else if (have_changed(changes)) {
                std::vector<FileChange> others = changes;  // not those that were only written anew
                std::erase_if(others, [](const FileChange& one) { return one.only_time; });
                emit bench_.messages.warned(tr("Since run %1 the data have changed (%2), so comparing the "
                                               "results would be meaningless")
                                                .arg(number)
                                                .arg(textsOf(others).join(QStringLiteral(", "))),
                                            QString::fromStdString(*difference));
            } else {
                emit bench_.messages.warned(tr("The result differs from run %1: %2")
                                                .arg(number)
                                                .arg(QString::fromStdString(*difference)),
                                            {});
            }
            emit repeated(!difference.has_value());
        });
}

void PageRuns::show() {
    endWait();
    endRefusal();
    if (const QString analysis = page() ? page()->kernelChoice().analysis : QString(); !analysis.isEmpty())
        lookedAt_ = analysis;
    preview_.reset();
    for (AnalysisPage* one : bench_.files.analysisPages()) {
        one->setPreview(nullptr);
        one->setRuns(bench_.runs.ticked(one->analysis()));
    }
    showOpenRequests();
    emit changed();
    if (leftWithPreview_.erase(page()) > 0 && isLive_)
        previewWanted();
    else
        showOutdated();
}

}  // namespace ks::ui
