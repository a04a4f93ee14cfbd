// What the page shows of an event, a module and a cluster, and how its parts interact.

#include <QComboBox>
#include <QLabel>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "core/clusters/trace/status_word.h"
#include "ui/base/count_text.h"
#include "ui/base/elided_label.h"
#include "ui/base/filtered_table.h"
#include "ui/base/palette.h"
#include "ui/clusters/clusters_page.h"
#include "ui/clusters/difference_panel.h"
#include "ui/clusters/digi_colours.h"
#include "ui/clusters/modules/module_map.h"
#include "ui/clusters/modules/module_overview.h"
#include "ui/clusters/step_recorder.h"
#include "ui/clusters/steps/step_panel.h"
#include "ui/image/panel/frame_slider.h"

namespace ks::ui::clusters {
void ClustersPage::showEmptyTexts() {
    const bool reading = file_ && !digis_;
    overview_->setEmptyText(reading              ? tr("Reading the digis \u2026")
                            : !unread_.isEmpty() ? unread_
                                                 : tr("Drop a CSV or HDF5 file with digis here, or open "
                                                      "the demo"));
    map_->setEmptyText(reading ? QString() : tr("The pixels of the selected module appear here"));
    trees_->setEmptyText(tr("Record this module to see the union-find trees"));
    colouring_->setEnabled(!stepping() || !recorder_->traceOf(slot_));
    steps_->setWhyNot(!digis_                      ? tr("Open digis first")
                      : !slot_                     ? tr("Select a module first")
                      : StepRecorder::isPossible() ? QString()
                                                   : tr("No variant of this build records its rounds"));
}

void ClustersPage::showEventOf(std::size_t event) {
    event_ = event;
    if (!digis_ || digis_->slotCount() == 0) {
        overview_->setEvent(nullptr, nullptr, 0);
        slot_.reset();
        showTables();
        return showModule();
    }
    // The same module in another event, if it has digis there.
    std::optional<std::size_t> slot;
    if (slot_) slot = digis_->slotOf(event, digis_->module(*slot_));
    slot_ = slot.value_or(digis_->fullest(event));
    picked_.reset();
    overview_->setEvent(digis_, a_.run, event);
    overview_->select(slot_);
    showTables();
    showModule();
}

void ClustersPage::showTables() {
    if (clusters_.run() != a_.run || tabled_ != digis_ || !a_.run) {
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
        clusterTable_->refresh(digis_ ? a_.run ? tr("No clusters found: lower the charge cut.")
                                               : tr("Press Run (F5) to see the clusters here.")
                                      : tr("Open digis to see their clusters here after a run."));
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
            scope == 0 ? tr("No clusters in this module.") : tr("No clusters in this event."));
    }
    clusterTable_->select(picked_ ? static_cast<int>(*picked_) : -1);
    moduleTable_->select(slot_ ? modules_.itemOf(*slot_) : -1);
}

void ClustersPage::pickSlot(std::size_t slot) {
    if (!digis_ || slot >= digis_->slotCount()) return;
    pickedDifference_.reset();
    wanted_.reset();
    if (slot_ == slot) return;
    slot_ = slot;
    if (const std::size_t event = digis_->eventOf(slot); event != event_) {
        events_->setFrame(static_cast<int>(event));
        return;
    }
    picked_.reset();
    overview_->select(slot_);
    showScope();
    showModule();
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

void ClustersPage::showModule() {
    if (!digis_ || !slot_) {
        context_.jobs.drop(this, QStringLiteral("module"));
        data_.reset();
        showScenes();
        return showEmptyTexts();
    }
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("module"),
        [digis = digis_, run = a_.run, slot = *slot_] {
            return std::make_shared<const ModuleViewData>(moduleViewData(*digis, run.get(), slot));
        },
        [this](std::shared_ptr<const ModuleViewData> made) {
            data_ = std::move(made);
            showTrace();
            showScenes();
        });
    showEmptyTexts();
    showStatus();
}

void ClustersPage::showTrace() {
    const auto shown = recorder_->traceOf(slot_);
    if (steps_->trace() != shown) steps_->setTrace(shown, recorder_->name());
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
void ClustersPage::showScenes() {
    showEmptyTexts();
    struct Scenes {
        MapScene map, trees;
    };
    if (!data_) {
        context_.jobs.drop(this, QStringLiteral("scene"));
        map_->setScene({});
        trees_->setScene({});
        return showStatus();
    }
    const auto trace = stepping() ? recorder_->traceOf(data_->slot) : nullptr;
    std::vector<std::uint32_t> others;
    const DifferenceModel& differences = difference_->model();
    if (pickedDifference_ && b_.run && *pickedDifference_ < differences.items())
        others = differences.at(*pickedDifference_).a;
    context_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("scene"),
        [data = data_, trace, round = steps_->trace() == trace ? steps_->round() : 0,
         step = steps_->trace() == trace ? steps_->step() : 0,
         colouring = static_cast<Colouring>(colouring_->currentIndex()), dark = isDark(palette()),
         first = b_.run, others] {
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
            if (picked_) pickCluster(picked_, wanted_ == picked_);
            const DifferenceModel& all = difference_->model();
            if (pickedDifference_ && *pickedDifference_ < all.items()) {
                const ClusterDifference& one = all.at(*pickedDifference_);
                map_->look(QRectF(one.x - 2, one.y - 2, 4, 4));
            }
            wanted_.reset();
            showStatus();
        });
    showStatus();
}

void ClustersPage::showStatus() {
    QString text;
    QStringList shorter;
    if (digis_ && slot_) {
        const std::size_t slot = *slot_;
        shorter = overview_->shorter(slot);
        const bool preview = a_.run && a_.run->number() == 0;
        const QStringList plain = shorter.mid(std::max<qsizetype>(shorter.size() - 1, 0));
        if (preview || (a_.run && !outdated_.isEmpty()))
            for (QString& one : shorter) one.prepend(preview ? tr("Preview. ") : tr("Outdated. "));
        shorter << plain;  // without a prefix if there is no room for it
        // First, since the end of the line may be cut.
        if (a_.run && a_.run->number() > 0 && !outdated_.isEmpty())
            text = tr("Run %1 %2; ").arg(a_.run->number()).arg(outdatedText(outdated_));
        text += overview_->describe(slot);
        if (digis_->events() > 1) text += tr("; event %1").arg(digis_->number(event_));
        if (a_.run && a_.run->number() > 0)
            text += tr("; run %1").arg(a_.run->number());
        else
            text += a_.run ? tr("; preview") : tr("; press Run (F5) to find the clusters");
        if (const std::size_t invalid = digis_->digis().invalid(); invalid > 0)
            text += tr("; %1 without a module").arg(counted(invalid, tr("1 digi"), tr("%1 digis")));
    }
    status_->setWhole(text, shorter);
}

QString ClustersPage::status() const {
    return status_->whole();
}

QString ClustersPage::digiText(const ModuleViewData::Digi& digi) const {
    QString text = tr("adc %1  row %2").arg(digi.adc).arg(digi.row);
    if (digi.label >= 0) return text + tr("  label %1").arg(digi.label);
    return text + QStringLiteral("  ") + statusText(statusOf(digi));
}

void ClustersPage::readOut(const QPoint& pixel) {
    if (!data_) return;
    QString text = tr("x %1  y %2").arg(pixel.x()).arg(pixel.y());
    if (const auto digi = data_->at(pixel.x(), pixel.y())) {
        text += QStringLiteral("  ") + digiText(data_->digis[*digi]);
        if (const std::size_t copies = data_->copiesAt(*digi); copies > 1)
            text += tr("  (%1 digis here)").arg(copies);
        const auto trace = stepping() ? recorder_->traceOf(data_->slot) : nullptr;
        const int place = trace ? trace->placeOf(data_->digis[*digi].row) : -1;
        if (place >= 0 && trace->hasLabels()) {
            const auto label =
                static_cast<std::size_t>(trace->labels(steps_->round())[static_cast<std::size_t>(place)]);
            text += tr("  in this round %1").arg(trace->row(label));
        }
    }
    emit cursorMoved(text);
}

// Both maps, the column histogram and the list of neighbours follow the cursor.
void ClustersPage::pointAt(std::optional<QPoint> pixel) {
    const auto trace = stepping() && data_ ? recorder_->traceOf(data_->slot) : nullptr;
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

void ClustersPage::clickedPixel(const QPoint& pixel) {
    if (!data_ || !a_.run) return;
    const auto digi = data_->at(pixel.x(), pixel.y());
    const std::uint32_t cluster = digi ? data_->clusterOf[*digi] : ModuleViewData::noCluster;
    if (cluster == ModuleViewData::noCluster) return pickCluster(std::nullopt, false);
    pickCluster(data_->inTable[cluster], false);
}

void ClustersPage::pickCluster(std::optional<std::size_t> cluster, bool look) {
    if (cluster && (!a_.run || *cluster >= a_.run->clusters().size())) cluster.reset();
    if (cluster && look) {
        const std::uint32_t slot = a_.run->slotOf(*cluster);
        if (slot != ks::clusters::ModuleDigis::no_slot && slot_ != slot) {
            pickSlot(slot);
            picked_ = wanted_ = cluster;
            clusterTable_->select(static_cast<int>(*cluster));
            return;
        }
    }
    picked_ = cluster;
    if (const int row = cluster ? static_cast<int>(*cluster) : -1; clusterTable_->selected() != row)
        clusterTable_->select(row);
    std::optional<std::size_t> here;
    if (data_ && cluster && data_->run == a_.run->number()) {
        const auto at = std::find(data_->inTable.begin(), data_->inTable.end(), *cluster);
        if (at != data_->inTable.end()) here = static_cast<std::size_t>(at - data_->inTable.begin());
    }
    if (map_->scene().data != data_) {
        wanted_ = look ? cluster : std::nullopt;  // for when it is drawn
        return;
    }
    map_->setSelected(here);
    if (!here || !look) return;
    const ks::clusters::Cluster& one = a_.run->clusters()[*cluster];
    map_->look(QRectF(one.xmin, one.ymin, one.width_x(), one.width_y()));
}

void ClustersPage::pickDifference(int item) {
    if (item < 0 || item >= difference_->model().items()) return;
    const std::size_t slot = difference_->model().at(item).slot;
    if (slot_ != slot) pickSlot(slot);
    pickedDifference_ = item;
    picked_.reset();
    showScenes();
}

std::vector<NamedPlot> ClustersPage::plots() const {
    return {{tr("Pixels of the module"), map_},
            {tr("Modules of the detector"), overview_},
            {tr("Union-find trees"), trees_},
            {tr("Histogram of clusters"), &plots_->histogram()},
            {tr("Digis by column"), &steps_->columns()}};
}

}  // namespace ks::ui::clusters
