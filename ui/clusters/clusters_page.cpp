#include "ui/clusters/clusters_page.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/base/elided_label.h"
#include "ui/base/filtered_table.h"
#include "ui/clusters/detector_form.h"
#include "ui/clusters/difference_panel.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/clusters/page.h"
#include "ui/clusters/step_recorder.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/shell/page_actions.h"

namespace ks::ui::clusters {
namespace {

constexpr int besides = 900;  ///< minimum page width that has room for both overview and map while stepping

QWidget* column(std::initializer_list<QWidget*> widgets, QWidget* stretched) {
    auto* box = new QWidget;
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    for (QWidget* one : widgets) rows->addWidget(one, one == stretched ? 1 : 0);
    return box;
}

FilteredTable* tableOf(OrderedTableModel& model, const QString& example, FilteredTable::Texts texts) {
    return new FilteredTable(model, filterNames(model, example), std::move(texts));
}

}  // namespace

std::unique_ptr<Page> makePage(PageContext& context) {
    return std::make_unique<ClustersPage>(context);
}

ClustersPage::ClustersPage(PageContext& context)
    : AnalysisPage({QStringLiteral("clusters")}),
      context_(context),
      runs_([this](const Run& run) { return ofThisFile(run); }),
      overview_(new ModuleOverview),
      map_(new ModuleMap),
      trees_(new ModuleMap),
      steps_(new StepPanel),
      recorder_(new StepRecorder(this)),
      plots_(new ClusterPlots(context.jobs)),
      clusterTable_(tableOf(clusters_, tr("size > 5, charge < 4e4"),
                            {tr("Clusters"), tr("clusters"),
                             tr("Conditions that must all hold: size > 5, 1e3 < charge < 4e4, module "
                                "512..520.\nThe tooltip of a column gives its name."),
                             QStringLiteral("clusters"), tr("cluster")})),
      moduleTable_(tableOf(modules_, tr("digis > 100"),
                           {tr("Modules"), tr("modules"),
                            tr("Conditions that must all hold: digis > 100, layer = 1.\nThe tooltip of a "
                               "column gives its name."),
                            QStringLiteral("modules")})),
      difference_(new DifferencePanel(context.jobs)),
      events_(new FrameSlider(nullptr, tr("event"))),
      quantity_(new QComboBox),
      colouring_(new QComboBox),
      scope_(new QComboBox),
      status_(new ElidedLabel),
      detector_(new DetectorForm(*context.history)) {
    for (const auto& [name, part] :
         std::initializer_list<std::pair<const char*, QWidget*>>{{"map", map_},
                                                                 {"trees", trees_},
                                                                 {"clusters", clusterTable_},
                                                                 {"modules", moduleTable_},
                                                                 {"events", events_},
                                                                 {"colouring", colouring_},
                                                                 {"scope", scope_}})
        part->setObjectName(QLatin1String(name));
    makeActions();
    makeCentre();
    connectParts();
    connectMaps();
    arrange();
    events_->hide();
    takeRuns({});
}

ClustersPage::~ClustersPage() {
    disconnectParts({detector_});
}

void ClustersPage::makeActions() {
    const auto add = [this](const char* name, const QString& text, QKeySequence key, const QString& tip) {
        QAction* action = pageAction(this, name, text, key, tip);
        actions_.insert(QLatin1String(name), action);
        return action;
    };
    for (const bool outlines : {true, false}) {
        QAction* action =
            outlines ? add("outlines", tr("Outlines"), Qt::Key_O, tr("Outline each cluster"))
                     : add("centroids", tr("Centroids"), Qt::Key_C, tr("Show the centroid of each cluster"));
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, map_,
                outlines ? &ModuleMap::setOutlinesVisible : &ModuleMap::setCentroidsVisible);
    }
    connect(add("nextRound", tr("Next round"), Qt::Key_Period, tr("Next round of the recorded loop")),
            &QAction::triggered, this, [this] { steps_->rounds().setFrame(steps_->rounds().frame() + 1); });
    connect(
        add("previousRound", tr("Previous round"), Qt::Key_Comma, tr("Previous round of the recorded loop")),
        &QAction::triggered, this, [this] { steps_->rounds().setFrame(steps_->rounds().frame() - 1); });
}

QWidget* ClustersPage::makeTop() {
    quantity_->addItems({tr("Digis"), tr("Clusters"), tr("Charge")});
    quantity_->setAccessibleName(tr("Colour of the modules"));
    quantity_->setToolTip(tr("Quantity shown by the module colours"));
    colouring_->addItems({tr("Charge"), tr("Cluster"), tr("Status")});
    colouring_->setAccessibleName(tr("Colour of the digis"));
    colouring_->setToolTip(tr("Quantity shown by the digi colours"));
    colouring_->setCurrentIndex(static_cast<int>(Colouring::cluster));
    status_->setAccessibleName(tr("Displayed result"));
    map_->setFigureName(QStringLiteral("module"));
    trees_->setFigureName(QStringLiteral("trees"));
    trees_->setAccessibleName(tr("Union-find in the pixels of the module"));

    const auto bar = [](std::initializer_list<QWidget*> widgets) {
        auto* box = new QWidget;
        auto* row = new QHBoxLayout(box);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        for (QWidget* one : widgets) row->addWidget(one);
        return box;
    };
    const auto button = [this](const char* name) { return flatButton(actions_.value(QLatin1String(name))); };
    QWidget* overviewBar = bar({new QLabel(tr("Modules by")), quantity_, events_});
    static_cast<QHBoxLayout*>(overviewBar->layout())->addStretch(1);
    static_cast<QHBoxLayout*>(overviewBar->layout())->setStretchFactor(events_, 100);
    QWidget* mapBar =
        bar({new QLabel(tr("Digis by")), colouring_, button("outlines"), button("centroids"), status_});
    static_cast<QHBoxLayout*>(mapBar->layout())->setStretchFactor(status_, 1);
    status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* trees = new QLabel(tr("Union-find: parents of the digis"));
    trees->setWhatsThis(tr("Each digi points to its parent; the digis of one tree form a cluster"));
    QWidget* treesBar = bar({trees});
    treesBar->setFixedHeight(mapBar->sizeHint().height());
    overviewBar->setFixedHeight(mapBar->sizeHint().height());
    left_ = column({overviewBar, overview_}, overview_);
    treesSide_ = column({treesBar, trees_}, trees_);
    auto* top = new QSplitter(Qt::Horizontal);
    top->setObjectName(QStringLiteral("clustersTop"));
    top->addWidget(left_);
    top->addWidget(treesSide_);
    top->addWidget(column({mapBar, map_}, map_));
    for (int i = 0; i < top->count(); ++i) top->setStretchFactor(i, i == 2 ? 5 : 4);
    top->setChildrenCollapsible(false);
    return top;
}

void ClustersPage::makeCentre() {
    scope_->addItems({tr("Module"), tr("Event"), tr("All events")});
    scope_->setAccessibleName(tr("Scope of the cluster list"));
    scope_->setToolTip(tr("List the clusters of the module, the event, or all events"));
    scope_->setCurrentIndex(1);
    clusterTable_->addChoice(scope_);
    // Their texts grow with their content: the neighbouring dock keeps its width.
    for (FilteredTable* one : {clusterTable_, moduleTable_, &difference_->table()}) one->setMinimumWidth(240);
    parts_ = {clusterTable_, moduleTable_, plots_, steps_, difference_};
    QWidget* const top = makeTop();
    top->setContentsMargins(4, 2, 4, 2);
    setBody(top,
            {{tr("Clusters"), clusterTable_, false, tr("One row per cluster of the displayed run")},
             {tr("Modules"), moduleTable_, false, tr("One row per module of the selected event")},
             {tr("Difference"), difference_, false, tr("Clusters that differ between two ticked runs")},
             {tr("Histograms"), plots_, true, tr("Distribution of cluster sizes and charges")},
             {tr("Steps"), steps_, true, tr("The variant step by step on the selected module")}},
            2);
}

std::vector<PicturePlace> ClustersPage::pictures() const {
    std::vector<PicturePlace> places;
    if (!left_->isHidden()) places.push_back(placeIn(*this, *overview_, overview_->place()));
    if (!treesSide_->isHidden()) places.push_back(placeIn(*this, *trees_, trees_->place()));
    places.push_back(placeIn(*this, *map_, map_->place()));
    return places;
}

// While the steps are visible, so are the trees; on a narrow page they replace the overview.
void ClustersPage::arrange() {
    if (!stepping()) {
        map_->setPointer(std::nullopt);
        trees_->setPointer(std::nullopt);
    }
    treesSide_->setVisible(stepping());
    left_->setVisible(width() >= besides || !stepping());
}

bool ClustersPage::stepping() const {
    return drawer().isRaised(steps_);
}

void ClustersPage::show(Part part) {
    drawer().raise(parts_[static_cast<std::size_t>(part)]);
}

void ClustersPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
}

void ClustersPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showScenes();
}

void ClustersPage::connectParts() {
    connect(detector_, &DetectorForm::layoutChosen, this, &ClustersPage::changeLayout);
    connect(detector_, &DetectorForm::cutChanged, this, &ClustersPage::edited);
    connect(quantity_, &QComboBox::currentIndexChanged, this,
            [this](int index) { overview_->setQuantity(static_cast<ModuleOverview::Quantity>(index)); });
    connect(colouring_, &QComboBox::currentIndexChanged, this, &ClustersPage::showScenes);
    connect(scope_, &QComboBox::currentIndexChanged, this, &ClustersPage::showScope);
    connect(events_, &FrameSlider::frameChanged, this,
            [this](int event) { showEventOf(static_cast<std::size_t>(event)); });
    connect(&drawer(), &Drawer::raisedChanged, this, [this] {
        arrange();
        showScenes();
    });
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
    connect(steps_, &StepPanel::recordRequested, recorder_, &StepRecorder::start);
    connect(recorder_, &StepRecorder::wanted, this, [this] {
        emit runRequested();
        show(Part::steps);
    });
    connect(recorder_, &StepRecorder::failed, this, &Page::failed);
    connect(steps_, &StepPanel::roundChanged, this, &ClustersPage::showScenes);
    connect(steps_, &StepPanel::stepChanged, this, &ClustersPage::showScenes);
    connect(steps_, &StepPanel::digiPicked, this, [this](std::size_t place) {
        const auto& trace = recorder_->trace();
        if (!trace || !data_) return;
        if (const auto digi = data_->ofRow(static_cast<std::uint32_t>(trace->row(place))))
            pointAt(QPoint(data_->digis[*digi].x, data_->digis[*digi].y));
    });
}

void ClustersPage::connectMaps() {
    for (ModuleMap* one : {map_, trees_}) {
        ModuleMap* other = one == map_ ? trees_ : map_;
        connect(one, &ModuleMap::hovered, this, [this](const QPoint& pixel) {
            readOut(pixel);
            pointAt(pixel);
        });
        connect(one, &ModuleMap::hoverLeft, this, [this] {
            emit cursorMoved({});
            pointAt(std::nullopt);
        });
        connect(one, &ModuleMap::clicked, this, &ClustersPage::clickedPixel);
        connect(one, &ModuleMap::partChanged, other, &ModuleMap::showPart);
    }
}

}  // namespace ks::ui::clusters
