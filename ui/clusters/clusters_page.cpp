#include "ui/clusters/clusters_page.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <algorithm>

#include "core/io/digis/digi_file.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/clusters/detector_form.h"
#include "ui/clusters/difference_panel.h"
#include "ui/clusters/module_pane.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/files/file_filters.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/runs/run_source.h"

namespace ks::ui::clusters {
namespace {

constexpr int besides = 900;  ///< minimum page width that has room for both overview and map while stepping
constexpr std::size_t livelyDigis =
    5'000'000;  ///< above this number the full computation takes too long for live previews

bool holdsDigis(const io::FileNode& node) {
    const auto has = [&node](const char* name) {
        return std::ranges::any_of(node.children, [name](const io::FileNode& child) {
            return child.name == name && child.kind == io::FileNode::Kind::dataset;
        });
    };
    return (has("module") && has("x") && has("y") && has("adc")) ||
           std::ranges::any_of(node.children, holdsDigis);
}

FilteredTable* tableOf(OrderedTableModel& model, const char* object, const QString& example,
                       FilteredTable::Texts texts) {
    auto* made = new FilteredTable(model, filterNames(model, example), std::move(texts));
    made->setObjectName(QLatin1String(object));
    return made;
}

constexpr const char* switches[] = {"outlines", "centroids"};

}  // namespace

/// Pixel clusters: modules of the detector, the pixels of one of them, the algorithms step by step,
/// tables and histograms.
std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<ClustersPage>(context);
}

ClustersPage::ClustersPage(PageContext& context)
    : AnalysisPage({QStringLiteral("clusters")}),
      context_(context),
      runs_([this](const Run& run) { return ofThisFile(run); }),
      overview_(new ModuleOverview),
      pane_(new ModulePane(context.jobs, *this)),
      plots_(new ClusterPlots(context.jobs)),
      clusterTable_(
          tableOf(clusters_, "clusters", tr("size > 5, charge < 4e4"),
                  {tr("Clusters"), tr("clusters"),
                   tr("Conditions separated by commas; a row must meet all of them. Example: size > 5, 1e3 < "
                      "charge < 4e4, module 512..520.\nThe tooltip of a column gives the name to use here."),
                   QStringLiteral("clusters"), tr("cluster")})),
      moduleTable_(tableOf(modules_, "modules", tr("digis > 100"),
                           {tr("Modules"), tr("modules"),
                            tr("Conditions separated by commas; a row must meet all of them. Example: digis "
                               "> 100, layer = 1.\nThe tooltip of a column gives the name to use here."),
                            QStringLiteral("modules")})),
      difference_(new DifferencePanel(context.jobs)),
      events_(new FrameSlider(nullptr, tr("event"))),
      quantity_(
          named(new QComboBox, tr("Colour of the modules"), tr("Quantity shown by the module colours"))),
      scope_(named(new QComboBox, tr("Scope of the cluster list"),
                   tr("List the clusters of the module, the event, or all events"))),
      detector_(new DetectorForm(*context.history)) {
    setKeysWithoutWork({QStringLiteral("charge_cut"), QStringLiteral("event"), QStringLiteral("module")});
    events_->setObjectName(QStringLiteral("events"));
    scope_->setObjectName(QStringLiteral("scope"));
    makeCentre();
    connectParts();
    connect(this, &Page::openingChanged, this, &ClustersPage::showEmptyTexts);
    arrange();
    events_->hide();
    takeRuns({});
}

ClustersPage::~ClustersPage() {
    disconnectParts({detector_});
}

QWidget* ClustersPage::makeTop() {
    quantity_->addItems({tr("Digis"), tr("Clusters"), tr("Charge")});
    QWidget* const bar =
        boxed(inColumns({new QLabel(tr("Modules by")), quantity_, {events_, 100}, Cell::space()}, 4));
    bar->setFixedHeight(pane_->barHeight());
    left_ = boxed(inRows({bar, {overview_, 1}}, 4));
    auto* top = new QSplitter(Qt::Horizontal);
    top->setObjectName(QStringLiteral("clustersTop"));
    for (QWidget* one : {left_, &pane_->treesSide(), static_cast<QWidget*>(pane_)}) top->addWidget(one);
    for (int i = 0; i < top->count(); ++i) top->setStretchFactor(i, i == 2 ? 5 : 4);
    top->setChildrenCollapsible(false);
    return top;
}

void ClustersPage::makeCentre() {
    scope_->addItems({tr("Module"), tr("Event"), tr("All events")});
    scope_->setCurrentIndex(1);
    clusterTable_->addChoice(scope_);
    // Their texts grow with their content: the neighbouring dock keeps its width.
    for (FilteredTable* one : {clusterTable_, moduleTable_, &difference_->table()}) one->setMinimumWidth(240);
    for (FilteredTable* one : {clusterTable_, moduleTable_})
        one->setNote([this](int) {
            return a_.run && a_.run->run() ? tableNote(*a_.run->run(), a_.run->number(), outdated_)
                                           : QString();
        });
    QWidget* const top = makeTop();
    top->setContentsMargins(4, 2, 4, 2);
    difference_->table().setNote([this](int) { return differenceNote_; });
    setBody(top,
            {{tr("Clusters"), clusterTable_, false, tr("One row per cluster of the displayed run")},
             {tr("Modules"), moduleTable_, false, tr("One row per module of the selected event")},
             {tr("Difference"), difference_, false, tr("Clusters that differ between two ticked runs")},
             {tr("Histograms"), plots_, true, tr("Distribution of cluster sizes and charges")},
             {tr("Steps"), &pane_->steps(), true,
              tr("How the variant works on the selected module, step by step")}},
            2);
}

std::vector<PicturePlace> ClustersPage::pictures() const {
    std::vector<PicturePlace> places;
    if (!left_->isHidden()) places.push_back(placeIn(*this, *overview_, overview_->place()));
    if (!pane_->treesSide().isHidden())
        places.push_back(placeIn(*this, pane_->trees(), pane_->trees().place()));
    places.push_back(placeIn(*this, pane_->map(), pane_->map().place()));
    return places;
}

// While the steps are visible, so are the trees; on a narrow page they replace the overview.
void ClustersPage::arrange() {
    pane_->setStepping(stepping());
    left_->setVisible(width() >= besides || !stepping());
}

bool ClustersPage::stepping() const {
    return drawer().isRaised(&pane_->steps());
}

void ClustersPage::show(Part part) {
    QWidget* const parts[] = {clusterTable_, moduleTable_, plots_, &pane_->steps(), difference_};
    drawer().raise(parts[static_cast<std::size_t>(part)]);
}

void ClustersPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
}

void ClustersPage::connectParts() {
    connect(detector_, &DetectorForm::layoutChosen, this, &ClustersPage::changeLayout);
    connect(detector_, &DetectorForm::cutChanged, this, &ClustersPage::edited);
    connect(quantity_, &QComboBox::currentIndexChanged, this,
            [this](int index) { overview_->setQuantity(static_cast<ModuleOverview::Quantity>(index)); });
    connect(scope_, &QComboBox::currentIndexChanged, this, &ClustersPage::showScope);
    connect(events_, &FrameSlider::frameChanged, this,
            [this](int event) { showEventOf(static_cast<std::size_t>(event)); });
    connect(&drawer(), &Drawer::raisedChanged, this, &ClustersPage::arrange);
    connect(overview_, &ModuleOverview::picked, this, &ClustersPage::pickSlot);
    connect(overview_, &ModuleOverview::hovered, this, &Page::cursorMoved);
    connect(clusterTable_, &FilteredTable::picked, this,
            [this](int cluster) { pickCluster(static_cast<std::size_t>(cluster), true); });
    connect(moduleTable_, &FilteredTable::picked, this,
            [this](int item) { pickSlot(modules_.slotOf(item)); });
    connect(difference_, &DifferencePanel::picked, this, &ClustersPage::pickDifference);
    connect(difference_, &DifferencePanel::failed, this, &Page::failed);
    for (FilteredTable* one : {clusterTable_, moduleTable_})
        connect(one, &FilteredTable::failed, this, &Page::failed);
    connect(plots_, &ClusterPlots::pointHovered, this, &Page::cursorMoved);
    connect(plots_, &ClusterPlots::cutDragged, this,
            [this](const QString& text) { detector_->setCut(text.toStdString()); });
    connect(pane_, &ModulePane::cursorMoved, this, &Page::cursorMoved);
    connect(pane_, &ModulePane::clicked, this,
            [this](std::optional<std::size_t> cluster) { pickCluster(cluster, false); });
    connect(pane_, &ModulePane::shown, this, &ClustersPage::showStatus);
    connect(pane_, &ModulePane::failed, this, &Page::failed);
    connect(&pane_->recorder(), &StepRecorder::wanted, this, [this] {
        emit runRequested();
        show(Part::steps);
    });
}

bool ClustersPage::accepts(const OpenFile& file) const {
    return io::are_columns_of_digis(file.columns) || holdsDigis(file.tree);
}

QStringList ClustersPage::fileFilters() const {
    return {tablesFilter(tr("Digis"), true)};
}

std::vector<Demo> ClustersPage::demos() const {
    return {Demo{{{"events", std::int64_t{3}}}, QStringLiteral("h5")}};
}

OwnParameters ClustersPage::ownParameters() const {
    return {{QStringLiteral("layout"), QStringLiteral("charge_cut"), QStringLiteral("record")}};
}

void ClustersPage::resetParameters() {
    detector_->reset();
}

QWidget* ClustersPage::inputWidget() {
    return detector_;
}

void ClustersPage::setFile(std::shared_ptr<const OpenFile> file) {
    if (file_ && file_->path != file->path) detector_->forgetOtherCuts();
    file_ = std::move(file);
    for (FilteredTable* table : {clusterTable_, moduleTable_, &difference_->table()})
        table->setRead({{"digis", file_->path.toStdString()}});
    runs_.setPreview(nullptr);
    waiting_.reset();
    readDigis();
}

std::function<std::any()> ClustersPage::reader(const OpenFile& file) const {
    return [name = file.name.toStdString(), layout = detector_->chosenLayout()]() -> std::any {
        try {
            return readDigiSet(name, layout);
        } catch (const Error&) {
            // The file may be from another detector than the one chosen for the previous file.
            if (layout.empty()) throw;
            return readDigiSet(name, {});
        }
    };
}

FileValues ClustersPage::fileValues() const {
    if (!digis_) return {};
    bool cuts = false;
    try {
        cuts = !ChargeCut(detector_->cut(), digis_->layout()).off();
    } catch (const Error&) {
        // The form reports its error.
    }
    return {.traits = ks::clusters::traits_of_digis(digis_->digis(), cuts)};
}

void ClustersPage::closeFile() {
    context_.jobs.drop(this, QStringLiteral("digis"));
    file_.reset();
    for (FilteredTable* table : {clusterTable_, moduleTable_, &difference_->table()}) table->setRead({});
    runs_.setPreview(nullptr);
    waiting_.reset();
    forgetDigis();
    events_->hide();
    plots_->setRuns({}, nullptr);
}

void ClustersPage::forgetDigis() {
    // Results computed from these digis must not arrive after they are gone.
    for (const char* job : {"layout", "clusters of runs"}) context_.jobs.drop(this, QString::fromLatin1(job));
    digis_.reset();
    unread_.clear();
    takeRuns({});
    showEventOf(0);
    showEmptyTexts();
}

void ClustersPage::readDigis() {
    forgetDigis();
    context_.jobs.start(
        Jobs::Lane::files, this, QStringLiteral("digis"),
        [given = contentOf<DigiSet>(*file_), name = file_->name.toStdString(),
         layout = detector_->chosenLayout()] { return given ? given : readDigiSet(name, layout); },
        [this](std::shared_ptr<const DigiSet> digis) { takeDigis(std::move(digis)); },
        [this](const Error& error) {
            // The file was opened for another page, which could read it: not an error for the user.
            file_.reset();
            unread_ = QString::fromUtf8(error.what());
            showEmptyTexts();
            emit inputsChanged();
        });
}

void ClustersPage::takeDigis(std::shared_ptr<const DigiSet> digis) {
    digis_ = std::move(digis);
    detector_->takeLayout(digis_->layout());
    const std::size_t events = digis_->events();
    {
        const QSignalBlocker quiet(events_);
        events_->setFrameCount(static_cast<int>(events));
        events_->setFrame(0);
    }
    events_->setVisible(events > 1);
    slot_.reset();
    plots_->setRuns({}, &digis_->layout());
    plots_->setCut(detector_->cut());
    showEventOf(0);
    showEmptyTexts();
    decode();
    lookAtKept();
    emit inputsChanged();
}

void ClustersPage::edited() {
    plots_->setCut(detector_->cut());
    if (file_) emit previewWanted();
}

void ClustersPage::changeLayout() {
    if (!digis_) {
        // The file may have failed in the previously chosen layout.
        if (file_) readDigis();
        return;
    }
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("layout"),
        [digis = digis_, layout = detector_->layout()] { return inLayout(*digis, layout); },
        [this](std::shared_ptr<const DigiSet> digis) { takeDigis(std::move(digis)); },
        [this](const Error& error) {
            // The displayed digis keep their layout.
            detector_->returnTo(digis_->layout().id);
            emit failed(error);
        });
}

QString ClustersPage::missing() const {
    if (!unread_.isEmpty()) return unread_;
    if (!file_) return tr("no digis: open a CSV or HDF5 file with digis, or the demo");
    if (!digis_) return tr("reading the digis");
    try {
        ks::clusters::charge_cuts_from(detector_->cut(), digis_->layout());
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void ClustersPage::apply(const ParameterSet& given) {
    if (given.contains("layout")) detector_->setLayout(text(given, "layout"));
    if (!given.contains("charge_cut")) return;
    detector_->setCut(text(given, "charge_cut"));
    detector_->keepCutForNext();
}

void ClustersPage::fill(Request& request) const {
    request.inputs["digis"] = {file_->name.toStdString(), {}};
    fillOwn(request.parameters);
    if (slot_) pane_->recorder().fill(request, *slot_);
}

void ClustersPage::fillOwn(ParameterSet& parameters) const {
    for (const auto& [id, value] : detector_->values()) parameters[id] = value;
}

void ClustersPage::setOutdated(const QStringList& labels) {
    const bool same = labels == outdated_;
    outdated_ = labels;
    showNotes();  // an older run may be recorded, which differs in other settings
    if (!same) showStatus();
}

QString ClustersPage::noteOf(const ShownRun& shown) const {
    if (!shown.run) return {};
    if (shown.run->number() == 0) return runMark(shown.wrong, QString());
    return runMark(shown.wrong, newestRun() == shown.run ? outdated_ : differing(*shown.run->run()));
}

QString ClustersPage::noteOfDifference() const {
    QStringList notes;
    for (const ShownRun* const one : {&b_, &a_}) {
        if (!one->run || !one->run->run()) continue;
        const int number = one->run->number();
        const QStringList labels = newestRun() == one->run ? outdated_
                                   : number > 0            ? differing(*one->run->run())
                                                           : QStringList();
        Run judged = {};
        judged.verdict = one->run->run()->verdict;
        if (one->wrong) judged.verdict.state = Verdict::State::fail;  // by a check since it was read
        const QString note = tableNote(judged, number, labels);
        // A preview has no number.
        if (!note.isEmpty()) notes << (number > 0 ? tr("run %1: %2").arg(number).arg(note) : note);
    }
    return notes.join(QStringLiteral("; "));
}

std::shared_ptr<const RunClusters> ClustersPage::newestRun() const {
    const auto newest = std::ranges::find_if(all_, [](const ShownRun& one) { return one.run->number() > 0; });
    return newest == all_.end() ? nullptr : newest->run;
}

void ClustersPage::showNotes() {
    differenceNote_ = noteOfDifference();  // once, not for each row of the table
    pane_->setNotes(noteOf(a_), noteOf(pane_->recorder().recorded()));
    overview_->setNote(noteOf(a_));
    // Beside others, each is named with its mark.
    QStringList notes;
    for (const ShownRun& one : all_)
        if (const QString note = noteOf(one); !note.isEmpty())
            notes << (all_.size() == 1         ? note
                      : one.run->number() == 0 ? tr("preview: %1").arg(note)
                                               : tr("run %1: %2").arg(one.run->number()).arg(note));
    plots_->histogram().setNote(notes.join(QStringLiteral("; ")));
}

AnalysisPage::Reduced ClustersPage::reduce(Request& request, double /*share*/) const {
    if (digis_->digis().size() > livelyDigis) return Reduced::noPreviews;
    request.check = CheckMode::none;
    return Reduced::whole;
}

void ClustersPage::setPreview(std::shared_ptr<const Run> run) {
    if (runs_.setPreview(std::move(run))) decode();
}

void ClustersPage::setRuns(const std::vector<RunRow>& runs) {
    runs_.setTicked(runs);
    decode();
}

bool ClustersPage::ofThisFile(const Run& run) const {
    return file_ && digis_ && readFrom(run, "digis", *file_, {{"digis", digis_->digis().size()}});
}

// Runs with many events have millions of clusters. They are decoded in the background, and known ones are
// not decoded again.
void ClustersPage::decode() {
    struct Wanted {
        RunRow row;
        ShownRun known;
    };
    std::vector<Wanted> wanted;
    for (const RunRow& row : runs_.shown()) {
        ShownRun known;
        // A check makes another Run with the same number and result.
        for (const ShownRun& one : all_)
            if (row.number > 0 && one.run->number() == row.number && one.run->digis() == digis_) known = one;
        wanted.push_back({row, known});
    }
    if (wanted.empty()) {
        context_.jobs.drop(this, QStringLiteral("clusters of runs"));
        return takeRuns({});
    }
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("clusters of runs"),
        [wanted, digis = digis_] {
            std::vector<ShownRun> shown;
            shown.reserve(wanted.size());
            for (const Wanted& one : wanted) {
                shown.push_back(one.known.run ? one.known : shownRun(one.row.run, one.row.number, digis));
                shown.back().wrong = isWrong(one.row);
            }
            return shown;
        },
        [this](std::vector<ShownRun> shown) { takeRuns(std::move(shown)); },
        [this](const Error& error) {
            takeRuns({});
            emit failed(error);
        });
}

void ClustersPage::takeRuns(std::vector<ShownRun> shown) {
    all_ = std::move(shown);
    const auto before = a_.run;
    a_ = all_.empty() ? ShownRun{} : all_[0];
    b_ = all_.size() > 1 ? all_[1] : ShownRun{};
    if (a_.run != before) pane_->select(std::nullopt, false);
    pane_->setRuns(all_, digis_.get());
    plots_->setRuns(all_, digis_ ? &digis_->layout() : nullptr);
    plots_->setCut(detector_->cut());
    showNotes();
    showTables();
    pane_->compare(nullptr);
    // The older run comes first: the difference says what the newer one makes of its clusters.
    difference_->setRuns({b_.run, b_.wrong}, {a_.run, a_.wrong});
    showEmptyTexts();
    if (!digis_) return;
    overview_->setEvent(digis_, a_.run, event_);
    showModule();
}

QString ClustersPage::noClustersText() const {
    if (!digis_) return tr("Open digis to see their clusters here after a run.");
    if (!a_.run) return tr("Press Run (F5) to see the clusters here.");
    return a_.wrong ? tr("No clusters found, but the result is wrong: correct the kernel or choose another "
                         "variant.")
                    : tr("No clusters found: lower the charge cut.");
}

void ClustersPage::showTables() {
    const bool changed = clusters_.run() != a_.run || tabled_ != digis_ || !a_.run;
    if (changed) {
        tabled_ = digis_;
        clusters_.setRun(a_.run);
        const bool layers = digis_ && !digis_->layout().layers.empty(),
                   events = digis_ && digis_->events() > 1;
        const auto known = [layers, events](int layer, int event) {
            return [=](int column) { return (layers || column != layer) && (events || column != event); };
        };
        clusterTable_->setShownColumns(known(ClusterTableModel::LayerColumn, ClusterTableModel::EventColumn));
        moduleTable_->setShownColumns(known(ModuleTableModel::LayerColumn, -1));
        difference_->table().setShownColumns(
            known(DifferenceModel::LayerColumn, DifferenceModel::EventColumn));
    }
    if (const QString none = noClustersText(); changed || none != noClusters_) {
        noClusters_ = none;
        clusterTable_->refresh(none);
    }
    const auto isPreview = [](const auto& run) { return run && run->number() == 0; };
    const auto name = [&](FilteredTable& table, bool preview) {
        table.setOrigin(preview ? tr("the preview") : QString(),
                        preview ? QStringLiteral("preview") : QString());
    };
    name(*clusterTable_, isPreview(a_.run));
    name(*moduleTable_, isPreview(a_.run));
    name(difference_->table(), isPreview(a_.run) || isPreview(b_.run));
    modules_.setEvent(digis_, a_.run, event_);
    moduleTable_->refresh(tr("Open digis to see their modules here."));
    showScope();
}

QString ClustersPage::scopeLeaf() const {
    QStringList parts;
    if (digis_->events() > 1) parts << QStringLiteral("event%1").arg(digis_->number(event_));
    if (scope_->currentIndex() == 0 && slot_) parts << QStringLiteral("module%1").arg(digis_->module(*slot_));
    return parts.join(QLatin1Char('_'));
}

void ClustersPage::showScope() {
    const int scope = scope_->currentIndex();
    if (scope_->count() > 2)
        scope_->setItemData(2, digis_ && digis_->events() > 1 ? QVariant() : QVariant(0), Qt::UserRole - 1);
    if (!a_.run || scope == 2 || (scope == 1 && digis_->events() == 1)) {
        clusterTable_->setAccepted({});
    } else {
        std::size_t first = digis_->firstSlot(event_), end = digis_->endSlot(event_);
        if (scope == 0) {
            first = slot_.value_or(first);
            end = slot_ ? first + 1 : first;
        }
        clusterTable_->setAccepted(
            [run = a_.run, first, end](int cluster) {
                const std::uint32_t slot = run->slotOf(static_cast<std::size_t>(cluster));
                return slot >= first && slot < end;
            },
            scope == 0 ? tr("No clusters in this module.") : tr("No clusters in this event."), scopeLeaf());
    }
    clusterTable_->select(picked() ? static_cast<int>(*picked()) : -1);
    moduleTable_->select(slot_ ? modules_.itemOf(*slot_) : -1);
}

bool ClustersPage::showPlace(const VerdictPlace& place) {
    const auto number = place.find("event"), module = place.find("module"), digi = place.find("digi");
    if (!digis_ || number == place.end() || module == place.end()) return false;
    const std::optional<std::size_t> event = digis_->eventWithNumber(number->second);
    if (!event) return false;
    const std::optional<std::size_t> slot = digis_->slotOf(*event, module->second);
    if (!slot) return false;
    pickSlot(*slot);
    if (!a_.run || digi == place.end() || digi->second >= a_.run->labels().size()) return true;
    // The cluster assigned to the digi, right or wrong.
    if (const int cluster = a_.run->withLabel(a_.run->labels()[digi->second]); cluster >= 0)
        pickCluster(static_cast<std::size_t>(cluster), true);
    return true;
}

void ClustersPage::showStatus() {
    QString text;
    QStringList shorter;
    if (digis_ && slot_) {
        const std::size_t slot = *slot_;
        shorter = overview_->shorter(slot);
        // First, since the slider counts positions, and the end of the line may be cut.
        const QString event = digis_->events() > 1 ? tr("Event %1: ").arg(digis_->number(event_)) : QString();
        for (QString& one : shorter) one.prepend(event);
        const bool preview = a_.run && a_.run->number() == 0;
        const QStringList plain = shorter.mid(std::max<qsizetype>(shorter.size() - 1, 0));
        if (preview || (a_.run && !outdated_.isEmpty()))
            for (QString& one : shorter) one.prepend(preview ? tr("Preview. ") : tr("Outdated. "));
        if (!preview)
            shorter << plain;  // without a prefix if there is no room for it, since the map has a mark
        // First, since the end of the line may be cut.
        if (a_.run && a_.run->number() > 0 && !outdated_.isEmpty())
            text = tr("Run %1 %2; ").arg(a_.run->number()).arg(outdatedText(outdated_));
        text += event + overview_->describe(slot);
        if (a_.run && a_.run->number() > 0)
            text += tr("; run %1").arg(a_.run->number());
        else
            text += a_.run ? tr("; preview") : tr("; press Run (F5) to find the clusters");
        if (const std::size_t invalid = digis_->digis().invalid(); invalid > 0)
            text += tr("; %1 without a module").arg(counted(invalid, tr("1 digi"), tr("%1 digis")));
    }
    pane_->status().setWhole(text, shorter);
}

QString ClustersPage::status() const {
    return pane_->status().whole();
}

void ClustersPage::showEmptyTexts() {
    const bool reading = file_ && !digis_;
    overview_->setEmptyText(reading              ? tr("Reading the digis \u2026")
                            : !unread_.isEmpty() ? unread_
                            : isOpening()        ? openingText()
                            : !lack().isEmpty()  ? lack()
                                                 : tr("Drop a CSV or HDF5 file with digis here, or open "
                                                       "the demo"));
    pane_->setEmptyTexts(reading, !digis_  ? tr("Open digis first")
                                  : !slot_ ? tr("Select a module first")
                                  : StepRecorder::isPossible()
                                      ? QString()
                                      : tr("No variant in this build of Kernelscope records its rounds"));
}

void ClustersPage::showEventOf(std::size_t event) {
    event_ = event;
    pane_->select(std::nullopt, false);
    if (!digis_ || digis_->slotCount() == 0) {
        overview_->setEvent(nullptr, nullptr, 0);
        slot_.reset();
    } else {
        // The same module in another event, if it has digis there.
        std::optional<std::size_t> slot;
        if (slot_) slot = digis_->slotOf(event, digis_->module(*slot_));
        slot_ = slot.value_or(digis_->fullest(event));
        overview_->setEvent(digis_, a_.run, event);
        overview_->select(slot_);
    }
    showTables();
    showModule();
}

void ClustersPage::showModule() {
    pane_->setModule(digis_, a_.run, slot_);
    showEmptyTexts();
    showStatus();
}

void ClustersPage::pickSlot(std::size_t slot) {
    if (!digis_ || slot >= digis_->slotCount()) return;
    pane_->compare(nullptr);
    pane_->select(pane_->picked(), false);
    if (slot_ == slot) return;
    slot_ = slot;
    if (const std::size_t event = digis_->eventOf(slot); event != event_) {
        events_->setFrame(static_cast<int>(event));
        return;
    }
    pane_->select(std::nullopt, false);
    overview_->select(slot_);
    showScope();
    showModule();
}

void ClustersPage::pickCluster(std::optional<std::size_t> cluster, bool look) {
    if (cluster && (!a_.run || *cluster >= a_.run->clusters().size())) cluster.reset();
    const std::uint32_t slot = cluster ? a_.run->slotOf(*cluster) : ks::clusters::ModuleDigis::no_slot;
    if (look && slot != ks::clusters::ModuleDigis::no_slot && slot_ != slot) {
        pickSlot(slot);
        pane_->select(cluster, true);
    } else {
        pane_->pick(cluster, look);
    }
    if (const int row = cluster ? static_cast<int>(*cluster) : -1; clusterTable_->selected() != row)
        clusterTable_->select(row);
}

void ClustersPage::pickDifference(int item) {
    if (item < 0 || item >= difference_->model().items()) return;
    const ClusterDifference& one = difference_->model().at(item);
    if (slot_ != one.slot) pickSlot(one.slot);
    pane_->select(std::nullopt, false);
    pane_->compare(&one, b_.run);
}

std::optional<std::size_t> ClustersPage::picked() const {
    return pane_->picked();
}

std::vector<NamedPlot> ClustersPage::plots() const {
    const auto runsOf = [](const std::vector<ShownRun>& shown) {
        PlotRuns of;
        for (const ShownRun& one : shown) {
            if (!one.run) continue;
            if (one.run->number() == 0)
                of.preview = true;
            else
                of.numbers.push_back(one.run->number());
        }
        return of;
    };
    const auto displayed = [this, runsOf] { return runsOf({a_}); };
    const auto all = [this, runsOf] { return runsOf(all_); };
    // Steps are of the recorded run, also beside a preview.
    const auto recorded = [this, runsOf] {
        return pane_->steps().trace() ? runsOf({pane_->recorder().recorded()}) : PlotRuns{};
    };
    const auto mapped = [this, displayed, recorded] {
        return pane_->mapsRecorded() ? recorded() : displayed();
    };
    return {{tr("Pixels of the module"), &pane_->map(), {}, nullptr, mapped},
            {tr("Modules of the detector"), overview_, {}, nullptr, displayed},
            {tr("Union-find trees"), &pane_->trees(), {}, nullptr, recorded},
            {tr("Histogram of clusters"), &plots_->histogram(), {}, nullptr, all},
            {tr("Digis by column"), &pane_->steps().columns(), {}, nullptr, recorded}};
}

std::optional<PageState> ClustersPage::state(Scope scope) const {
    PageState state;
    if (scope == Scope::settings) {
        state.values["modulesBy"] = quantity_->currentIndex();
        state.values["digisBy"] = pane_->colouring().currentIndex();
        state.values["scope"] = scope_->currentIndex();
        for (const char* name : switches)
            state.values[std::string("show-") + name] = pane_->action(name)->isChecked();
        return state;
    }
    if (scope != Scope::session) return std::nullopt;
    if (waiting_) return waiting_;
    state.values["charge_cut"] = detector_->cut();
    if (!file_) return state;
    if (const std::string chosen = detector_->chosenLayout(); !chosen.empty())
        state.values["layout"] = chosen;
    state.values["event"] = event_;
    if (slot_ && digis_) state.values["module"] = digis_->module(*slot_);
    return state;
}

void ClustersPage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) return setSettings(state.values);
    if (scope == Scope::expected) return;
    if (const QString cut = jsonText(state.values, "charge_cut"); !cut.isEmpty())
        detector_->setCut(cut.toStdString());
    detector_->keepCutForNext();
    if (!file_) return;
    waiting_ = state;
    const std::string layout = jsonText(state.values, "layout").toStdString();
    if (!layout.empty() && layout != detector_->layout())
        detector_->setLayout(layout);  // the digis are loaded again
    else
        lookAtKept();
}

void ClustersPage::setSettings(const nlohmann::json& kept) {
    for (const auto& [box, key] : {std::pair{quantity_, "modulesBy"},
                                   std::pair{&pane_->colouring(), "digisBy"}, std::pair{scope_, "scope"}}) {
        const int index = jsonInteger(kept, key, box->currentIndex());
        if (index >= 0 && index < box->count()) box->setCurrentIndex(index);
    }
    for (const char* name : switches)
        pane_->action(name)->setChecked(jsonBoolean(kept, (std::string("show-") + name).c_str(), true));
}

void ClustersPage::lookAtKept() {
    if (!waiting_ || !digis_) return;
    const nlohmann::json kept = std::exchange(waiting_, std::nullopt)->values;
    const auto event = static_cast<std::size_t>(std::max(jsonInteger(kept, "event"), 0));
    if (event >= digis_->events()) return;
    events_->setFrame(static_cast<int>(event));
    const int module = jsonInteger(kept, "module", -1);
    if (module < 0) return;
    if (const auto slot = digis_->slotOf(event, static_cast<std::uint32_t>(module))) pickSlot(*slot);
}

}  // namespace ks::ui::clusters
