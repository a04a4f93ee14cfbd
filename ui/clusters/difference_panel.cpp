#include "ui/clusters/difference_panel.h"

#include <QLabel>
#include <array>
#include <limits>
#include <utility>

#include "ui/base/count_text.h"
#include "ui/base/jobs.h"
#include "ui/base/layouts.h"
#include "ui/base/tables/filtered_table.h"

namespace ks::ui::clusters {
namespace {

constexpr std::array<ColumnText, DifferenceModel::ColumnCount> columns{{
    {"kind", "Difference", "", "How the second run differs from the first", true},
    {"event", "Event", "", "Event number"},
    {"module", "Module", "", "Module ID"},
    {"layer", "Layer", "", "Layer or disk of the module; in conditions write its number, counted from 1",
     true},
    {"digis", "Digis", "", "Digis of these clusters, counted in the run that has more of them"},
    {"first", "In first", "", "Clusters of the first run"},
    {"second", "In second", "", "Clusters of the second run"},
    {"label", "Label", "",
     "Smallest label of these clusters in the first run or, if they are missing there, in the second"},
    {"x", "Box centre x", "px", "Centre of the box around these clusters; pixel 0 spans 0 to 1"},
    {"y", "Box centre y", "px", "Centre of the box around these clusters; pixel 0 spans 0 to 1"},
}};

const QString comparison = QStringLiteral("difference of runs");

FilterNames differenceNames(const OrderedTableModel& model) {
    FilterNames names = filterNames(model, QStringLiteral("merged, digis > 5"));
    for (int kind = 0; kind <= static_cast<int>(DifferenceKind::changed); ++kind)
        names.words.push_back({DifferenceModel::kindText(static_cast<DifferenceKind>(kind)),
                               DifferenceModel::KindColumn, static_cast<double>(kind)});
    return names;
}

}  // namespace

DifferenceModel::DifferenceModel(QObject* parent)
    : OrderedTableModel({columns.begin(), columns.end()}, parent) {}

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

DifferencePanel::DifferencePanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      text_(new QLabel),
      table_(
          new FilteredTable(model_, differenceNames(model_),
                            {tr("Differences of two runs"), tr("differences"),
                             tr("Conditions separated by commas; a row must meet all of them. Kinds: merged, "
                                "split, mixed, missing, added, changed. Example: split, digis > 5."),
                             QStringLiteral("differences")})) {
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    setLayout(inRows({text_, {table_, 1}}, 4));
    connect(table_, &FilteredTable::picked, this, &DifferencePanel::picked);
    connect(table_, &FilteredTable::failed, this, &DifferencePanel::failed);
}

// The table uses the model, which is a member.
DifferencePanel::~DifferencePanel() {
    delete table_;
}

QString DifferencePanel::nameOf(const Compared& one) {
    const QString name = one.run->number() > 0 ? tr("run %1").arg(one.run->number()) : tr("the preview");
    return one.wrong ? tr("%1 (wrong)").arg(name) : name;
}

void DifferencePanel::setRuns(Compared older, Compared newer) {
    older_ = std::move(older);
    newer_ = std::move(newer);
    jobs_.drop(this, comparison);
    const bool two = older_.run && newer_.run;
    model_.setDifference(nullptr, nullptr, nullptr);
    text_->setText({});
    text_->hide();
    table_->refresh(two ? tr("Comparing \u2026")
                        : tr("Tick two runs of this file to see merged, split and missing clusters here."));
    if (!two) return;
    jobs_.start(
        Jobs::Lane::general, this, comparison,
        [a = older_.run, b = newer_.run] {
            return std::make_shared<const DifferenceOfRuns>(differenceOf(*a, *b));
        },
        [this](std::shared_ptr<const DifferenceOfRuns> found) { showFound(std::move(found)); });
}

void DifferencePanel::showFound(std::shared_ptr<const DifferenceOfRuns> found) {
    QStringList parts{tr("%1 the same").arg(grouped(found->same))};
    for (int kind = 0; kind <= static_cast<int>(DifferenceKind::changed); ++kind)
        if (const std::size_t n = found->count(static_cast<DifferenceKind>(kind)))
            parts << QStringLiteral("%1 %2").arg(
                grouped(n), DifferenceModel::kindText(static_cast<DifferenceKind>(kind)));
    text_->setText(
        tr("From %1 to %2: %3").arg(nameOf(older_), nameOf(newer_), parts.join(QStringLiteral(", "))));
    text_->show();
    model_.setDifference(std::move(found), older_.run, newer_.run);
    table_->refresh(tr("Both runs have the same clusters."));
}

}  // namespace ks::ui::clusters
