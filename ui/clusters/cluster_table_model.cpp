#include "ui/clusters/cluster_table_model.h"

#include <array>
#include <cmath>
#include <limits>

namespace ks::ui::clusters {
namespace {

using ks::clusters::Cluster;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<ColumnText, ClusterTableModel::ColumnCount> ofClusters{{
    {"label", "Label", "", "Smallest input row of its digis, counted from 0"},
    {"event", "Event", "", "Event number"},
    {"module", "Module", "", "Module ID"},
    {"layer", "Layer", "", "Layer or disk of the module; in conditions write its number, counted from 1",
     true},
    {"size", "Size", "digis", "Number of digis"},
    {"charge", "Charge", "adc", "Sum of the charges of the digis"},
    {"x", "x", "px", "Charge-weighted centroid; pixel 0 spans 0 to 1"},
    {"y", "y", "px", "Charge-weighted centroid; pixel 0 spans 0 to 1"},
    {"width_x", "Width x", "px", "Extent along x in pixels"},
    {"width_y", "Width y", "px", "Extent along y in pixels"},
    {"xmin", "x from", "px", "First pixel of the box"},
    {"xmax", "x to", "px", "Last pixel of the box"},
    {"ymin", "y from", "px", "First pixel of the box"},
    {"ymax", "y to", "px", "Last pixel of the box"},
}};

constexpr std::array<ColumnText, ModuleTableModel::ColumnCount> ofModules{{
    {"module", "Module", "", "Module ID"},
    {"layer", "Layer", "", "Layer or disk of the module; in conditions write its number, counted from 1",
     true},
    {"start", "Start", "row", "Input row of its first valid digi, counted from 0"},
    {"digis", "Digis", "", "Valid digis"},
    {"clusters", "Clusters", "", "Kept clusters"},
    {"charge", "Charge", "adc", "Sum of the charges of the valid digis"},
}};

QString whole(double value) {
    return std::isnan(value) ? QStringLiteral("\u2013") : QString::number(value, 'f', 0);
}

}  // namespace

ClusterTableModel::ClusterTableModel(QObject* parent)
    : OrderedTableModel({ofClusters.begin(), ofClusters.end()}, parent) {}

void ClusterTableModel::setRun(std::shared_ptr<const RunClusters> run) {
    beginResetModel();
    run_ = std::move(run);
    resetItems(run_ ? run_->clusters().size() : 0);
    endResetModel();
}

double ClusterTableModel::number(int cluster, int column) const {
    const Cluster& c = run_->clusters()[static_cast<std::size_t>(cluster)];
    switch (static_cast<Column>(column)) {
        case LabelColumn:
            return c.label;
        case EventColumn:
            return c.event;
        case ModuleColumn:
            return static_cast<double>(c.module);
        case LayerColumn:
            return layerNumber(run_->digis()->layout(), c.module);
        case SizeColumn:
            return c.size;
        case ChargeColumn:
            return static_cast<double>(c.charge);
        case XColumn:
            return c.x;
        case YColumn:
            return c.y;
        case WidthXColumn:
            return c.width_x();
        case WidthYColumn:
            return c.width_y();
        case XMinColumn:
            return c.xmin;
        case XMaxColumn:
            return c.xmax;
        case YMinColumn:
            return c.ymin;
        case YMaxColumn:
            return c.ymax;
        case ColumnCount:
            break;
    }
    return unknown;
}

QString ClusterTableModel::text(int cluster, int column) const {
    const std::uint64_t module = run_->clusters()[static_cast<std::size_t>(cluster)].module;
    // A 64-bit ID has more digits than a double.
    if (column == ModuleColumn) return QString::number(qulonglong{module});
    if (column == LayerColumn) return layerName(run_->digis()->layout(), module);
    const double value = number(cluster, column);
    if (column == XColumn || column == YColumn) return QString::number(value, 'f', 2);
    return whole(value);
}

ModuleTableModel::ModuleTableModel(QObject* parent)
    : OrderedTableModel({ofModules.begin(), ofModules.end()}, parent) {}

void ModuleTableModel::setEvent(std::shared_ptr<const DigiSet> digis, std::shared_ptr<const RunClusters> run,
                                std::size_t event) {
    beginResetModel();
    digis_ = std::move(digis);
    run_ = std::move(run);
    first_ = digis_ ? digis_->firstSlot(event) : 0;
    resetItems(digis_ ? digis_->endSlot(event) - first_ : 0);
    endResetModel();
}

int ModuleTableModel::itemOf(std::size_t slot) const {
    return slot < first_ || slot - first_ >= static_cast<std::size_t>(items())
               ? -1
               : static_cast<int>(slot - first_);
}

double ModuleTableModel::number(int item, int column) const {
    const std::size_t slot = slotOf(item);
    const ks::clusters::ModuleDigis& digis = digis_->digis();
    switch (static_cast<Column>(column)) {
        case ModuleColumn:
            return static_cast<double>(digis_->module(slot));
        case LayerColumn:
            return layerNumber(digis_->layout(), digis_->module(slot));
        case StartColumn:
            return digis.slot_start()[slot] < 0 ? unknown : digis.slot_start()[slot];
        case DigisColumn:
            return digis.slot_digis()[slot];
        case ClustersColumn:
            return run_ ? static_cast<double>(run_->count(slot)) : unknown;
        case ChargeColumn:
            return static_cast<double>(digis_->charge(slot));
        case ColumnCount:
            break;
    }
    return unknown;
}

QString ModuleTableModel::text(int item, int column) const {
    const std::uint64_t module = digis_->module(slotOf(item));
    if (column == ModuleColumn) return QString::number(qulonglong{module});
    return column == LayerColumn ? layerName(digis_->layout(), module) : whole(number(item, column));
}

}  // namespace ks::ui::clusters
