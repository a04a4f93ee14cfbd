#include "ui/lab/lab_page.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/utc_time.h"
#include "core/io/files/atomic_file.h"
#include "core/run/bench_baseline.h"
#include "ui/base/elided_label.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/save_folders.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/lab/kept_reports.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/lab_tabs.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/problem_text.h"
#include "ui/lab/view_choice.h"
#include "ui/runs/device_titles.h"
#include "ui/shell/general/measured_with.h"

namespace ks::ui::lab {
namespace {

QString filterExample() {
    return QStringLiteral("rank <= 3, kernel_ns < 1e6");
}

/// Takes time.
LabView ranked(LabView view) {
    view.entries = entriesOf(view.all, view.time);
    view.here = fastestFirst(view.entries, view.problem, view.time);
    view.ties = tiesOf(view.here, view.time);
    view.numbers = LabTableModel::numbersOf(view.entries, view.all);
    return view;
}

/// Whether each of the analysis' inputs comes from the same file or has the same values in both, or is in
/// neither.
bool haveSameInputs(const ParameterSet& a, const ParameterSet& b, const AnalysisInfo& info) {
    return std::ranges::all_of(info.inputs, [&](const InputSpec& input) {
        const auto one = a.find(input.role), other = b.find(input.role);
        return one == a.end() ? other == b.end() : other != b.end() && one->second == other->second;
    });
}

}  // namespace

bool LabPage::Measured::empty() const {
    return std::ranges::none_of(
        reports, [](const auto& one) { return one->complete || hasTimes(one->report.points); });
}

bool LabPage::Measured::replaces() const {
    return std::ranges::any_of(reports, [](const auto& one) { return one->complete; });
}

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<LabPage>(context);
}

LabPage::LabPage(PageContext& context)
    : ToolPage(context),
      registry_(desk_->registry()),
      sweep_(new Sweep(this)),
      form_(new PlanForm(registry_)),
      model_(new LabTableModel(this)),
      table_(
          new FilteredTable(*model_, filterNames(*model_, filterExample()),
                            {tr("All results"), tr("rows"),
                             tr("Conditions separated by commas; a row must meet all of them. Example: rank "
                                "<= 3, speed_up > 2.\nThe tooltip of a column gives the name to use here."),
                             QStringLiteral("benchmark"), tr("row")})),
      tableSubject_(named(new ElidedLabel, tr("Problem of the rows in the table"))),
      kept_(new KeptReports(jobs_, desk_->unkept(), registry_, this)) {
    makeActions();
    makeKept();
    view_ = new ViewChoice({openAction_, saveAction_, closeAction_, previousAction_, clearAction_});
#define KS_TAKE(tab) shown_.push_back(tab({*desk_, *view_}));
    KS_LAB_TABS(KS_TAKE)
#undef KS_TAKE
    build(*form_, {tr("Benchmark settings"),
                   tr("Comparison"),
                   view_,
                   {shown_.begin(), shown_.end()},
                   {{tr("Table"), makeTable(), false, tr("All results of the compared benchmarks")}}});
    followDesk();
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::refresh);
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::askForData);
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::wantKept);
    connect(form_, &PlanForm::changed, this, &LabPage::learnTraits);
    connect(view_, &ViewChoice::changed, this, &LabPage::refresh);
    connect(&tabs(), &QTabWidget::currentChanged, this, &LabPage::showSubjects);
    describe(
        tr("Compare the variants of a kernel: how long they take, in which stages, how the time grows with "
           "the size, how close they come to the device's peak rates, and whether they are correct."));
    refresh();
}

LabPage::~LabPage() = default;

void LabPage::followDesk() {
    const Desk* const desk = desk_.get();
    connect(desk, &Desk::catalogueChanged, this, [this] {
        if (presentTexts(desk_->catalogue(), analysisKey()) != texts_) refresh();
    });
    connect(desk, &Desk::ceilingsChanged, this, &LabPage::refresh);
    connect(&desk_->textFaults(), &TextFaults::changed, this, &LabPage::judgeTexts);
    connect(desk, &Desk::openRequestsChanged, this, &LabPage::takeOpenRequests);
    connect(desk, &Desk::keptFolderChanged, this, [this](const QString& folder) {
        kept_->setFolder(folder);
        wantKept();
    });
    connect(sweep_, &Sweep::changed, this, &LabPage::setRunning);
    connect(sweep_, &Sweep::rowDone, this, &LabPage::addRow);
    connect(sweep_, &Sweep::ready, this, &LabPage::takeReport);
}

QWidget* LabPage::makeTable() {
    for (QAction* action : {placeAction_, showAction_}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        table_->addChoice(button);
    }
    connect(table_, &FilteredTable::picked, this, &LabPage::updateActions);
    connect(table_, &FilteredTable::rowsChanged, this, &LabPage::updateActions);
    connect(table_, &FilteredTable::failed, this, &Page::failed);
    connect(&table_->view(), &QTableView::activated, this, &LabPage::showOnItsPage);
    tableSubject_->setObjectName(QStringLiteral("tableSubject"));
    tableSubject_->setContentsMargins(8, 2, 8, 2);
    return boxed(inRows({tableSubject_, {table_, 1}}, 0));
}

void LabPage::makeKept() {
    connect(kept_, &KeptReports::failed, this, &Page::failed);
    connect(kept_, &KeptReports::found, this, [this](const std::shared_ptr<Compared>& report) {
        const std::string& analysis = report->report.plan.analysis;
        Newest<Measured>& measured = results_[analysis].measured;
        Measured all = measured.last();
        // What has been measured since is newer.
        if (std::ranges::any_of(all.reports, [](const auto& one) { return one->kept.isEmpty(); })) return;
        desk_->textFaults().judge(report->report);
        all.reports.push_back(report);
        measured.setLast(std::move(all));
        if (analysis == analysisKey()) refresh();
    });
}

// Nothing is read for an analysis that is not shown.
void LabPage::wantKept() {
    if (isVisible()) kept_->want(analysisKey());
}

void LabPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    wantKept();
}

void LabPage::makeActions() {
    openAction_ =
        makeAction(QStringLiteral("openReport"), tr("Open reports..."),
                   tr("Show saved reports, including those from other devices, next to the measurements"),
                   [this] { askOpen(); });
    saveAction_ =
        makeAction(QStringLiteral("saveReport"), tr("Save report..."),
                   tr("Save the finished benchmark in the format of `bench --json`"), [this] { askSave(); });
    closeAction_ =
        makeAction(QStringLiteral("closeReports"), tr("Close reports"),
                   tr("Remove the opened reports from the comparison"), [this] { closeReports(); });
    previousAction_ = makeAction(
        QStringLiteral("previousMeasurement"), tr("Previous measurement"),
        tr("Show the measurement of this analysis before the displayed one; press again to switch back"),
        [this] { showPrevious(); });
    clearAction_ = makeAction(
        QStringLiteral("clearMeasured"), tr("Clear"),
        tr("Remove the measurements of this analysis; \"Previous measurement\" shows them again until "
           "the program ends"),
        [this] { clear(); });
    showAction_ =
        makeAction(QStringLiteral("showOnPage"), tr("Run on its page"),
                   tr("Run the variant of the selected row on the page of its analysis and show its result"),
                   [this] { showOnItsPage(); });
    placeAction_ = makeAction(QStringLiteral("showPlace"), tr("Show the worst place"),
                              tr("Show the place where the error of the selected row is largest, on the page "
                                 "that has the timed data open"),
                              [this] {
                                  if (const Entry* const entry = chosenEntry())
                                      emit placeWanted(form_->analysis(), entry->row->verdict.place);
                              });
}

std::string LabPage::analysisKey() const {
    return form_->analysis().toStdString();
}

ComparedList LabPage::compared() const {
    ComparedList all;
    const auto known = results_.find(analysisKey());
    if (known == results_.end()) return all;
    for (const auto* list : {&known->second.measured.newest().reports, &known->second.opened})
        all.insert(all.end(), list->begin(), list->end());
    return all;
}

const Entry* LabPage::chosenEntry() const {
    const int item = table_->selected();
    return item < 0 ? nullptr : &model_->entries()[static_cast<std::size_t>(item)];
}

KernelChoice LabPage::kernelChoice() const {
    const Entry* const entry = chosenEntry();
    return {form_->analysis(),
            entry ? QString::fromStdString(entry->row->variant.id) : form_->chosenVariant()};
}

void LabPage::start() {
    if (!missing().isEmpty()) return;
    try {
        plans_ = form_->plans();
        if (plans_.empty())
            throw Error(ErrorKind::input, "none of the ticked variants runs on a ticked device");
        desk_->sweep(*sweep_, plans_);
    } catch (const Error& error) {
        refuse(error);
    }
}

bool LabPage::takesDataOf(const QString& analysis) {
    return form_->takePageData(analysis);
}

bool LabPage::propose(const Measurement& wanted) {
    return form_->propose(wanted);
}

TimedSizes LabPage::timedSizes(const QString& analysis) const {
    return form_->timedSizes(analysis.toStdString());
}

void LabPage::clear() {
    if (plan_) return;
    results().previous = results().measured.last();
    results().measured.setLast({});
    kept_->clear(analysisKey());
    refresh();
}

void LabPage::showPrevious() {
    Results& of = results();
    if (plan_ || of.previous.empty()) return;
    Measured other = std::exchange(of.previous, of.measured.last());
    std::size_t device = 0;
    for (const auto& one : other.reports)
        if (one->complete && hasTimes(one->report.points)) kept_->write(one, device++);
    of.measured.setLast(std::move(other));
    refresh();
}

// The measurement has the whole computer to itself.
void LabPage::askForData() {
    if (isVisible() && !plan_ && !openPoints_.contains(analysisKey())) emit dataWanted(form_->analysis());
}

void LabPage::takeOpenRequests() {
    openPoints_.clear();
    for (const OpenRequest& one : desk_->openRequests()) {
        if (!one.lacking.isEmpty()) continue;
        BenchPlan plan;
        plan.analysis = one.request.analysis;
        plan.request = one.request;
        openPoints_[plan.analysis] = bench_points(registry_->analysis(plan.analysis), plan).front();
    }
    form_->setOpenRequests(desk_->openRequests());
    updateActions();
    askForData();
}

bool LabPage::hasPlace(const Entry& entry) const {
    const std::string& analysis = entry.of->report.plan.analysis;
    const auto open = openPoints_.find(analysis);
    return !entry.row->verdict.place.empty() && open != openPoints_.end() &&
           haveSameInputs(open->second, entry.point->sizes, registry_->analysis(analysis).info());
}

void LabPage::setRunning(bool running) {
    takeLive();
    if (running) {
        beginPlan();
    } else {
        if (live_) {
            Results& of = results_[live_->report.plan.analysis];
            Measured before = of.measured.last();
            of.measured.end();
            if (of.measured.last().reports != before.reports && !before.empty())
                of.previous = std::move(before);
        }
        plan_.reset();
        live_.reset();
    }
    form_->setRunning(running);
    refresh();
}

void LabPage::beginPlan() {
    plan_ = plan_ ? *plan_ + 1 : 0;
    if (*plan_ >= plans_.size()) return;
    const BenchPlan& plan = plans_[*plan_];
    Results& of = results_[plan.analysis];
    if (*plan_ == 0) {
        of.measured.begin();
        keptNow_ = 0;
    }
    live_ = std::make_shared<Compared>();
    live_->report.plan = plan;
    const std::vector<DeviceInfo>& devices = desk_->catalogue().devices;
    const DeviceInfo& device = choose_device(devices, plan.device);
    live_->report.device = device;
    live_->report.host = choose_device(devices, "host");
    live_->report.started = utc_now();
    live_->report.version = QCoreApplication::applicationVersion().toStdString();
    live_->label = deviceNames(devices)[&device - devices.data()];
    of.measured.arriving().reports.push_back(std::make_shared<const Compared>(*live_));
}

void LabPage::takeLive() {
    if (!live_) return;
    results_[live_->report.plan.analysis].measured.arriving().reports.back() =
        std::make_shared<const Compared>(*live_);
}

void LabPage::addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
    if (!live_) return;
    putRow(live_->report.points, point, sizes, row);
    desk_->textFaults().judge(live_->report);
    refreshSoon();
}

void LabPage::takeReport(const BenchReport& report) {
    if (!live_) return;
    live_->report = report;
    desk_->textFaults().judge(live_->report);
    live_->complete = true;
    // A plan without any rows is not listed.
    if (hasTimes(report.points)) kept_->write(std::make_shared<const Compared>(*live_), keptNow_++);
    refresh();
}

void LabPage::judgeTexts() {
    // Reports themselves never change: jobs may be reading them.
    const auto judgeAll = [this](std::vector<std::shared_ptr<const Compared>>& reports) {
        for (std::shared_ptr<const Compared>& one : reports)
            if (auto made = std::make_shared<Compared>(*one); desk_->textFaults().judge(made->report))
                one = std::move(made);
    };
    const auto judgeMeasured = [&](Measured& measured) { judgeAll(measured.reports); };
    for (auto& [analysis, of] : results_) {
        const std::vector<std::shared_ptr<const Compared>> before = of.measured.last().reports;
        of.measured.changeAll(judgeMeasured);
        judgeMeasured(of.previous);
        judgeAll(of.opened);
        // What the next start brings back says so, too. A report that came from a file stays that file.
        const auto& now = of.measured.last().reports;
        // The first one written replaces all files.
        const bool fromFiles =
            std::ranges::any_of(now, [](const auto& one) { return one->keptText != nullptr; });
        for (std::size_t i = 0; now != before && !fromFiles && i < now.size(); ++i)
            if (now[i]->complete) kept_->write(now[i], i);
    }
    if (live_) desk_->textFaults().judge(live_->report);
    refresh();
}

void LabPage::refresh() {
    takeLive();
    texts_ = presentTexts(desk_->catalogue(), analysisKey());
    LabView view{
        .all = compared(), .sizes = form_->info().benchmark, .running = plan_.has_value(), .texts = texts_};
    view_->setCompared(view.all);
    view.problem = view_->problem();
    view.time = view_->time();
    showSubjects();
    const QString subject = QStringLiteral("statistics");
    if (plan_ || view.all.empty()) {
        // Ranks and intervals take computing time, which belongs to the measurement.
        jobs_.drop(this, subject);
        view.entries = unrankedEntries(view.all);
        view.here = fastestFirst(view.entries, view.problem, view.time);
        view.numbers = LabTableModel::numbersOf(view.entries);
        return show(std::move(view));
    }
    // A finished report never changes, so the job may read it.
    jobs_.start(
        Jobs::Lane::general, this, subject, [view] { return ranked(view); },
        [this](const LabView& made) { show(made); });
}

void LabPage::showSubjects() {
    const ComparedList all = compared();
    // Growth spans all problems.
    const bool ofOne = !shown_[static_cast<std::size_t>(tabs().currentIndex())].ofAllProblems;
    view_->setSubject(problemText(form_->info(), all, ofOne ? view_->problem() : std::nullopt));
    tableSubject_->setWhole(problemText(form_->info(), all, std::nullopt));
    tableSubject_->setVisible(!tableSubject_->whole().isEmpty());
}

void LabPage::show(LabView view) {
    for (const LabTab& tab : shown_) tab.show(view);
    model_->setPresentTexts(std::move(view.texts));
    model_->setEntries(std::move(view.entries), std::move(view.numbers), view.sizes);
    table_->setNames(filterNames(*model_, filterExample()));
    showColumns();
    table_->refresh(
        tr("Press Run (F5) to time the ticked variants; results appear here. Press \"Open reports\" to see "
           "saved results."));
    updateActions();
}

void LabPage::showColumns() {
    bool since = false;
    for (int item = 0; item < model_->items(); ++item)
        since = since || !std::isnan(model_->number(item, LabTableModel::SinceColumn));
    table_->setShownColumns([this, since](int column) {
        if (column >= LabTableModel::SinceColumn && column <= LabTableModel::SinceHighColumn) return since;
        if (column == LabTableModel::SinceTextColumn) return false;  // it is next to the ratio
        return !model_->csvKeys(column).empty();
    });
}

void LabPage::learnTraits() {
    const std::optional<BenchPlan> plan = form_->problemPlan();
    if (!plan) return;
    Known known{plan->analysis, plan->sizes, {}};
    if (plan->request) known.parameters = plan->request->parameters;
    // Whatever else has changed in the form: no problems are generated during a measurement.
    if (known == known_) return;
    known_ = std::move(known);
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("traits"),
        [registry = registry_, plan = *plan] { return traitsOf(registry->analysis(plan.analysis), plan); },
        [this, analysis = plan->analysis](std::vector<Traits> problems) {
            form_->setTraits(analysis, std::move(problems));
        },
        // Errors of the problem are reported when it is timed.
        [](const Error&) {});
}

bool LabPage::isSavable(const Compared& one) const {
    return one.file.isEmpty() && (one.complete || (!plan_ && hasTimes(one.report.points)));
}

void LabPage::updateActions() {
    const ComparedList all = compared();
    saveAction_->setEnabled(std::ranges::any_of(all, [this](const auto& one) { return isSavable(*one); }));
    closeAction_->setEnabled(std::ranges::any_of(all, [](const auto& one) { return !one->file.isEmpty(); }));
    clearAction_->setEnabled(!plan_ &&
                             std::ranges::any_of(all, [](const auto& one) { return one->file.isEmpty(); }));
    const auto of = results_.find(analysisKey());
    previousAction_->setEnabled(!plan_ && of != results_.end() && !of->second.previous.empty());
    const Entry* const entry = chosenEntry();
    showAction_->setEnabled(entry != nullptr);
    placeAction_->setEnabled(entry != nullptr && hasPlace(*entry));
}

void LabPage::saveReport(const Compared& report, const QString& path, bool overwrite) const {
    // A report that was read may lack parts of its file.
    io::write_text(path.toStdString(), report.keptText ? *report.keptText : bench_text(report.report),
                   overwrite);
}

void LabPage::askSave() {
    std::vector<std::shared_ptr<const Compared>> complete;
    QStringList names;
    for (const auto& one : compared())
        if (isSavable(*one)) {
            complete.push_back(one);
            names << one->name();
        }
    for (std::size_t i = 0; i < complete.size(); ++i) {
        // With several devices each one gets its own file, as with `bench`.
        const QString leaf =
            QStringLiteral("bench_%1%2.json")
                .arg(form_->analysis(), complete.size() > 1 ? QStringLiteral("_%1").arg(i + 1) : QString());
        const bool saved = saveReportAs(tr("Save report of %1").arg(names[static_cast<qsizetype>(i)]),
                                        savePathOfNone(this, reportFolder, leaf),
                                        tr("Benchmark reports (*.json)"), [&](const QString& path) {
                                            saveReport(*complete[i], path, true);  // the dialog has asked
                                        });
        if (!saved) return;
    }
}

void LabPage::askOpen() {
    const QStringList paths = QFileDialog::getOpenFileNames(this, tr("Open reports"), folderOfReports(),
                                                            tr("Benchmark reports (*.json)"));
    if (!paths.isEmpty()) rememberSaved(this, reportFolder, paths.front());
    openReports(paths);
}

void LabPage::openReport(const QString& path) {
    openReports({path});
}

void LabPage::openReports(const QStringList& paths) {
    ++openings_;
    for (const QString& path : paths) readReportOf(path, openings_);
}

void LabPage::readReportOf(const QString& path, int opening) {
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("report ") + path,
        [path = path.toStdString(), registry = registry_] { return readReport(path, *registry); },
        [this, path, opening](const std::shared_ptr<Compared>& read) {
            // What was said of files opened together stays until others are opened.
            std::erase_if(refused_, [&](const Refused& one) {
                const bool isOver = one.opening < opening || one.path == path;
                if (isOver) emit mended(one.said);
                return isOver;
            });
            const std::string& analysis = read->report.plan.analysis;
            std::vector<std::shared_ptr<const Compared>>& opened = results_[analysis].opened;
            std::erase_if(opened, [&](const auto& one) { return one->file == path; });
            const ComparedList& measured = results_[analysis].measured.newest().reports;
            ComparedList others = opened;
            others.insert(others.end(), measured.begin(), measured.end());
            nameApart(*read, others);
            desk_->textFaults().judge(read->report);
            opened.push_back(read);
            // A report of another analysis is shown with that analysis.
            if (analysis != analysisKey()) form_->choose(QString::fromStdString(analysis));
            view_->showOne(*read, compared());
            refresh();
            emit this->opened(path);
        },
        [this, path, opening](const Error& error) {
            std::erase_if(refused_, [&](const Refused& one) { return one.path == path; });
            refused_.push_back({path, opening, error, error});
            tellRefused(opening);
        });
}

void LabPage::tellRefused(int opening) {
    std::vector<Refused*> all;
    for (Refused& one : refused_)
        if (one.opening == opening) all.push_back(&one);
    if (all.size() > 1) {
        QStringList files, reasons;
        for (const Refused* const one : all) {
            files << QFileInfo(one->path).fileName();
            reasons << QString::fromUtf8(one->error.what());
            if (!one->error.details().empty()) reasons << QString::fromStdString(one->error.details());
        }
        const Error together(ErrorKind::input,
                             tr("%1 reports could not be opened: %2")
                                 .arg(all.size())
                                 .arg(files.join(QStringLiteral(", ")))
                                 .toStdString(),
                             {}, {}, reasons.join(QLatin1Char('\n')).toStdString());
        for (Refused* const one : all) one->said = together;
    }
    emit failed(all.back()->said);
}

void LabPage::closeReports() {
    results().opened.clear();
    refresh();
}

void LabPage::showOnItsPage() {
    const Entry* const entry = chosenEntry();
    if (!entry) return;
    const BenchReport& report = entry->of->report;
    Request wanted;
    wanted.analysis = report.plan.analysis;
    wanted.variant = entry->row->variant.id;
    wanted.device = titleAmong(desk_->catalogue().devices, report.device).toStdString();
    // The problem itself if parameters define it completely; otherwise the page's data are used.
    const AnalysisInfo& info = registry_->analysis(wanted.analysis).info();
    if (report.plan.request) {
        wanted.parameters = report.plan.request->parameters;
    } else if (!info.needs_input()) {
        for (const auto& [id, value] : entry->point->sizes)
            if (std::ranges::find(info.parameters, id, &ParameterSpec::id) != info.parameters.end())
                wanted.parameters[id] = value;
    }
    emit runElsewhereWanted(wanted);
}

QString LabPage::leafOf() const {
    return form_->analysis();
}

std::optional<PageState> LabPage::state(Scope scope) const {
    std::optional<PageState> state = ToolPage::state(scope);
    if (scope != Scope::settings) return state;
    state->values["time"] = view_->times().currentIndex();
    const std::optional<bool> hand = view_->logarithmicByHand();
    state->values["logarithmicTimes"] = hand ? nlohmann::json(*hand) : nlohmann::json();
    return state;
}

void LabPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) {
        view_->times().setCurrentIndex(std::clamp(jsonInteger(state.values, "time"), 0, 1));
        if (const nlohmann::json hand = jsonPart(state.values, "logarithmicTimes"); hand.is_boolean())
            view_->setLogarithmicByHand(hand.get<bool>());
    }
    ToolPage::setState(state, scope);
}

}  // namespace ks::ui::lab
