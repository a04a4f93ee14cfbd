#include "ui/lab/lab_page.h"
#include "ui/base/form_parts.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/io/files/atomic_file.h"
#include "core/run/bench_baseline.h"
#include "ui/base/filtered_table.h"
#include "ui/base/save_folders.h"
#include "ui/lab/lab_table_model.h"
#include "ui/lab/page.h"
#include "ui/lab/plan_form.h"
#include "ui/lab/roofline_plot.h"
#include "ui/lab/strip_plot.h"
#include "ui/runs/stages_view.h"
#include "ui/shell/general/size_plots.h"

namespace ks::ui::lab {
namespace {

constexpr int formWidth = 320;
constexpr int drawAfterMs = 250;  ///< rows that come within this time are drawn at once

/// Of the points of these sizes; those without samples last.
std::vector<Entry> fastestFirst(const std::vector<Entry>& entries, const ParameterSet& sizes,
                                double BenchSample::*time) {
    std::vector<Entry> here;
    for (const Entry& entry : entries)
        if (entry.point->sizes == sizes) here.push_back(entry);
    std::ranges::stable_sort(here, [&](const Entry& a, const Entry& b) {
        if (a.row->samples.empty() || b.row->samples.empty())
            return !a.row->samples.empty() && b.row->samples.empty();
        return a.row->median(time) < b.row->median(time);
    });
    return here;
}

/// A problem that was made, or a report of another session, has no place on a page.
bool hasPlace(const Entry& entry) {
    return entry.of->report.plan.request && entry.of->file.isEmpty() && !entry.row->verdict.place.empty();
}

}  // namespace

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<LabPage>(context);
}

LabPage::LabPage(PageContext& context)
    : jobs_(context.jobs),
      registry_(std::make_shared<const Registry>()),
      form_(new PlanForm(registry_)),
      tabs_(new QTabWidget),
      time_(new QComboBox),
      point_(new QComboBox),
      log_(new QCheckBox(tr("&Logarithmic"))),
      times_(new StripPlot),
      stages_(new StagesView(tr("Stages of the median run of each variant"))),
      sizes_(new SizePlots),
      roofline_(new RooflinePlot),
      note_(new QLabel),
      measure_(new QToolButton),
      model_(new LabTableModel(this)),
      table_(new FilteredTable(*model_, filterNames(*model_, QStringLiteral("rank <= 3, kernel_ns < 1e6")),
                               {tr("All numbers"), tr("rows"),
                                tr("Conditions that must all hold: rank <= 3, speed_up > 2.\n"
                                   "A column's tool tip tells its name."),
                                QStringLiteral("benchmark"), tr("row")})),
      later_(new QTimer(this)) {
    makeActions();
    setBody(makeCentre(),
            {{tr("Table"), makeTable(), false, tr("All numbers of the benchmarks that are compared")}}, 100,
            210);
    drawer().installEventFilter(this);
    later_->setSingleShot(true);
    later_->setInterval(drawAfterMs);
    connect(later_, &QTimer::timeout, this, &LabPage::refresh);
    connect(form_, &PlanForm::analysisChanged, this, &LabPage::refresh);
    connect(form_, &PlanForm::changed, this, &Page::inputsChanged);
    connect(form_, &PlanForm::runWanted, this, &LabPage::start);
    connect(form_, &PlanForm::cancelWanted, this, &Page::cancelWanted);
    connect(time_, &QComboBox::currentIndexChanged, this, &LabPage::refresh);
    connect(point_, &QComboBox::currentIndexChanged, this, &LabPage::refresh);
    connect(log_, &QCheckBox::toggled, times_, &StripPlot::setLogarithmic);
    connect(times_, &StripPlot::logarithmicChanged, log_, &QCheckBox::setChecked);
    setWhatsThis(
        tr("Variants of a kernel side by side: how long they take, in which stages, how that grows "
           "with the size, how near they come to what the device can do, and whether they are right."));
    refresh();
}

LabPage::~LabPage() {
    disconnectParts();
}

QWidget* LabPage::makeCentre() {
    side_ = scrolled(form_, tr("What is timed"));
    side_->setFixedWidth(formWidth);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Comparison"));
    tabs_->addTab(scrolled(times_, tr("Times")), tr("Times"));
    tabs_->addTab(stages_, tr("Stages"));
    tabs_->addTab(sizes_, tr("Sizes"));
    tabs_->addTab(makeRoofline(), tr("Roofline"));
    const QStringList about{
        tr("Every timed run as a dot, with median and quartiles. Beside the name the rank: a range is a tie. "
           "Lines at the right join variants whose order chance alone may have made."),
        tr("Where the time of the median run of each variant goes"),
        tr("Kernels over the size that has several values, with the slope of each variant"),
        tr("Operations a second over operations a byte, as the kernels state them, below what the device can "
           "do at most")};
    for (int i = 0; i < about.size(); ++i) tabs_->tabBar()->setTabWhatsThis(i, about[i]);
    auto* right = new QWidget;
    auto* rows = new QVBoxLayout(right);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(makeBar());
    rows->addWidget(tabs_, 1);
    auto* centre = new QWidget;
    auto* columns = new QHBoxLayout(centre);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(side_);
    columns->addWidget(right, 1);
    return centre;
}

QWidget* LabPage::makeBar() {
    time_->addItem(tr("Kernels"));
    time_->addItem(tr("End to end"));
    time_->setAccessibleName(tr("Time"));
    time_->setToolTip(
        tr("The time that is drawn and ranked: of the kernels alone, or from the request to its "
           "result"));
    point_->setAccessibleName(tr("Sizes"));
    point_->setToolTip(tr("The sizes whose times are drawn"));
    point_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    log_->setToolTip(tr("Equal ratios of times are equally far apart"));
    auto* bar = new QWidget;
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(8, 4, 8, 4);
    line->addWidget(time_);
    line->addWidget(log_);
    line->addWidget(point_);
    line->addStretch(1);
    for (QAction* action : actions_) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        if (action != showAction_ && action != placeAction_) line->addWidget(button);
    }
    return bar;
}

QWidget* LabPage::makeRoofline() {
    note_->setWordWrap(true);
    note_->setContentsMargins(8, 2, 8, 4);
    note_->setAccessibleName(tr("What the roofline leaves out"));
    measure_->setText(tr("Measure ceilings"));
    measure_->setToolTip(tr("Measure what the device can do at most; it takes some seconds and is kept"));
    connect(measure_, &QToolButton::clicked, this, [this] {
        for (const auto& one : compared())
            if (one->file.isEmpty() && one->report.device.index >= 0 &&
                find_ceilings(ceilings_, one->report.device) == nullptr)
                return emit ceilingsWanted(one->report.device);
    });
    auto* line = new QHBoxLayout;
    line->setContentsMargins(0, 0, 8, 2);
    line->addWidget(note_, 1);
    line->addWidget(measure_, 0, Qt::AlignTop);
    auto* part = new QWidget;
    auto* rows = new QVBoxLayout(part);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(roofline_, 1);
    rows->addLayout(line);
    return part;
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
    return table_;
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
    openAction_ =
        add(QStringLiteral("openReport"), tr("Open reports..."),
            tr("Show kept reports, also of other devices, beside what is measured"), [this] { askOpen(); });
    saveAction_ =
        add(QStringLiteral("saveReport"), tr("Save report..."),
            tr("Keep the finished benchmark as a file, as `bench --json` writes it"), [this] { askSave(); });
    closeAction_ = add(QStringLiteral("closeReports"), tr("Close reports"), tr("Take opened reports away"),
                       [this] { closeReports(); });
    showAction_ =
        add(QStringLiteral("showOnPage"), tr("Run on its page"),
            tr("Run the variant of the chosen row on the page of its analysis, and show its result"),
            [this] { showOnItsPage(); });
    placeAction_ = add(QStringLiteral("showPlace"), tr("Show the worst place"),
                       tr("Show the place of the largest error of the chosen row on the page whose data were "
                          "timed"),
                       [this] {
                           const int item = table_->selected();
                           if (item < 0) return;
                           const Entry& entry = model_->entries()[static_cast<std::size_t>(item)];
                           emit placeWanted(form_->analysis(), entry.row->verdict.place);
                       });
}

// Picture only means the plots alone.
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

double BenchSample::*LabPage::chosenTime() const {
    return time_->currentIndex() == 0 ? &BenchSample::kernel : &BenchSample::total;
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
        emit sweepWanted(plans_);
    } catch (const Error& error) {
        emit failed(error);
    }
}

void LabPage::setOpenRequests(const std::vector<OpenRequest>& open) {
    form_->setOpenRequests(open);
}

void LabPage::setCatalogue(const wire::Catalogue& catalogue) {
    devices_ = catalogue.devices;
    form_->setCatalogue(catalogue);
}

void LabPage::setCeilings(const std::vector<Ceilings>& all) {
    ceilings_ = all;
    refresh();
}

void LabPage::setMeasurable(bool now) {
    if (measurable_ == now) return;
    measurable_ = now;
    measure_->setEnabled(now);
}

void LabPage::setSweeping(bool running) {
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
    if (*plan_ == 0) of.measured.clear();
    live_ = std::make_shared<Compared>();
    live_->report.plan = plan;
    live_->report.device = choose_device(devices_, plan.device);
    of.measured.push_back(std::make_shared<const Compared>(*live_));
}

void LabPage::takeLive() {
    if (!live_) return;
    results_[live_->report.plan.analysis].measured.back() = std::make_shared<const Compared>(*live_);
}

void LabPage::addSweepRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
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

void LabPage::setSweep(const BenchReport& report) {
    if (!live_) return;
    live_->report = report;
    live_->complete = true;
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
    showPoints(all);
    const std::vector<ParameterSet> points = pointsOf(all);
    const auto at = static_cast<std::size_t>(std::max(point_->currentIndex(), 0));
    const ParameterSet sizes = at < points.size() ? points[at] : ParameterSet();
    double BenchSample::*const time = chosenTime();
    const QString subject = QStringLiteral("statistics");
    if (plan_ || all.empty()) {
        // Ranks and intervals take time, which what is being timed shall have.
        jobs_.drop(this, subject);
        Shown shown{unrankedEntries(all)};
        shown.here = fastestFirst(shown.entries, sizes, time);
        shown.numbers = LabTableModel::numbersOf(shown.entries);
        return show(std::move(shown));
    }
    // What has ended is never changed again: the job may read it.
    jobs_.start(
        Jobs::Lane::general, this, subject,
        [all, sizes, time] {
            Shown shown{entriesOf(all, time)};
            shown.here = fastestFirst(shown.entries, sizes, time);
            shown.ties = tiesOf(shown.here, time);
            shown.numbers = LabTableModel::numbersOf(shown.entries, all);
            return shown;
        },
        [this](const Shown& shown) { show(shown); });
}

void LabPage::show(Shown shown) {
    showTimes(shown);
    showStages(shown.here);
    showSizes(compared());
    showRoofline(shown.here);
    model_->setEntries(std::move(shown.entries), std::move(shown.numbers));
    showColumns();
    table_->refresh(
        tr("Run (F5) times the ticked variants; all numbers stand here. Open reports shows kept ones."));
    updateActions();
}

void LabPage::showColumns() {
    bool several = false, since = false;
    for (const auto& one : compared()) several = several || one->report.points.size() > 1;
    for (int item = 0; item < model_->items(); ++item)
        since = since || !std::isnan(model_->number(item, LabTableModel::SinceColumn));
    table_->setShownColumns([several, since](int column) {
        if (column == LabTableModel::SizesColumn) return several;
        if (column >= LabTableModel::SinceColumn && column <= LabTableModel::SinceHighColumn) return since;
        return true;
    });
}

void LabPage::showPoints(const ComparedList& all) {
    std::vector<BenchPoint> points;
    for (const ParameterSet& sizes : pointsOf(all)) points.push_back({sizes, {}});
    const std::vector<std::string> varied = varied_sizes(points);
    QStringList texts;
    for (const BenchPoint& point : points) texts << pointText(point.sizes, varied);
    QStringList shown;
    for (int i = 0; i < point_->count(); ++i) shown << point_->itemText(i);
    point_->setVisible(texts.size() > 1);
    if (texts == shown) return;
    const QSignalBlocker quiet(point_);
    const QString chosen = point_->currentText();
    point_->clear();
    point_->addItems(texts);
    point_->setCurrentIndex(std::max<int>(0, static_cast<int>(texts.indexOf(chosen))));
}

void LabPage::showTimes(const Shown& shown) {
    double BenchSample::*const time = chosenTime();
    std::vector<Entry> order;
    for (const Entry& entry : shown.here)
        if (!entry.row->samples.empty() || (!entry.of->complete && entry.row->not_run.empty()))
            order.push_back(entry);
    std::vector<Strip> strips;
    strips.reserve(order.size());
    for (const Entry& entry : order)
        strips.push_back({QString::fromStdString(entry.row->variant.id), entry.of->name(),
                          colourOf(*entry.of), rankText(entry.rank),
                          entry.row->verdict.state == Verdict::State::fail,
                          plan_ ? tr("is being timed") : tr("was not timed"), entry.row->times(time)});
    std::vector<StripTie> ties;
    for (const std::vector<std::size_t>& set : shown.ties) {
        StripTie tie{colourOf(*order[set.front()].of), set};
        std::ranges::sort(tie.strips);
        ties.push_back(std::move(tie));
    }
    times_->setTitle(time_->currentText());
    times_->setEmptyText(plan_ ? tr("The first samples come soon")
                               : tr("Tick variants at the left and press Run (F5): every timed run becomes a "
                                    "dot here"));
    times_->setStrips(std::move(strips), std::move(ties));
}

void LabPage::showStages(const std::vector<Entry>& entries) {
    QVector<TimingSeries> series;
    const bool several = compared().size() > 1;
    for (const Entry& entry : entries) {
        const BenchSample* sample = medianSample(*entry.row, &BenchSample::total);
        if (!sample) continue;
        QString name = QString::fromStdString(entry.row->variant.id);
        if (several) name += QStringLiteral("  ") + entry.of->name();
        series.push_back({name, sample->timings, static_cast<std::uint64_t>(sample->total)});
    }
    std::ranges::stable_sort(series, {}, &TimingSeries::total);
    stages_->timing().setEmptyText(
        tr("After a run (F5) the stages of the median run of each variant stand here"));
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
    sizes_->setEmptyText(
        tr("Give a size several values, such as 256, 512, 1024, and press Run (F5) to see how "
           "the times grow"));
    if (varied_sizes(points).empty()) points.clear();
    sizes_->setPoints(points, form_->info().benchmark);
}

void LabPage::showRoofline(const std::vector<Entry>& entries) {
    std::vector<int> colours;
    colours.reserve(entries.size());
    for (const Entry& entry : entries) colours.push_back(colourOf(*entry.of));
    QStringList notes;
    const Ceilings* known = nullptr;
    QStringList lacking;
    QString roofed;
    bool measurable = false;  // one of those that lack them is here
    for (const Entry& entry : entries) {
        const DeviceInfo& device = entry.of->report.device;
        if (device.index < 0 && entry.of->file.isEmpty()) continue;
        const QString name = QString::fromStdString(device.name);
        const Ceilings* found = find_ceilings(ceilings_, device);
        if (!found && !lacking.contains(name)) lacking << name;
        measurable = measurable || (!found && entry.of->file.isEmpty());
        if (found && !known) {
            known = found;
            roofed = name;
        }
    }
    QStringList leftOut;
    std::vector<RoofPoint> points = roofPoints(entries, colours, ceilings_, leftOut);
    for (const RoofPoint& one : points) {
        if (!one.aboveRoofs.isEmpty()) notes << tr("Above the roofs: %1, %2.").arg(one.name, one.aboveRoofs);
        if (!one.aboveMemory.isEmpty()) notes << tr("Above memory: %1, %2.").arg(one.name, one.aboveMemory);
    }
    if (known) notes << tr("Roofs of %1, measured.").arg(roofed);
    if (!lacking.isEmpty())
        notes << tr("What %1 can do at most was not measured.").arg(lacking.join(QStringLiteral(", ")));
    if (!leftOut.isEmpty()) notes << tr("Left out: %1.").arg(leftOut.join(QStringLiteral("; ")));
    note_->setText(notes.join(QLatin1Char(' ')));
    note_->setVisible(!notes.isEmpty());
    measure_->setVisible(measurable);
    roofline_->setEmptyText(
        entries.empty() ? tr("After a run (F5) variants stand here by the operations and bytes that their "
                             "kernels state")
                        : tr("None of the kernels states both its operations and its bytes"));
    roofline_->setPoints(std::move(points), known ? roofsOf(*known) : std::vector<Roof>());
}

QString LabPage::rooflineNote() const {
    return note_->text();
}

void LabPage::updateActions() {
    const ComparedList all = compared();
    saveAction_->setEnabled(
        std::ranges::any_of(all, [](const auto& one) { return one->complete && one->file.isEmpty(); }));
    closeAction_->setEnabled(std::ranges::any_of(all, [](const auto& one) { return !one->file.isEmpty(); }));
    const int item = table_->selected();
    showAction_->setEnabled(item >= 0);
    placeAction_->setEnabled(item >= 0 && hasPlace(model_->entries()[static_cast<std::size_t>(item)]));
}

}  // namespace ks::ui::lab
