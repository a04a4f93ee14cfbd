#include "ui/lab/lab_page.h"
#include "ui/base/form_parts.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/quantile.h"
#include "core/base/utc_time.h"
#include "core/run/user/shown_variant.h"
#include "ui/base/elided_label.h"
#include "ui/base/filtered_table.h"
#include "ui/base/save_folders.h"
#include "ui/lab/kept_reports.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/page.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/problem_text.h"
#include "ui/lab/problem_traits.h"
#include "ui/lab/roofline_pane.h"
#include "ui/lab/strip_plot.h"
#include "ui/lab/view_choice.h"
#include "ui/runs/device_titles.h"
#include "ui/runs/stages_view.h"
#include "ui/shell/general/size_plots.h"

namespace ks::ui::lab {
namespace {

constexpr int formWidth = 330, leastFormWidth = 240;
constexpr int drawAfterMs = 250;  ///< rows that arrive within this time are drawn together
/// If medians differ by more, they coincide on a linear axis.
constexpr double linearRange = 20;
/// The stages of a run that takes a thousand times as long would hide all others.
constexpr double stagesOfShortest = 30;

QString filterExample() {
    return QStringLiteral("rank <= 3, kernel_ns < 1e6");
}

double rangeOfMedians(const std::vector<Strip>& strips) {
    double low = HUGE_VAL, high = 0;
    for (const Strip& one : strips) {
        if (one.samples.empty()) continue;
        const double median = quantile(one.samples, 0.5);
        low = std::min(low, median);
        high = std::max(high, median);
    }
    return low > 0 && high > 0 ? high / low : 1;
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

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<LabPage>(context);
}

LabPage::LabPage(PageContext& context)
    : jobs_(context.jobs),
      desk_(context.desk),
      registry_(desk_->registry()),
      sweep_(new Sweep(this)),
      form_(new PlanForm(registry_)),
      tabs_(new QTabWidget),
      times_(new StripPlot),
      stages_(new StagesView(tr("Stages of the median run of each variant"))),
      sizes_(new SizePlots),
      roofline_(new RooflinePane),
      model_(new LabTableModel(this)),
      table_(new FilteredTable(*model_, filterNames(*model_, filterExample()),
                               {tr("All results"), tr("rows"),
                                tr("Conditions that must all hold: rank <= 3, speed_up > 2.\nThe tool tip of "
                                   "a column shows its name."),
                                QStringLiteral("benchmark"), tr("row")})),
      tableSubject_(new ElidedLabel),
      kept_(new KeptReports(jobs_, registry_, this)),
      later_(new QTimer(this)) {
    makeActions();
    makeKept();
    setBody(makeCentre(), {{tr("Table"), makeTable(), false, tr("All results of the compared benchmarks")}},
            100, 210);
    followDesk();
    drawer().installEventFilter(this);
    stages_->timing().setMostOfShortest(stagesOfShortest);
    later_->setSingleShot(true);
    later_->setInterval(drawAfterMs);
    connect(later_, &QTimer::timeout, this, &LabPage::refresh);
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::refresh);
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::askForData);
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::wantKept);
    connect(form_, &PlanForm::changed, this, &Page::inputsChanged);
    connect(form_, &PlanForm::changed, this, &LabPage::learnTraits);
    connect(form_, &PlanForm::runWanted, this, &LabPage::start);
    connect(form_, &PlanForm::cancelWanted, this, &Page::cancelWanted);
    connect(view_, &ViewChoice::changed, this, &LabPage::refresh);
    connect(view_, &ViewChoice::logarithmicWanted, times_, &StripPlot::setLogarithmic);
    connect(times_, &StripPlot::logarithmicChanged, this, [this](bool on) {
        if (choosingScale_)
            view_->showLogarithmic(on);
        else if (view_->logarithmicByHand() != on)
            view_->setLogarithmicByHand(on);
    });
    connect(tabs_, &QTabWidget::currentChanged, this, &LabPage::showSubjects);
    connect(roofline_, &RooflinePane::measureWanted, this, &LabPage::measureCeilings);
    setWhatsThis(
        tr("Compare the variants of a kernel: how long they take, in which stages, how the time grows with "
           "the size, how close they come to the device's peak rates, and whether they are correct."));
    refresh();
}

LabPage::~LabPage() {
    disconnectParts();
}

void LabPage::followDesk() {
    const Desk* const desk = desk_.get();
    connect(desk, &Desk::catalogueChanged, this, &LabPage::takeCatalogue);
    connect(desk, &Desk::ceilingsChanged, this, &LabPage::refresh);
    connect(desk, &Desk::openRequestsChanged, this, &LabPage::takeOpenRequests);
    connect(desk, &Desk::measurableChanged, &roofline_->measure(), &QWidget::setEnabled);
    connect(desk, &Desk::keptFolderChanged, this, [this](const QString& folder) {
        kept_->setFolder(folder);
        wantKept();
    });
    connect(sweep_, &Sweep::changed, this, &LabPage::setRunning);
    connect(sweep_, &Sweep::rowDone, this, &LabPage::addRow);
    connect(sweep_, &Sweep::ready, this, &LabPage::takeReport);
}

QWidget* LabPage::makeCentre() {
    side_ = scrolled(form_, tr("Benchmark settings"));
    const int form = form_->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    side_->setMinimumWidth(std::max(leastFormWidth, form));
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Comparison"));
    tabs_->addTab(scrolled(times_, tr("Times")), tr("Times"));
    tabs_->addTab(stages_, tr("Stages"));
    tabs_->addTab(sizes_, tr("Sizes"));
    tabs_->addTab(roofline_, tr("Roofline"));
    const QStringList about{
        tr("Every timed run as a dot, with median and quartiles. The rank is next to the name; a range is a "
           "tie. Lines at the right join variants whose order is not significant (p > 0.01): a repeat may "
           "reverse it."),
        tr("Time per stage in the median run of each variant"),
        tr("Kernel time over the size that has several values, with the slope of each variant"),
        tr("Operations per second over operations per byte, as declared by the kernels, below the device's "
           "peak rates")};
    for (int i = 0; i < about.size(); ++i) tabs_->tabBar()->setTabWhatsThis(i, about[i]);
    auto* right = new QWidget;
    auto* rows = new QVBoxLayout(right);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    QList<QAction*> buttons = actions_;
    buttons.removeOne(showAction_);
    buttons.removeOne(placeAction_);
    view_ = new ViewChoice(buttons);
    rows->addWidget(view_);
    rows->addWidget(tabs_, 1);
    auto* centre = new QSplitter;
    centre->addWidget(side_);
    centre->addWidget(right);
    centre->setChildrenCollapsible(false);
    centre->setStretchFactor(0, 0);
    centre->setStretchFactor(1, 1);
    centre->setSizes({formWidth, 3 * formWidth});
    return centre;
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
    tableSubject_->setAccessibleName(tr("Problem of these rows"));
    tableSubject_->setContentsMargins(8, 2, 8, 2);
    auto* part = new QWidget;
    auto* rows = new QVBoxLayout(part);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(tableSubject_);
    rows->addWidget(table_, 1);
    return part;
}

void LabPage::makeKept() {
    connect(kept_, &KeptReports::failed, this, &Page::failed);
    connect(kept_, &KeptReports::found, this, [this](const std::shared_ptr<Compared>& report) {
        const std::string& analysis = report->report.plan.analysis;
        auto& measured = results_[analysis].measured;
        // What has been measured since is newer.
        if (std::ranges::any_of(measured, [](const auto& one) { return one->kept.isEmpty(); })) return;
        measured.push_back(report);
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
    const auto add = [this](const QString& name, const QString& text, const QString& tip, auto slot) {
        auto* made = new QAction(text, this);
        made->setObjectName(name);
        made->setToolTip(tip);
        made->setStatusTip(tip);
        connect(made, &QAction::triggered, this, slot);
        actions_ << made;
        return made;
    };
    openAction_ = add(QStringLiteral("openReport"), tr("Open reports..."),
                      tr("Show saved reports, also from other devices, next to the measurements"),
                      [this] { askOpen(); });
    saveAction_ =
        add(QStringLiteral("saveReport"), tr("Save report..."),
            tr("Save the finished benchmark in the format of `bench --json`"), [this] { askSave(); });
    closeAction_ = add(QStringLiteral("closeReports"), tr("Close reports"),
                       tr("Remove the opened reports from the comparison"), [this] { closeReports(); });
    clearAction_ =
        add(QStringLiteral("clearMeasured"), tr("Clear"),
            tr("Remove the measurements of this analysis, also for the next start"), [this] { clear(); });
    showAction_ =
        add(QStringLiteral("showOnPage"), tr("Run on its page"),
            tr("Run the variant of the selected row on the page of its analysis and show its result"),
            [this] { showOnItsPage(); });
    placeAction_ = add(
        QStringLiteral("showPlace"), tr("Show the worst place"),
        tr("Show where the error of the selected row is largest, on the page that has the timed data open"),
        [this] {
            const int item = table_->selected();
            if (item < 0) return;
            const Entry& entry = model_->entries()[static_cast<std::size_t>(item)];
            emit placeWanted(form_->analysis(), entry.row->verdict.place);
        });
}

// Picture only shows the plots alone.
bool LabPage::eventFilter(QObject* object, QEvent* event) {
    if (object == &drawer() &&
        (event->type() == QEvent::HideToParent || event->type() == QEvent::ShowToParent))
        side_->setVisible(!drawer().isHidden());
    return Page::eventFilter(object, event);
}

std::string LabPage::analysisKey() const {
    return form_->analysis().toStdString();
}

ComparedList LabPage::compared() const {
    ComparedList all;
    const auto known = results_.find(analysisKey());
    if (known == results_.end()) return all;
    for (const auto* list : {&known->second.measured, &known->second.opened})
        all.insert(all.end(), list->begin(), list->end());
    return all;
}

KernelChoice LabPage::kernelChoice() const {
    QString variant = form_->chosenVariant();
    if (const int item = table_->selected(); item >= 0)
        variant = QString::fromStdString(model_->entries()[static_cast<std::size_t>(item)].row->variant.id);
    return {form_->analysis(), variant};
}

QString LabPage::missing() const {
    return form_->missing();
}

void LabPage::start() {
    if (!missing().isEmpty()) return;
    try {
        plans_ = form_->plans();
        if (plans_.empty())
            throw Error(ErrorKind::input, "none of the ticked variants runs on a ticked device");
        desk_->sweep(*sweep_, plans_);
    } catch (const Error& error) {
        emit failed(error);
    }
}

bool LabPage::takesDataOf(const QString& analysis) {
    return form_->takePageData(analysis);
}

bool LabPage::propose(const Measurement& wanted) {
    return form_->propose(wanted);
}

void LabPage::clear() {
    if (plan_) return;
    results().measured.clear();
    kept_->clear(analysisKey());
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

void LabPage::takeCatalogue() {
    const wire::Catalogue& catalogue = desk_->catalogue();
    presentTexts_.clear();
    for (const auto& [analysis, onDevices] : catalogue.offers)
        for (const std::vector<Offer>& offers : onDevices)
            for (const Offer& offer : offers)
                if (offer.variant.from_user())
                    presentTexts_[analysis].try_emplace(offer.variant.id,
                                                        text_mark(catalogue.text_of(offer.variant)));
    form_->setCatalogue(catalogue);
    showPresentTexts();
}

void LabPage::showPresentTexts() {
    const auto known = presentTexts_.find(analysisKey());
    model_->setPresentTexts(known == presentTexts_.end() ? std::map<std::string, std::string>()
                                                         : known->second);
}

void LabPage::setRunning(bool running) {
    takeLive();
    if (running) {
        beginPlan();
    } else {
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
        of.measured.clear();
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
    of.measured.push_back(std::make_shared<const Compared>(*live_));
}

void LabPage::takeLive() {
    if (!live_) return;
    results_[live_->report.plan.analysis].measured.back() = std::make_shared<const Compared>(*live_);
}

void LabPage::addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
    if (!live_) return;
    std::vector<BenchPoint>& points = live_->report.points;
    if (points.size() <= point) points.resize(point + 1);
    points[point].sizes = sizes;
    std::vector<BenchRow>& rows = points[point].rows;
    const auto known =
        std::ranges::find_if(rows, [&](const BenchRow& one) { return one.variant.id == row.variant.id; });
    if (known == rows.end())
        rows.push_back(row);
    else
        *known = row;
    if (!later_->isActive()) later_->start();
}

void LabPage::takeReport(const BenchReport& report) {
    if (!live_) return;
    live_->report = report;
    live_->complete = true;
    // A plan without any rows is not listed.
    const auto ran = [](const BenchPoint& point) {
        return std::ranges::any_of(point.rows, [](const BenchRow& row) { return !row.samples.empty(); });
    };
    if (std::ranges::any_of(report.points, ran)) kept_->write(report, keptNow_++);
    refresh();
}

int LabPage::colourOf(const Compared& one) const {
    const ComparedList all = compared();
    const auto at = std::ranges::find_if(all, [&](const auto& other) { return other.get() == &one; });
    return static_cast<int>(at - all.begin()) + 1;
}

void LabPage::refresh() {
    takeLive();
    const ComparedList all = compared();
    view_->setCompared(all);
    const std::optional<std::size_t> problem = view_->problem();
    showSubjects();
    double BenchSample::*const time = view_->time();
    const QString subject = QStringLiteral("statistics");
    if (plan_ || all.empty()) {
        // Ranks and intervals take computing time, which belongs to the measurement.
        jobs_.drop(this, subject);
        Shown shown{unrankedEntries(all)};
        shown.here = fastestFirst(shown.entries, problem, time);
        shown.numbers = LabTableModel::numbersOf(shown.entries);
        return show(std::move(shown));
    }
    // A finished report never changes, so the job may read it.
    jobs_.start(
        Jobs::Lane::general, this, subject,
        [all, problem, time] {
            Shown shown{entriesOf(all, time)};
            shown.here = fastestFirst(shown.entries, problem, time);
            shown.ties = tiesOf(shown.here, time);
            shown.numbers = LabTableModel::numbersOf(shown.entries, all);
            return shown;
        },
        [this](const Shown& shown) { show(shown); });
}

void LabPage::showSubjects() {
    const ComparedList all = compared();
    // Growth spans all problems.
    const bool ofOne = tabs_->currentWidget() != sizes_;
    view_->setSubject(problemText(form_->info(), all, ofOne ? view_->problem() : std::nullopt));
    tableSubject_->setWhole(problemText(form_->info(), all, std::nullopt));
    tableSubject_->setVisible(!tableSubject_->whole().isEmpty());
}

void LabPage::show(Shown shown) {
    showTimes(shown);
    showStages(shown.here);
    showSizes(compared());
    showRoofline(shown.here);
    showPresentTexts();
    model_->setEntries(std::move(shown.entries), std::move(shown.numbers), form_->info().benchmark);
    table_->setNames(filterNames(*model_, filterExample()));
    showColumns();
    table_->refresh(tr(
        "Press Run (F5) to time the ticked variants; results appear here. Open reports shows saved ones."));
    updateActions();
}

void LabPage::showColumns() {
    bool since = false;
    for (int item = 0; item < model_->items(); ++item)
        since = since || !std::isnan(model_->number(item, LabTableModel::SinceColumn));
    table_->setShownColumns([this, since](int column) {
        if (column >= LabTableModel::SinceColumn && column <= LabTableModel::SinceHighColumn) return since;
        return !model_->csvKeys(column).empty();
    });
}

void LabPage::showTimes(const Shown& shown) {
    double BenchSample::*const time = view_->time();
    const bool grouped = !view_->problem();
    const QStringList problems = problemTexts(problemsOf(compared()));
    std::vector<Strip> strips;
    std::vector<std::size_t> stripOf(shown.here.size());  // of those that have one
    for (std::size_t i = 0; i < shown.here.size(); ++i) {
        const Entry& entry = shown.here[i];
        if (entry.row->samples.empty() && (entry.of->complete || !entry.row->not_run.empty())) continue;
        stripOf[i] = strips.size();
        strips.push_back({variantText(*entry.row), entry.of->name(), colourOf(*entry.of),
                          rankText(entry.rank), entry.row->verdict.state == Verdict::State::fail,
                          plan_ ? tr("running") : tr("not timed"), entry.row->times(time),
                          grouped ? problems.value(static_cast<qsizetype>(entry.problem)) : QString()});
    }
    std::vector<StripTie> ties;
    for (const std::vector<std::size_t>& set : shown.ties) {
        const std::shared_ptr<const Compared>& source = shown.here[set.front()].of;
        const bool isOne =
            std::ranges::all_of(set, [&](std::size_t i) { return shown.here[i].of == source; });
        StripTie tie{isOne ? colourOf(*source) : 0, {}};
        for (const std::size_t i : set) tie.strips.push_back(stripOf[i]);
        std::ranges::sort(tie.strips);
        ties.push_back(std::move(tie));
    }
    const QString few = plan_ ? QString() : tooFewRepeats(shown.here);
    times_->setTitle(few.isEmpty() ? view_->times().currentText()
                                   : tr("%1 (%2)").arg(view_->times().currentText(), few));
    times_->setEmptyText(
        plan_ ? tr("Waiting for the first samples")
              : tr("Tick variants at the left and press Run (F5): every timed run appears here as a dot"));
    choosingScale_ = true;
    times_->setLogarithmic(view_->logarithmicByHand().value_or(rangeOfMedians(strips) > linearRange));
    choosingScale_ = false;
    times_->setStrips(std::move(strips), std::move(ties));
}

void LabPage::showStages(const std::vector<Entry>& entries) {
    QVector<TimingSeries> series;
    const bool several = compared().size() > 1, grouped = !view_->problem();
    const QStringList problems = problemTexts(problemsOf(compared()));
    for (const Entry& entry : entries) {
        const BenchSample* sample = medianSample(*entry.row, &BenchSample::total);
        if (!sample) continue;
        QString name = variantText(*entry.row);
        if (several) name += QStringLiteral("  ") + entry.of->name();
        if (grouped) name += QStringLiteral("  ") + problems.value(static_cast<qsizetype>(entry.problem));
        series.push_back({name, sample->timings, static_cast<std::uint64_t>(sample->total)});
    }
    std::ranges::stable_sort(series, {}, &TimingSeries::total);
    stages_->timing().setEmptyText(tr("Press Run (F5) to see the stages of the median run of each variant"));
    stages_->timing().setRuns(series);
}

void LabPage::showSizes(const ComparedList& all) {
    std::vector<BenchPoint> points;
    for (const auto& one : all)
        for (BenchPoint point : one->report.points) {
            for (BenchRow& row : point.rows)
                if (all.size() > 1) row.variant.id += ", " + one->name().toStdString();
            points.push_back(std::move(point));
        }
    sizes_->setEmptyText(tr(
        "Give a size several values, such as 256, 512, 1024, and press Run (F5) to see how the times grow"));
    // Benchmarks with one point each show no growth, even if their points differ.
    const auto grows = [](const auto& one) { return !varied_sizes(one->report.points).empty(); };
    if (std::ranges::none_of(all, grows)) points.clear();
    sizes_->setPoints(points, form_->info().benchmark);
}

void LabPage::showRoofline(const std::vector<Entry>& entries) {
    std::vector<int> colours;
    colours.reserve(entries.size());
    for (const Entry& entry : entries) colours.push_back(colourOf(*entry.of));
    roofline_->show(entries, colours, desk_->catalogue().ceilings);
}

RooflinePlot& LabPage::roofline() {
    return roofline_->plot();
}

QComboBox& LabPage::time() {
    return view_->times();
}

QComboBox& LabPage::points() {
    return view_->problems();
}

QString LabPage::difference() const {
    return view_->difference();
}

QString LabPage::subject() const {
    return view_->subject();
}

QString LabPage::tableSubject() const {
    return tableSubject_->whole();
}

QString LabPage::rooflineNote() const {
    return roofline_->note();
}

void LabPage::measureCeilings() {
    for (const auto& one : compared())
        if (one->isNow() && one->report.device.index >= 0 &&
            find_ceilings(desk_->catalogue().ceilings, one->report.device) == nullptr)
            return desk_->measureCeilings(one->report.device);
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
    const auto ran = [](const BenchPoint& point) {
        return std::ranges::any_of(point.rows, [](const BenchRow& row) { return !row.samples.empty(); });
    };
    return one.file.isEmpty() && (one.complete || (!plan_ && std::ranges::any_of(one.report.points, ran)));
}

void LabPage::updateActions() {
    const ComparedList all = compared();
    saveAction_->setEnabled(std::ranges::any_of(all, [this](const auto& one) { return isSavable(*one); }));
    closeAction_->setEnabled(std::ranges::any_of(all, [](const auto& one) { return !one->file.isEmpty(); }));
    clearAction_->setEnabled(!plan_ &&
                             std::ranges::any_of(all, [](const auto& one) { return one->file.isEmpty(); }));
    const int item = table_->selected();
    showAction_->setEnabled(item >= 0);
    placeAction_->setEnabled(item >= 0 && hasPlace(model_->entries()[static_cast<std::size_t>(item)]));
}

}  // namespace ks::ui::lab
