#include "ui/xpcs/bins_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/base/count_text.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/tables/space_ticks.h"
#include "ui/xpcs/azimuth_text.h"

namespace ks::ui::xpcs {
namespace {

const QString noNumber = QStringLiteral("\u2013");

QString binNumber(double value, char format, int digits) {
    return std::isfinite(value) ? QString::number(value, format, digits) : noNumber;
}

struct BinColumn {
    const char* title;
    QString (*text)(const BinRow& row);
};
constexpr BinColumn binColumns[BinTableModel::ColumnCount] = {
    {QT_TRANSLATE_NOOP("ks::ui::xpcs::BinTableModel", "Bin"),
     [](const BinRow& row) {
         const QString label = QString::number(row.label);
         return row.name.isEmpty() ? label : label + QLatin1Char(' ') + row.name;
     }},
    {QT_TRANSLATE_NOOP("ks::ui::xpcs::BinTableModel", "q (1/\u00c5)"),
     [](const BinRow& row) { return binNumber(row.q, 'g', 3); }},
    {QT_TRANSLATE_NOOP("ks::ui::xpcs::BinTableModel", "\u03c6 (\u00b0)"),
     [](const BinRow& row) { return std::isfinite(row.phi) ? azimuthText(row.phi) : noNumber; }},
    {QT_TRANSLATE_NOOP("ks::ui::xpcs::BinTableModel", "Pixels"),
     [](const BinRow& row) { return QString::number(row.pixels); }},
    {QT_TRANSLATE_NOOP("ks::ui::xpcs::BinTableModel", "Counts"),
     [](const BinRow& row) { return std::isfinite(row.counts) ? formatNumber(row.counts, 3) : noNumber; }},
    {QT_TRANSLATE_NOOP("ks::ui::xpcs::BinTableModel", "On"), [](const BinRow&) { return QString(); }}};

constexpr QSize swatch(8, 8);
constexpr int apart = 3;  ///< pixels

/// Keeps numbers apart from the column to their left, however narrow that is.
class ApartDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(apart, 0);
    }
};

}  // namespace

void BinTableModel::setBins(std::vector<BinRow> rows, bool keepSwitches) {
    if (keepSwitches) {
        for (BinRow& row : rows) {
            const auto at = static_cast<std::size_t>(row.label) - 1;  // labels count from 1 without gaps
            if (at >= rows_.size()) continue;
            row.on = rows_[at].on;
            if (row.name.isEmpty()) row.name = rows_[at].name;
        }
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

std::vector<int> BinTableModel::labelsOff() const {
    std::vector<int> labels;
    for (const BinRow& row : rows_)
        if (!row.on) labels.push_back(row.label);
    return labels;
}

void BinTableModel::setAll(bool on) {
    if (rows_.empty()) return;
    for (BinRow& row : rows_) row.on = on;
    emit dataChanged(index(0, OnColumn), index(rowCount() - 1, OnColumn), {Qt::CheckStateRole});
    emit switched();
}

void BinTableModel::setOff(const std::vector<int>& labels) {
    if (rows_.empty() || labels == labelsOff()) return;
    for (BinRow& row : rows_) row.on = std::ranges::find(labels, row.label) == labels.end();
    emit dataChanged(index(0, OnColumn), index(rowCount() - 1, OnColumn), {Qt::CheckStateRole});
    emit switched();
}

void BinTableModel::setCounts(const std::vector<double>& counts) {
    for (BinRow& row : rows_) {
        const auto bin = static_cast<std::size_t>(row.label) - 1;
        row.counts = bin < counts.size() ? counts[bin] : std::numeric_limits<double>::quiet_NaN();
    }
    if (!rows_.empty())
        emit dataChanged(index(0, CountsColumn), index(rowCount() - 1, CountsColumn), {Qt::DisplayRole});
}

int BinTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BinTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BinTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const BinRow& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::EditRole && index.column() == LabelColumn) return row.name;
    if (role == Qt::DisplayRole) return binColumns[index.column()].text(row);
    if (role == Qt::DecorationRole && index.column() == LabelColumn) return row.colour;
    if (role == Qt::CheckStateRole && index.column() == OnColumn) return row.on ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::TextAlignmentRole && index.column() != LabelColumn && index.column() != OnColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return row.pixels == 0 ? tr("Bin %1 has no pixels: its curve is empty").arg(row.label)
                               : tr("Bin %1, %2. Click for its two-time map, double-click to rename.")
                                     .arg(row.label)
                                     .arg(counted(row.pixels, tr("1 pixel"), tr("%1 pixels")));
    return {};
}

bool BinTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid()) return false;
    if (role == Qt::EditRole && index.column() == LabelColumn) {
        rows_[static_cast<std::size_t>(index.row())].name = value.toString().trimmed();
        emit dataChanged(index, index, {Qt::DisplayRole, Qt::EditRole});
        return true;
    }
    if (role != Qt::CheckStateRole || index.column() != OnColumn) return false;
    rows_[static_cast<std::size_t>(index.row())].on = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit switched();
    return true;
}

QVariant BinTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return tr(binColumns[section].title);
}

Qt::ItemFlags BinTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == OnColumn) flags |= Qt::ItemIsUserCheckable;
    if (index.column() == LabelColumn) flags |= Qt::ItemIsEditable;
    return flags;
}

BinsPanel::BinsPanel(QWidget* parent)
    : QWidget(parent), view_(new QTableView(this)), empty_(new QLabel(this)) {
    view_->setModel(&model_);
    view_->setAccessibleName(tr("Bins"));
    view_->setWhatsThis(
        tr("The bins with q, number of pixels and mean counts. Click a bin to select it in the image and the "
           "plots; untick \"On\" to exclude the bin from the run."));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    view_->setShowGrid(false);
    view_->setAlternatingRowColors(true);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setMinimumSectionSize(18);
    view_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->horizontalHeader()->setSectionResizeMode(BinTableModel::OnColumn, QHeaderView::Stretch);
    view_->setIconSize(swatch);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (const int column : {BinTableModel::QColumn, BinTableModel::PhiColumn})
        view_->setItemDelegateForColumn(column, new ApartDelegate(view_));
    setPhiVisible(false);
    const auto button = [&](const QString& text, const QString& name, bool on) {
        auto* made = new QToolButton;
        named(made, name, name);
        made->setText(text);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, [this, on] { model_.setAll(on); });
        return made;
    };
    setLayout(inRows({inColumns({{heading(tr("Bin table"), view_->whatsThis()), 1},
                                 button(tr("All"), tr("Turn all bins on"), true),
                                 button(tr("None"), tr("Turn all bins off"), false)}),
                      {view_, 1},
                      empty_},
                     4));
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->hide();
    connect(&model_, &QAbstractItemModel::modelReset, this, &BinsPanel::hideEmpty);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() != BinTableModel::OnColumn) pick(index.row());
    });
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &BinsPanel::follow);
    view_->viewport()->installEventFilter(this);
    tickRowsBySpace(*view_, BinTableModel::OnColumn);
}

bool BinsPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::MouseButtonPress) pressed_ = true;
    if (event->type() == QEvent::MouseButtonRelease) {
        pressed_ = false;
        // A drag ends on another row, or the box of a row was clicked, which picks none.
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (view_->currentIndex().column() == BinTableModel::OnColumn)
                    select(picked_);
                else
                    follow();
            },
            Qt::QueuedConnection);
    }
    return QWidget::eventFilter(object, event);
}

void BinsPanel::pick(int row) {
    picked_ = model_.bins()[static_cast<std::size_t>(row)].label;
    emit picked(picked_);
}

// By keys and typing; the mouse selects with its release.
void BinsPanel::follow() {
    const QModelIndexList rows = view_->selectionModel()->selectedRows();
    if (pressed_ || selecting_ || rows.isEmpty()) return;
    if (model_.bins()[static_cast<std::size_t>(rows.front().row())].label != picked_)
        pick(rows.front().row());
}

void BinsPanel::select(int label) {
    const QScopedValueRollback notByHand(selecting_, true);
    picked_ = label;
    view_->clearSelection();
    for (int row = 0; row < model_.rowCount(); ++row)
        if (model_.bins()[static_cast<std::size_t>(row)].label == label) view_->selectRow(row);
}

void BinsPanel::hideEmpty() {
    QStringList labels;
    for (int row = 0; row < model_.rowCount(); ++row) {
        const BinRow& bin = model_.bins()[static_cast<std::size_t>(row)];
        view_->setRowHidden(row, bin.pixels == 0);
        if (bin.pixels == 0) labels << QString::number(bin.label);
    }
    empty_->setText(tr("%1 empty").arg(labels.size()));
    const QString which = tr("Bins without pixels: %1").arg(labels.join(QStringLiteral(", ")));
    empty_->setToolTip((QStringList{which} + whyEmpty_).join(QLatin1Char('\n')));
    empty_->setVisible(!labels.isEmpty());
}

void BinsPanel::setPhiVisible(bool visible) {
    view_->setColumnHidden(BinTableModel::PhiColumn, !visible);
}

}  // namespace ks::ui::xpcs
