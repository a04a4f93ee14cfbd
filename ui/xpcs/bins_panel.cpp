#include "ui/xpcs/bins_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>

#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"

namespace ks::ui::xpcs {
namespace {

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

BinsPanel::BinsPanel(QWidget* parent)
    : QWidget(parent), view_(new QTableView(this)), empty_(new QLabel(this)) {
    view_->setModel(&model_);
    view_->setAccessibleName(tr("Bins"));
    view_->setWhatsThis(
        tr("The bins with q, number of pixels and mean counts. Click a bin to select it in the image and the "
           "plots; untick On to exclude it from the run."));
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
        if (index.column() != BinTableModel::OnColumn)
            emit picked(model_.bins()[static_cast<std::size_t>(index.row())].label);
    });
}

void BinsPanel::select(int label) {
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
