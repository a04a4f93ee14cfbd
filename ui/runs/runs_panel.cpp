#include "ui/runs/runs_panel.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QTableView>
#include <algorithm>
#include <array>
#include <utility>

#include "core/record/made_elsewhere.h"
#include "ui/base/layouts.h"
#include "ui/base/tables/space_ticks.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui {
namespace {

/// The selection of a table of runs, which is the same as the ticks of one analysis: that of the page, or of
/// the run that was clicked last. A run that is chosen alone unticks the others of its analysis; those of
/// other analyses stay ticked for their own pages, and are not highlighted.
class RunSelection : public QItemSelectionModel {
  public:
    explicit RunSelection(RunTableModel& runs, QObject* parent = nullptr);

    using QItemSelectionModel::select;
    void select(const QItemSelection& selection, SelectionFlags command) override;

  private:
    void followTicks();
    void highlight();
    QString analysisAt(int row) const;
    /// The analysis whose runs are chosen: the one that is highlighted where the selection has runs of it.
    QString chosenIn(const QItemSelection& selection) const;
    QItemSelection rowsOf(int first, int last) const;

    RunTableModel& runs_;
    QString highlighted_;  ///< analysis whose ticked runs are highlighted; empty: those of all
    bool following_ = false, choosing_ = false;
};

/// Columns whose text may be cut, with the widths in pixels between which they are kept.
struct Elastic {
    int column, least, most;
};
constexpr std::array<Elastic, 6> elasticColumns{{{RunTableModel::DataColumn, 72, 260},
                                                 {RunTableModel::SetupColumn, 72, 260},
                                                 {RunTableModel::ChangedColumn, 72, 420},
                                                 {RunTableModel::VariantColumn, 76, 200},
                                                 {RunTableModel::DeviceColumn, 76, 260},
                                                 {RunTableModel::VerdictColumn, 116, 200}}};

}  // namespace

RunSelection::RunSelection(RunTableModel& runs, QObject* parent)
    : QItemSelectionModel(&runs, parent), runs_(runs) {
    connect(&runs_, &RunTableModel::tickedChanged, this, &RunSelection::followTicks);
    followTicks();
}

QItemSelection RunSelection::rowsOf(int first, int last) const {
    return {runs_.index(first, 0), runs_.index(last, RunTableModel::ColumnCount - 1)};
}

QString RunSelection::analysisAt(int row) const {
    return QString::fromStdString(runs_.rows()[static_cast<std::size_t>(row)].run->request.analysis);
}

QString RunSelection::chosenIn(const QItemSelection& selection) const {
    for (const QItemSelectionRange& range : selection)
        for (int row = range.top(); row <= range.bottom(); ++row)
            if (analysisAt(row) == highlighted_) return highlighted_;
    return analysisAt(selection.first().top());
}

void RunSelection::select(const QItemSelection& selection, SelectionFlags command) {
    if (following_) return QItemSelectionModel::select(selection, command);
    // A click beside the rows is no wish to see nothing.
    if (selection.isEmpty()) return;
    const QString chosen = chosenIn(selection);
    // Ctrl+click adds to the ticked runs of that analysis, also where those of another one are highlighted.
    if (!highlighted_.isEmpty() && chosen != highlighted_) {
        highlighted_ = chosen;
        highlight();
    }
    QItemSelectionModel::select(selection, command);
    QSet<int> numbers;
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (analysisAt(row) == chosen ? isRowSelected(row)
                                      : runs_.rows()[static_cast<std::size_t>(row)].ticked)
            numbers.insert(runs_.number(row));
    choosing_ = true;
    runs_.tickOnly(numbers);
    choosing_ = false;
    highlight();
}

void RunSelection::followTicks() {
    if (choosing_) return;
    highlighted_ = runs_.analysis();
    highlight();
}

void RunSelection::highlight() {
    QItemSelection ticked;
    for (int row = 0; row < runs_.rowCount(); ++row)
        if (runs_.rows()[static_cast<std::size_t>(row)].ticked &&
            (highlighted_.isEmpty() || analysisAt(row) == highlighted_))
            ticked.merge(rowsOf(row, row), Select);
    following_ = true;
    select(ticked, ClearAndSelect);
    following_ = false;
}

QString RunsPanel::runsText(const QList<int>& numbers) {
    if (numbers.size() == 1) return tr("run %1").arg(numbers.front());
    constexpr qsizetype mostNamed = 8;
    if (numbers.size() > mostNamed) return tr("%1 runs").arg(numbers.size());
    QStringList parts;
    for (const int one : numbers) parts << QString::number(one);
    const QString last = parts.takeLast();
    return tr("runs %1 and %2").arg(parts.join(QStringLiteral(", ")), last);
}

RunsPanel::RunsPanel(RunTableModel& runs, QWidget* parent)
    : QWidget(parent),
      runs_(runs),
      table_(new QTableView),
      empty_(new QLabel(tr("Runs appear here: open data, then press Run (F5)."), table_)) {
    table_->setModel(&runs_);
    table_->setSelectionModel(new RunSelection(runs_, table_));
    table_->setAccessibleName(tr("Runs"));
    table_->setWhatsThis(
        tr("All runs; the results of the ticked ones are shown. Tick two to compare them. Right-click a run "
           "to repeat, check, save or remove it."));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    if (auto* corner = table_->findChild<QAbstractButton*>()) corner->setAccessibleName(tr("All runs"));
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    table_->horizontalHeader()->setMinimumSectionSize(32);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
    table_->viewport()->installEventFilter(this);
    tickRowsBySpace(*table_, RunTableModel::NumberColumn);
    setLayout(inRows({table_}));

    const auto refresh = [this] {
        empty_->setVisible(runs_.rowCount() == 0);
        layoutColumns();
    };
    connect(&runs_, &QAbstractItemModel::rowsInserted, this, refresh);
    connect(&runs_, &QAbstractItemModel::rowsRemoved, this, refresh);
    connect(&runs_, &QAbstractItemModel::dataChanged, this, &RunsPanel::layoutColumns);
    connect(table_, &QWidget::customContextMenuRequested, this, &RunsPanel::showMenu);
    refresh();
}

int RunsPanel::currentRun() const {
    const QModelIndex index = table_->currentIndex();
    return index.isValid() ? runs_.number(index.row()) : 0;
}

void RunsPanel::layoutColumns() {
    const auto& rows = runs_.rows();
    const bool several = std::ranges::any_of(rows, [&](const RunRow& row) {
        return row.run->request.analysis != rows.front().run->request.analysis;
    });
    table_->setColumnHidden(RunTableModel::AnalysisColumn, !several);

    QHeaderView& header = *table_->horizontalHeader();
    const QAbstractItemView& view = *table_;
    std::array<int, RunTableModel::ColumnCount> widths{};
    int sum = 0;
    for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
        if (table_->isColumnHidden(column)) continue;
        int& width = widths[static_cast<std::size_t>(column)];
        width = std::max(header.sectionSizeHint(column), view.sizeHintForColumn(column));
        sum += width;
    }
    // What is wanted beyond the least is shared out, or what is over given to the longest texts.
    int stretch = 0;
    for (const Elastic& one : elasticColumns) {
        int& width = widths[static_cast<std::size_t>(one.column)];
        sum -= width;
        width = std::clamp(width, one.least, one.most);
        sum += width;
        stretch += width - one.least;
    }
    const int over = sum - table_->viewport()->width();
    if (over > 0 && stretch > 0)
        for (const Elastic& one : elasticColumns) {
            int& width = widths[static_cast<std::size_t>(one.column)];
            width -= std::min(width - one.least, (over * (width - one.least) + stretch - 1) / stretch);
        }
    else if (over < 0)
        widths[RunTableModel::ChangedColumn] -= over;
    for (int column = 0; column < RunTableModel::ColumnCount; ++column)
        if (!table_->isColumnHidden(column))
            header.resizeSection(column, widths[static_cast<std::size_t>(column)]);
}

void RunsPanel::fillMenu(QMenu& menu, int number) {
    const RunRow* row = runs_.find(number);
    if (!row) return;
    QList<int> chosen{number};
    if (row->ticked) {
        chosen.clear();
        for (const RunRow& one : runs_.ticked(QString::fromStdString(row->run->request.analysis)))
            chosen << one.number;
    }
    const QString these =
        chosen.size() == 1
            ? runsText(chosen)
            : tr("%1 of %2").arg(runsText(chosen), QString::fromStdString(row->run->request.analysis));
    const auto each = [&](const QString& what, auto does) {
        return menu.addAction(what.arg(these), this, [chosen, does] {
            for (const int run : chosen) does(run);
        });
    };
    // Results of other programs have no inputs.
    const bool ours = std::ranges::none_of(
        chosen, [this](int run) { return made_elsewhere(*runs_.find(run)->run).has_value(); });
    each(tr("Repeat %1"), [this](int run) { emit repeatRequested(run); })->setEnabled(ours);
    each(tr("Check all values of %1"), [this](int run) { emit checkFullyRequested(run); })->setEnabled(ours);
    if (!row->run->verdict.place.empty())
        menu.addAction(tr("Show %1").arg(QString::fromStdString(row->run->verdict.where)), this,
                       [this, number] { emit placeRequested(number); })
            ->setEnabled(runs_.isOfContents(*row));
    if (!row->run->request.kernel_source.empty())
        menu.addAction(tr("Edit a copy of the kernel of run %1").arg(number), this,
                       [this, number] { emit kernelRequested(number); });
    menu.addAction(tr("Save run %1...").arg(number), this, [this, number] { emit saveRequested(number); });
    menu.addSeparator();
    menu.addAction(tr("Remove %1 from the table").arg(these), this, [this, chosen] { remove(chosen); });
}

void RunsPanel::remove(const QList<int>& numbers) {
    std::vector<RunRow> gone;
    for (const int number : numbers)
        if (const RunRow* row = runs_.find(number)) gone.push_back(*row);
    for (const RunRow& row : gone) runs_.removeRun(row.number);
    if (!gone.empty()) emit removed(gone);
}

void RunsPanel::showMenu(const QPoint& at) {
    const QModelIndex index = table_->indexAt(at);
    if (!index.isValid()) return;
    QMenu menu(this);
    fillMenu(menu, runs_.number(index.row()));
    menu.exec(table_->viewport()->mapToGlobal(at));
}

bool RunsPanel::onTickBox(const QPoint& at) const {
    const QModelIndex index = table_->indexAt(at);
    if (!index.isValid() || index.column() != RunTableModel::NumberColumn) return false;
    QStyleOptionViewItem option;
    option.initFrom(table_);
    option.rect = table_->visualRect(index);
    option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
    option.text = index.data().toString();
    option.decorationSize = {};
    return table_->style()
        ->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, table_)
        .adjusted(-3, -3, 3, 3)
        .contains(at);
}

bool RunsPanel::eventFilter(QObject* object, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
            empty_->setGeometry(table_->viewport()->geometry().adjusted(8, 0, -8, 0));
            layoutColumns();
            break;
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            const QPoint at = mouse->position().toPoint();
            // The menu is asked for of a run as it is, and a box adds or takes away: neither shows it alone.
            if (mouse->button() == Qt::RightButton) return true;
            if (mouse->button() != Qt::LeftButton || !onTickBox(at)) break;
            const int number = runs_.number(table_->indexAt(at).row());
            runs_.setTicked(number, !runs_.find(number)->ticked);
            pressedBox_ = true;
            return true;
        }
        case QEvent::MouseButtonRelease:
            if (std::exchange(pressedBox_, false)) return true;
            break;
        default:
            break;
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace ks::ui
