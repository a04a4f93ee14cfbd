#include "ui/clusters/module_pane.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <algorithm>

#include "core/clusters/trace/status_word.h"
#include "ui/base/elided_label.h"
#include "ui/base/jobs.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/base/wrapping_row.h"
#include "ui/clusters/digi_colours.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/image/panel/frame_slider.h"
#include "ui/shell/page_actions.h"

namespace ks::ui::clusters {

ModulePane::ModulePane(Jobs& jobs, QWidget& page)
    : jobs_(jobs),
      page_(page),
      map_(new ModuleMap),
      trees_(new ModuleMap),
      steps_(new StepPanel),
      recorder_(new StepRecorder(this)),
      colouring_(named(new QComboBox, tr("Colour of the digis"), tr("Quantity shown by the digi colours"))),
      status_(named(new ElidedLabel, tr("Displayed result"))) {
    colouring_->setObjectName(QStringLiteral("colouring"));
    colouring_->addItems({tr("Charge"), tr("Cluster"), tr("Status")});
    colouring_->setCurrentIndex(static_cast<int>(Colouring::cluster));
    map_->setObjectName(QStringLiteral("map"));
    map_->setFigureName(QStringLiteral("module"));
    trees_->setObjectName(QStringLiteral("trees"));
    trees_->setFigureName(QStringLiteral("trees"));
    trees_->setAccessibleName(tr("Union-find trees on the pixels of the module"));
    makeActions();
    layOut();
    connectMaps();
    connectSteps();
    new Restyled(this, Restyled::By::palette, [this] { showScenes(); });
}

ModulePane::~ModulePane() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void ModulePane::makeActions() {
    const auto add = [this](const char* name, const QString& text, QKeySequence key, const QString& tip) {
        QAction* made = pageAction(&page_, name, text, key, tip);
        actions_.insert(QLatin1String(name), made);
        return made;
    };
    const auto addSwitch = [&](QAction* made, void (ModuleMap::*set)(bool)) {
        made->setCheckable(true);
        made->setChecked(true);
        connect(made, &QAction::toggled, map_, set);
    };
    addSwitch(add("outlines", tr("Outlines"), Qt::Key_O, tr("Outline each cluster")),
              &ModuleMap::setOutlinesVisible);
    addSwitch(add("centroids", tr("Centroids"), Qt::Key_C, tr("Show the centroid of each cluster")),
              &ModuleMap::setCentroidsVisible);
    connect(
        add("nextRound", tr("Next round"), Qt::Key_Period,
            tr("Next recorded round of labels; if only trees were recorded, the next step of union-find")),
        &QAction::triggered, this, [this] { steps_->goOn(1); });
    connect(add("previousRound", tr("Previous round"), Qt::Key_Comma,
                tr("Previous recorded round of labels; if only trees were recorded, the previous step of "
                   "union-find")),
            &QAction::triggered, this, [this] { steps_->goOn(-1); });
}

void ModulePane::layOut() {
    status_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QWidget* const bar =
        boxed(new WrappingRow({new QLabel(tr("Digis by")), colouring_, flatButton(action("outlines")),
                               flatButton(action("centroids")), status_},
                              4));
    barHeight_ = bar->sizeHint().height();
    setLayout(inRows({bar, {map_, 1}}, 4));
    auto* title = new QLabel(tr("Union-find: parents of the digis"));
    title->setWhatsThis(tr("Each digi points to its parent; the digis of one tree form a cluster"));
    title->setFixedHeight(barHeight_);
    treesSide_ = boxed(inRows({title, {trees_, 1}}, 4));
    treesSide_->hide();
}

void ModulePane::connectMaps() {
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
        connect(one, &ModuleMap::clicked, this, &ModulePane::clickedPixel);
        connect(one, &ModuleMap::partChanged, other, &ModuleMap::showPart);
    }
}

void ModulePane::connectSteps() {
    connect(colouring_, &QComboBox::currentIndexChanged, this, &ModulePane::showScenes);
    connect(steps_, &StepPanel::recordRequested, recorder_, &StepRecorder::start);
    // Rounds and steps have keys without Ctrl, which work only on the page and outside of text fields.
    connect(steps_, &StepPanel::recordRequested, map_, [this] { map_->setFocus(Qt::OtherFocusReason); });
    connect(recorder_, &StepRecorder::failed, this, &ModulePane::failed);
    connect(steps_, &StepPanel::roundChanged, this, &ModulePane::showScenes);
    connect(steps_, &StepPanel::stepChanged, this, &ModulePane::showScenes);
    connect(steps_, &StepPanel::digiPicked, this, [this](std::size_t place) {
        const auto& trace = recorder_->trace();
        if (!trace || !data_) return;
        if (const auto digi = data_->ofRow(static_cast<std::uint32_t>(trace->row(place))))
            pointAt(QPoint(data_->digis[*digi].x, data_->digis[*digi].y));
    });
}

void ModulePane::setModule(std::shared_ptr<const DigiSet> digis, std::shared_ptr<const RunClusters> run,
                           std::optional<std::size_t> slot) {
    run_ = std::move(run);
    slot_ = slot;
    if (!digis || !slot) {
        jobs_.drop(this, QStringLiteral("module"));
        data_.reset();
        return showScenes();
    }
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("module"),
        [digis = std::move(digis), shown = run_, slot = *slot] {
            return std::make_shared<const ModuleViewData>(moduleViewData(*digis, shown.get(), slot));
        },
        [this](std::shared_ptr<const ModuleViewData> made) {
            data_ = std::move(made);
            showTrace();
            showScenes();
        });
}

void ModulePane::setRuns(const std::vector<ShownRun>& runs, const DigiSet* digis) {
    recorder_->setRuns(runs, digis);
}

void ModulePane::setNotes(const QString& ofShown, const QString& ofRecorded) {
    shownNote_ = ofShown;
    recordedNote_ = ofRecorded;
    showNotes();
}

bool ModulePane::mapsRecorded() const {
    const auto trace = shownTrace();
    return trace && trace->hasLabels();
}

void ModulePane::showNotes() {
    map_->setNote(mapsRecorded() ? recordedNote_ : shownNote_);
    trees_->setNote(recordedNote_);
    steps_->columns().setNote(recordedNote_);
}

void ModulePane::setStepping(bool stepping) {
    if (stepping == stepping_) return;
    stepping_ = stepping;
    for (ModuleMap* one : {map_, trees_}) one->setPointer(std::nullopt);
    showScenes();
}

void ModulePane::setEmptyTexts(bool reading, const QString& whyNot) {
    map_->setEmptyText(reading ? QString() : tr("The pixels of the selected module appear here"));
    steps_->setWhyNot(whyNot);
}

std::shared_ptr<const StepTrace> ModulePane::shownTrace() const {
    return stepping_ && data_ ? recorder_->traceOf(data_->slot) : nullptr;
}

void ModulePane::showTrace() {
    const auto shown = recorder_->traceOf(slot_);
    if (steps_->trace() != shown) steps_->setTrace(shown, recorder_->name());
    trees_->setEmptyText(!shown ? tr("Record this module to see its union-find trees")
                         : !shown->hasParents()
                             ? tr("%1: no trees recorded").arg(recorder_->name())
                             : tr("Open the tab Steps to see the union-find trees of this module"));
    steps_->setDigiText([this](std::size_t place) {
        const auto& trace = recorder_->trace();
        const auto digi =
            trace && data_ ? data_->ofRow(static_cast<std::uint32_t>(trace->row(place))) : std::nullopt;
        if (!digi) return QString::number(place);
        const auto& one = data_->digis[*digi];
        return tr("%1, %2  row %3").arg(one.x).arg(one.y).arg(one.row);
    });
}

// Outlines of a full module take long: only the newest request counts.
void ModulePane::showScenes() {
    colouring_->setEnabled(!stepping_ || !recorder_->traceOf(slot_));
    const auto trace = shownTrace();
    treesSide_->setVisible(trace && trace->hasParents());
    struct Scenes {
        MapScene map, trees;
    };
    if (!data_) {
        jobs_.drop(this, QStringLiteral("scene"));
        map_->setScene({});
        trees_->setScene({});
        showNotes();
        return emit shown();
    }
    jobs_.start(
        Jobs::Lane::general, this, QStringLiteral("scene"),
        [data = data_, trace, round = steps_->trace() == trace ? steps_->round() : 0,
         step = steps_->trace() == trace ? steps_->step() : 0,
         colouring = static_cast<Colouring>(colouring_->currentIndex()), dark = isDark(palette()),
         first = older_, others = others_] {
            Scenes scenes;
            const ColourMap map;
            scenes.map = trace && trace->hasLabels() ? roundScene(data, *trace, round, dark)
                                                     : clusterScene(data, colouring, map, dark);
            if (trace) scenes.trees = treeScene(data, *trace, step, map, dark);
            if (!others.empty()) {
                std::vector<std::uint32_t> group(data->digis.size(), ModuleViewData::noCluster);
                for (std::size_t i = 0; i < group.size(); ++i)
                    for (const std::uint32_t cluster : others)
                        if (first->labels()[data->digis[i].row] == first->clusters()[cluster].label)
                            group[i] = cluster;
                scenes.map.others = outlines(*data, group);
            }
            return scenes;
        },
        [this](Scenes scenes) {
            map_->setScene(std::move(scenes.map));
            trees_->setScene(std::move(scenes.trees));
            showNotes();
            if (picked_) pick(picked_, wanted_ == picked_);
            if (lookAt_) map_->look(*lookAt_);
            wanted_.reset();
            emit shown();
        });
    emit shown();
}

// All digis of a pixel have the same label.
QString ModulePane::digiText(std::size_t first) const {
    constexpr std::size_t named = 4;
    const std::size_t digis = data_->copiesAt(first);
    QStringList charges, rows;
    std::uint64_t sum = 0;
    for (std::size_t i = first; i < first + digis; ++i) {
        sum += data_->digis[i].adc;
        if (i - first == named) {
            charges << QStringLiteral("\u2026");
            rows << QStringLiteral("\u2026");
        }
        if (i - first >= named) continue;
        charges << QString::number(data_->digis[i].adc);
        rows << QString::number(data_->digis[i].row);
    }
    QString text = digis == 1 ? tr("adc %1  row %2").arg(charges[0], rows[0])
                              : tr("adc %1 = %2  rows %3  (%4 digis)")
                                    .arg(qulonglong{sum})
                                    .arg(charges.join(QStringLiteral(" + ")), rows.join(QStringLiteral(", ")))
                                    .arg(digis);
    const ModuleViewData::Digi& digi = data_->digis[first];
    if (digi.label >= 0) return text + tr("  label %1").arg(digi.label);
    return text + QStringLiteral("  ") + statusText(statusOf(digi));
}

void ModulePane::readOut(const QPoint& pixel) {
    if (!data_) return emit cursorMoved({});
    QString text = tr("x %1  y %2").arg(pixel.x()).arg(pixel.y());
    if (const auto digi = data_->at(pixel.x(), pixel.y())) {
        text += QStringLiteral("  ") + digiText(*digi);
        const auto trace = shownTrace();
        const int place = trace ? trace->placeOf(data_->digis[*digi].row) : -1;
        if (place >= 0 && trace->hasLabels()) {
            const auto label =
                static_cast<std::size_t>(trace->labels(steps_->round())[static_cast<std::size_t>(place)]);
            text += tr("  label in this round %1").arg(trace->row(label));
        }
    }
    emit cursorMoved(text);
}

// Both maps, the column histogram and the list of neighbours follow the cursor.
void ModulePane::pointAt(std::optional<QPoint> pixel) {
    const auto trace = shownTrace();
    if (!trace) return;
    trees_->setPointer(pixel);
    map_->setPointer(pixel);
    if (!pixel) {
        steps_->columns().setBands({});
        return;
    }
    steps_->columns().setBands({{pixel->y() - 0.5, pixel->y() + 0.5, tr("column under the cursor")}});
    const auto digi = data_->at(pixel->x(), pixel->y());
    const int place = digi ? trace->placeOf(data_->digis[*digi].row) : -1;
    // The list keeps the last digi, as the cursor passes empty pixels on the way to the list.
    if (!digi) return;
    const QString name = tr("Pixel %1, %2").arg(pixel->x()).arg(pixel->y());
    const ks::clusters::StatusWord word(static_cast<std::uint32_t>(pixel->x()),
                                        static_cast<std::uint32_t>(pixel->y()), data_->width);
    const QString status = tr("status[%1], bits %2 and %3: %4")
                               .arg(word.index)
                               .arg(word.shift)
                               .arg(word.shift + 1)
                               .arg(ks::clusters::StatusWord::value(data_->copiesAt(*digi)));
    if (place >= 0)
        steps_->setDigi(static_cast<std::size_t>(place), name, status);
    else
        steps_->setDropped(name, status);
}

void ModulePane::clickedPixel(const QPoint& pixel) {
    if (!data_ || !run_) return;
    const auto digi = data_->at(pixel.x(), pixel.y());
    const std::uint32_t cluster = digi ? data_->clusterOf[*digi] : ModuleViewData::noCluster;
    if (cluster == ModuleViewData::noCluster) return emit clicked(std::nullopt);
    emit clicked(data_->inTable[cluster]);
}

void ModulePane::select(std::optional<std::size_t> cluster, bool look) {
    picked_ = cluster;
    wanted_ = look ? cluster : std::nullopt;
}

void ModulePane::pick(std::optional<std::size_t> cluster, bool look) {
    picked_ = cluster;
    std::optional<std::size_t> here;
    if (data_ && cluster && run_ && data_->run == run_->number()) {
        const auto at = std::ranges::find(data_->inTable, *cluster);
        if (at != data_->inTable.end()) here = static_cast<std::size_t>(at - data_->inTable.begin());
    }
    if (map_->scene().data != data_) {
        wanted_ = look ? cluster : std::nullopt;  // for when it is drawn
        return;
    }
    map_->setSelected(here);
    if (!here || !look) return;
    const ks::clusters::Cluster& one = run_->clusters()[*cluster];
    map_->look(QRectF(one.xmin, one.ymin, one.width_x(), one.width_y()));
}

void ModulePane::compare(const ClusterDifference* one, std::shared_ptr<const RunClusters> older) {
    others_ = one ? one->a : std::vector<std::uint32_t>();
    lookAt_ = one ? std::optional(QRectF(one->x - 2, one->y - 2, 4, 4)) : std::nullopt;
    older_ = std::move(older);
    if (one) showScenes();
}

}  // namespace ks::ui::clusters
