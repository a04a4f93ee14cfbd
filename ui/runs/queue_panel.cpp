#include "ui/runs/queue_panel.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>

#include "ui/base/layouts.h"
#include "ui/runs/run_queue.h"

namespace ks::ui {

QueuePanel::QueuePanel(RunQueue& queue, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      queue_(queue),
      table_(new QTableView),
      cancel_(new QPushButton(tr("Cancel this run"))),
      cancelAll_(new QPushButton(tr("Cancel all"))) {
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Queue of runs"));
    table_->setModel(&queue_);
    table_->setAccessibleName(tr("Queue of runs"));
    table_->setWhatsThis(tr("The current run and the waiting ones, in the order in which they run"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(RunQueue::DataColumn, QHeaderView::Stretch);
    cancel_->setToolTip(tr("Stop the chosen run, or remove it from the queue; the others stay in the queue"));
    cancelAll_->setToolTip(tr("Stop the current run and empty the queue"));
    for (QPushButton* one : {cancel_, cancelAll_}) one->setAutoDefault(false);
    auto* buttons = inColumns({Cell::space(), cancel_, cancelAll_});
    setLayout(inRows({table_, buttons}, {}, {8, 8, 8, 8}));
    resize(560, 220);

    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (const int number = currentRun()) queue_.cancelRun(number);
    });
    connect(cancelAll_, &QPushButton::clicked, this, &QueuePanel::cancelAllRequested);
    connect(table_, &QWidget::customContextMenuRequested, this, &QueuePanel::showMenu);
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &QueuePanel::updateButtons);
    connect(&queue_, &RunQueue::changed, this, &QueuePanel::updateButtons);
    updateButtons();
}

int QueuePanel::currentRun() const {
    const QModelIndex index = table_->currentIndex();
    return index.isValid() ? queue_.entry(index.row()).number : 0;
}

void QueuePanel::updateButtons() {
    cancel_->setEnabled(currentRun() != 0);
    cancelAll_->setEnabled(queue_.rowCount() > 0);
    if (queue_.rowCount() == 0) hide();
}

void QueuePanel::showMenu(const QPoint& at) {
    const QModelIndex index = table_->indexAt(at);
    if (!index.isValid()) return;
    const int number = queue_.entry(index.row()).number;
    QMenu menu(this);
    menu.addAction(tr("Cancel this run"), this, [this, number] { queue_.cancelRun(number); });
    menu.exec(table_->viewport()->mapToGlobal(at));
}

}  // namespace ks::ui
