#include "ui/clusters/difference_model.h"

#include <array>
#include <limits>

namespace ks::ui::clusters {
namespace {

constexpr std::array<ColumnText, DifferenceModel::ColumnCount> columns{{
    {"kind", "Difference", "", "How the second run differs from the first"},
    {"event", "Event", "", "Event number"},
    {"module", "Module", "", "Module ID"},
    {"layer", "Layer", "", "Layer or disk of the module; in conditions write its number, counted from 1"},
    {"digis", "Digis", "", "Digis of these clusters, counted in the run that has more of them"},
    {"first", "In first", "", "Clusters of the first run"},
    {"second", "In second", "", "Clusters of the second run"},
    {"label", "Label", "",
     "Smallest label of these clusters in the first run or, if they are missing there, in the second"},
    {"x", "x", "px", "Centre of their boxes"},
    {"y", "y", "px", "Centre of their boxes"},
}};

}  // namespace

void DifferenceModel::setDifference(std::shared_ptr<const DifferenceOfRuns> difference,
                                    std::shared_ptr<const RunClusters> a,
                                    std::shared_ptr<const RunClusters> b) {
    beginResetModel();
    difference_ = std::move(difference);
    a_ = std::move(a);
    b_ = std::move(b);
    resetItems(difference_ ? difference_->all.size() : 0);
    endResetModel();
}

QString DifferenceModel::kindText(DifferenceKind kind) {
    constexpr const char* words[] = {"merged", "split", "mixed", "missing", "added", "changed"};
    return tr(words[static_cast<std::size_t>(kind)]);
}

double DifferenceModel::number(int item, int column) const {
    const ClusterDifference& one = at(item);
    const ks::clusters::ModuleDigis& digis = a_->digis()->digis();
    switch (static_cast<Column>(column)) {
        case KindColumn:
            return static_cast<double>(one.kind);
        case EventColumn:
            return digis.slot_event()[one.slot];
        case ModuleColumn:
            return static_cast<double>(digis.slot_module()[one.slot]);
        case LayerColumn:
            return layerNumber(digis.layout(), digis.slot_module()[one.slot]);
        case DigisColumn:
            return one.digis;
        case CountAColumn:
            return static_cast<double>(one.a.size());
        case CountBColumn:
            return static_cast<double>(one.b.size());
        case LabelColumn:
            return one.a.empty() ? b_->clusters()[one.b.front()].label : a_->clusters()[one.a.front()].label;
        case XColumn:
            return one.x;
        case YColumn:
            return one.y;
        case ColumnCount:
            break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

QString DifferenceModel::text(int item, int column) const {
    const ClusterDifference& one = at(item);
    const ks::clusters::ModuleDigis& digis = a_->digis()->digis();
    if (column == KindColumn) return kindText(one.kind);
    if (column == ModuleColumn) return QString::number(qulonglong{digis.slot_module()[one.slot]});
    if (column == LayerColumn) return layerName(digis.layout(), digis.slot_module()[one.slot]);
    return QString::number(number(item, column), 'f', column == XColumn || column == YColumn ? 1 : 0);
}

const ColumnText& DifferenceModel::columnText(int column) const {
    return columns[static_cast<std::size_t>(column)];
}

}  // namespace ks::ui::clusters
