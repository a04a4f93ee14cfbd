#include "ui/tune/kept_panel.h"

#include <QAction>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <utility>

#include "core/base/cache_folder.h"
#include "ui/base/layouts.h"

namespace ks::ui::tune {

KeptPanel::KeptPanel(Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      jobs_(jobs),
      model_(new KeptModel(this)),
      table_(named(new QTableView, tr("Kept values"))),
      message_(named(new QLabel, tr("Contents of the table"))),
      forget_(new QToolButton),
      forgetAll_(new QToolButton) {
    build();
    connect(forget_, &QToolButton::clicked, this, &KeptPanel::forgetSelected);
    connect(forgetAll_, &QToolButton::clicked, this, &KeptPanel::forgetAll);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &KeptPanel::showButtons);
    auto* erase = new QAction(tr("Forget"), table_);
    erase->setShortcut(QKeySequence::Delete);
    erase->setShortcutContext(Qt::WidgetShortcut);
    connect(erase, &QAction::triggered, this, &KeptPanel::forgetSelected);
    table_->addAction(erase);
    showTable({});
}

void KeptPanel::build() {
    table_->setModel(model_);
    table_->setWhatsThis(
        tr("Values that were found to be faster, with the problems and the device that they are for. Press "
           "Forget to remove the selected rows."));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 6);
    table_->horizontalHeader()->setStretchLastSection(true);
    message_->setWordWrap(true);
    message_->setContentsMargins(0, 0, 8, 0);
    forget_->setText(tr("Forget"));
    forget_->setToolTip(tr("Remove the selected rows; runs then use the built-in values again (Delete)"));
    forgetAll_->setText(tr("Forget all"));
    forgetAll_->setToolTip(tr("Remove all rows of the table"));
    setLayout(inRows({inColumns({{message_, 1}, forget_, forgetAll_}, {}, {8, 4, 8, 4}), {table_, 1}}, 0));
}

void KeptPanel::work(const std::function<void(UserTuning&)>& change) {
    // Unique subjects, so that no change makes another one stale.
    const QString subject =
        change ? QStringLiteral("change %1 of kept values").arg(++changes_) : QStringLiteral("kept values");
    jobs_.start(
        Jobs::Lane::files, this, subject,
        [change] {
            UserTuning table(data_folder());
            if (change) change(table);
            return Table{table.rows(), QString::fromStdString(table.why_not_read())};
        },
        [this](const Table& table) { showTable(table); }, [this](const Error& error) { emit failed(error); });
}

void KeptPanel::refresh() {
    work(nullptr);
}

void KeptPanel::keep(const TunedRow& row) {
    work([row](UserTuning& table) { table.keep(row); });
}

void KeptPanel::forgetSelected() {
    std::vector<TunedRow> chosen;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        chosen.push_back(model_->rows()[static_cast<std::size_t>(index.row())]);
    if (chosen.empty()) return;
    work([chosen](UserTuning& table) {
        for (const TunedRow& row : chosen) table.forget(row);
    });
}

void KeptPanel::forgetAll() {
    work([](UserTuning& table) { table.forget({}, {}); });
}

void KeptPanel::showTable(Table table) {
    const bool damaged = !table.whyNotRead.isEmpty();
    model_->setRows(std::move(table.rows));
    table_->resizeColumnsToContents();
    message_->setText(
        damaged ? tr("%1; press Forget all to remove the damaged table").arg(table.whyNotRead)
        : model_->rows().empty()
            ? tr("No values are kept. Press Keep to store values here; they must be significantly faster "
                 "than the default")
            : tr("Runs with a matching problem and device use these values instead of the built-in ones"));
    showButtons();
    forgetAll_->setEnabled(damaged || !model_->rows().empty());
    emit changed();
}

void KeptPanel::showButtons() {
    forget_->setEnabled(table_->selectionModel()->hasSelection());
}

QString KeptPanel::message() const {
    return message_->text();
}

}  // namespace ks::ui::tune
