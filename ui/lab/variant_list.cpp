#include "ui/lab/variant_list.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <QToolButton>

#include "ui/base/layouts.h"

namespace ks::ui::lab {
namespace {

struct ChoiceRow {
    VariantListModel::Choice choice;
    const char *button, *entry, *tip;
};
constexpr ChoiceRow choices[] = {
    {VariantListModel::Choice::all, QT_TR_NOOP("All"), QT_TR_NOOP("Tick &all"),
     QT_TR_NOOP("Tick all that can run, including those that otherwise run only if they are named")},
    {VariantListModel::Choice::none, QT_TR_NOOP("None"), QT_TR_NOOP("Tick &none"), QT_TR_NOOP("Untick all")},
    {VariantListModel::Choice::fitting, QT_TR_NOOP("Suitable"),
     QT_TR_NOOP("Tick those that &take this problem"),
     QT_TR_NOOP("Tick those that take this problem, except those that run only if they are named")},
    {VariantListModel::Choice::baseline, QT_TR_NOOP("Default"),
     QT_TR_NOOP("Tick the &default and the baseline"),
     QT_TR_NOOP("Tick the variant that a run uses by default, and the baseline for speed-ups")},
    {VariantListModel::Choice::own, QT_TR_NOOP("Yours"), QT_TR_NOOP("Tick &your own"),
     QT_TR_NOOP("Tick the variants that you wrote, and the base of each")},
};

}  // namespace

VariantList::VariantList(QWidget* parent)
    : QWidget(parent), model_(new VariantListModel(this)), table_(named(new QTableView, tr("Variants"))) {
    buildTable();
    const auto add = [this](const QString& text, const QString& tip, auto slot) {
        auto* made = new QAction(text, table_);
        made->setToolTip(tip);
        made->setStatusTip(tip);
        connect(made, &QAction::triggered, this, slot);
        table_->addAction(made);
    };
    const QString space = tr("Space ticks or unticks all selected rows");
    add(tr("&Tick selected"), space, [this] { model_->setTicked(selected(), true); });
    add(tr("&Untick selected"), space, [this] { model_->setTicked(selected(), false); });
    auto* line = new QAction(table_);
    line->setSeparator(true);
    table_->addAction(line);
    for (const ChoiceRow& row : choices)
        add(tr(row.entry), tr(row.tip), [this, choice = row.choice] { model_->choose(choice); });
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    setLayout(inRows({makeButtons(), {table_, 1}}, 2));
}

VariantList::~VariantList() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void VariantList::buildTable() {
    table_->setModel(model_);
    table_->setWhatsThis(
        tr("Ticked variants are timed. Grey ones cannot run on the chosen devices or do not support the "
           "problem; the reason is next to their name. Space ticks or unticks all selected rows."));
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->horizontalHeader()->setSectionResizeMode(VariantListModel::NameColumn,
                                                     QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->setMinimumHeight(9 * (table_->fontMetrics().height() + 6));
    table_->installEventFilter(this);
}

QLayout* VariantList::makeButtons() {
    QHBoxLayout* line = inColumns({}, 2);
    for (const ChoiceRow& row : choices) {
        auto* button = named(new QToolButton, tr(row.tip), tr(row.tip));
        button->setText(tr(row.button));
        button->setObjectName(QString::fromLatin1(row.button));
        connect(button, &QToolButton::clicked, this, [this, choice = row.choice] { model_->choose(choice); });
        line->addWidget(button);
    }
    line->addStretch(1);
    return line;
}

std::vector<int> VariantList::selected() const {
    std::vector<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows.push_back(index.row());
    return rows;
}

// The table itself would toggle only the current cell.
bool VariantList::eventFilter(QObject* object, QEvent* event) {
    if (object == table_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
        model_->toggle(selected());
        return true;
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace ks::ui::lab
