#include "ui/runs/runs_panel.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/plots/timing_plot.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {

RunsPanel::RunsPanel(RunTableModel& runs, QWidget* parent)
    : QWidget(parent),
      runs_(runs),
      table_(new QTableView),
      timing_(new TimingPlot),
      empty_(new QLabel(tr("Runs appear here: open data, then press Run (F5)."), table_)) {
    table_->setModel(&runs_);
    table_->setAccessibleName(tr("Runs"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(RunTableModel::DeviceColumn, QHeaderView::Stretch);
    table_->horizontalHeader()->setMinimumSectionSize(48);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
    table_->viewport()->installEventFilter(this);
    timing_->setEmptyText(tr("Stages of the ticked runs"));
    timing_->setAccessibleName(tr("Stages of the ticked runs"));

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(QStringLiteral("runsSplitter"));
    splitter->addWidget(table_);
    splitter->addWidget(timing_);
    splitter->setSizes({700, 540});
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(8, 0, 8, 8);
    all->addWidget(splitter);

    connect(&runs_, &RunTableModel::tickedChanged, this, &RunsPanel::showTicked);
    connect(table_, &QWidget::customContextMenuRequested, this, &RunsPanel::showMenu);
}

int RunsPanel::currentRun() const {
    const QModelIndex index = table_->currentIndex();
    return index.isValid() ? runs_.rows()[static_cast<std::size_t>(index.row())].number : 0;
}

void RunsPanel::showTicked() {
    empty_->setVisible(runs_.rowCount() == 0);
    QVector<TimingSeries> series;
    for (const RunRow& row : runs_.ticked(runs_.analysis()))
        series.push_back(
            {QStringLiteral("%1  %2").arg(row.number).arg(QString::fromStdString(row.run->variant.id)),
             row.run->timings});
    timing_->setRuns(series);
}

void RunsPanel::showMenu(const QPoint& at) {
    const QModelIndex index = table_->indexAt(at);
    if (!index.isValid()) return;
    const int number = runs_.rows()[static_cast<std::size_t>(index.row())].number;
    QMenu menu(this);
    menu.addAction(tr("Repeat run %1").arg(number), this, [=, this] { emit repeatRequested(number); });
    menu.addAction(tr("Check all values"), this, [=, this] { emit checkFullyRequested(number); });
    menu.addSeparator();
    menu.addAction(tr("Remove from the table"), this, [=, this] { runs_.removeRun(number); });
    menu.exec(table_->viewport()->mapToGlobal(at));
}

bool RunsPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Resize) empty_->setGeometry(table_->viewport()->geometry());
    return QWidget::eventFilter(object, event);
}

}  // namespace ks::ui
