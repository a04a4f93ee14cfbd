#include "ui/base/tables/filtered_table.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/input/input_files.h"
#include "core/io/files/atomic_file.h"
#include "ui/base/count_text.h"
#include "ui/base/csv_field.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/base/tables/table_states.h"

namespace ks::ui {
namespace {

const QString saveKind = QStringLiteral("table");

constexpr double maxExact = 9e15;

constexpr int typingPause = 300;  ///< ms without a key press until the filter is parsed
constexpr int sampledRows = 200, maxMeasured = 30'000;

/// Separates words from the column before them; copied text has no gap.
class ApartWords : public QStyledItemDelegate {
  public:
    ApartWords(const OrderedTableModel& model, QObject* parent)
        : QStyledItemDelegate(parent), model_(model) {}

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->text.prepend(model_.gapBefore(index.column()));
    }

  private:
    const OrderedTableModel& model_;
};

}  // namespace

FilteredTable::FilteredTable(OrderedTableModel& model, FilterNames names, Texts texts, QWidget* parent)
    : QWidget(parent),
      model_(model),
      names_(std::move(names)),
      texts_(std::move(texts)),
      chosen_(static_cast<std::size_t>(model.columnCount())),
      view_(new QTableView(this)),
      empty_(new QLabel(view_->viewport())),
      counts_(new QLabel(this)),
      message_(new QLabel(this)),
      text_(new QLineEdit(this)),
      export_(new QToolButton(this)) {
    build();
    buildView();
    refresh({});
}

void FilteredTable::addChoice(QWidget* choice) {
    line_->insertWidget(line_->count() - 3, choice);
}

void FilteredTable::addBelow(QWidget* widget) {
    static_cast<QVBoxLayout*>(layout())->addWidget(widget);
}

void FilteredTable::build() {
    text_->setPlaceholderText(names_.example);
    named(text_, tr("Filter for %1").arg(texts_.items), texts_.filterTip);
    text_->setClearButtonEnabled(true);
    for (QAbstractButton* clear : text_->findChildren<QAbstractButton*>())
        clear->setAccessibleName(tr("Clear the conditions"));
    text_->setMinimumWidth(64);  // the counts next to it need space
    counts_->setAccessibleName(tr("Number of %1 shown").arg(texts_.items));
    counts_->setWhatsThis(tr("How many of the %1 pass the filter").arg(texts_.items));
    message_->setWordWrap(true);
    message_->setAccessibleName(tr("Error in the filter"));
    message_->hide();
    colourMessage();
    export_->setText(tr("CSV\u2026"));
    setOrigin({}, {});
    export_->setAccessibleName(export_->toolTip());
    export_->setAutoRaise(true);
    line_ = inColumns({{text_, 1}, counts_, export_}, 8);
    setLayout(inRows({line_, message_, {view_, 1}}, 4));
    auto* pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(typingPause);
    const auto read = [this, pause] {
        pause->stop();
        setFilterText(text_->text());
    };
    connect(text_, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
    connect(text_, &QLineEdit::returnPressed, this, read);
    connect(pause, &QTimer::timeout, this, read);
    connect(export_, &QToolButton::clicked, this, &FilteredTable::exportByDialog);
}

void FilteredTable::buildView() {
    view_->setModel(&model_);
    view_->setAccessibleName(texts_.name);
    view_->setWhatsThis(QObject::tr("Table of %1. Click a row to show it in the picture, or a header to "
                                    "sort; filter with the field above. Ctrl+C copies the selected rows.")
                            .arg(texts_.items));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setItemDelegate(new ApartWords(model_, view_));
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setTabKeyNavigation(false);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView* header = view_->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(24);
    header->setSectionsMovable(true);
    header->setStretchLastSection(false);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setSortIndicatorClearable(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setSortingEnabled(true);
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setMargin(8);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* copy = new QAction(tr("Copy selected %1").arg(texts_.items), view_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    view_->addAction(copy);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &FilteredTable::copySelected);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &FilteredTable::remember);
    connect(header, &QWidget::customContextMenuRequested, this, &FilteredTable::columnMenu);
    connect(&model_, &QAbstractItemModel::layoutChanged, this, &FilteredTable::rowsChanged);
    connect(&model_, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& from, const QModelIndex& to, const QList<int>& roles) {
                if (roles.isEmpty() || roles.contains(Qt::DisplayRole))
                    widenColumns(from.column(), to.column());
            });
    // A predicate may index a list that is shorter than the new one.
    connect(&model_, &OrderedTableModel::itemsReset, this, [this] { holdAccepted({}); });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (quiet_ || !now.isValid()) return;
                announced_ = true;
                emit picked(model_.itemAt(now.row()));
            });
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (!announced_) emit picked(model_.itemAt(index.row()));
        announced_ = false;
    });
}

void FilteredTable::showColumns() {
    for (int c = 0; c < model_.columnCount(); ++c)
        view_->setColumnHidden(c, !chosen_[static_cast<std::size_t>(c)].value_or(!shown_ || shown_(c)));
}

int FilteredTable::fittingWidth(int c) const {
    const QFontMetrics metrics = view_->fontMetrics();
    const int mark = style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this);
    const int margin = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1);
    const int count = model_.items();
    const QString title = model_.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    int width = metrics.size(0, title).width() + mark + 8;
    const auto holdAll = [&](const QString& text) {
        width = std::max(width, metrics.horizontalAdvance(text) + 2 * margin + 6);
    };
    const auto hold = [&](const QString& text) { holdAll(model_.gapBefore(c) + text); };
    // The extremes have the most digits before the decimal point, a sample has those after it. For very
    // many items the extremes come from a sample as well, with room for one more digit.
    const int stride = 1 + count / maxMeasured;
    int minimum = -1, maximum = -1;
    for (int item = 0; item < count; item += stride) {
        const double value = model_.number(item, c);
        if (std::isnan(value)) continue;
        if (minimum < 0 || value < model_.number(minimum, c)) minimum = item;
        if (maximum < 0 || value > model_.number(maximum, c)) maximum = item;
    }
    for (const int item : {minimum, maximum})
        if (item >= 0) hold(model_.text(item, c) + (stride > 1 ? QStringLiteral("0") : QString()));
    for (int item = 0; item < count; item += std::max(1, count / sampledRows)) {
        hold(model_.text(item, c));
        // Models may show more than the text, such as a mark.
        if (const int row = model_.rowOf(item); row >= 0) holdAll(model_.index(row, c).data().toString());
    }
    for (const FilterNames::Word& one : names_.words)
        if (one.column == c) hold(one.word);
    return width;
}

void FilteredTable::fitColumns() {
    fitted_.resize(static_cast<std::size_t>(model_.columnCount()));
    for (int c = 0; c < model_.columnCount(); ++c) {
        fitted_[static_cast<std::size_t>(c)] = fittingWidth(c);
        view_->setColumnWidth(c, fitted_[static_cast<std::size_t>(c)]);
    }
}

void FilteredTable::widenColumns(int first, int last) {
    last = std::min(last, static_cast<int>(fitted_.size()) - 1);
    for (int c = first; c <= last; ++c) {
        int& fitted = fitted_[static_cast<std::size_t>(c)];
        if (view_->columnWidth(c) != fitted) continue;  // as the user has set it
        fitted = std::max(fitted, fittingWidth(c));
        view_->setColumnWidth(c, fitted);
    }
}

void FilteredTable::columnMenu(const QPoint& at) {
    QMenu menu(this);
    for (int c = 0; c < model_.columnCount(); ++c) {
        if (model_.csvKeys(c).empty()) continue;
        QAction* action = menu.addAction(model_.columnText(c).title());
        action->setCheckable(true);
        action->setChecked(!view_->isColumnHidden(c));
        action->setEnabled(c != 0);
        connect(action, &QAction::toggled, this, [this, c](bool on) {
            chosen_[static_cast<std::size_t>(c)] = on;
            showColumns();
            remember();
        });
    }
    menu.exec(view_->horizontalHeader()->mapToGlobal(at));
}

void FilteredTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) colourMessage();
    if (event->type() != QEvent::FontChange) return;
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    fitColumns();
}

// A table that is made anew continues where the last one of its name was left.
void FilteredTable::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(restored_, true)) return;
    const TableStates* const states = TableStates::around(*this);
    if (!states) return;
    if (const nlohmann::json kept = states->state(leaf().toStdString()); !kept.is_null()) bringBack(kept);
}

void FilteredTable::colourMessage() {
    // A red that is readable on both backgrounds, as in the error bar.
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, QColor(isDark(palette()) ? 0xff8a80 : 0xb71c1c));
    message_->setPalette(colours);
}

FilterNames filterNames(const OrderedTableModel& model, const QString& example) {
    FilterNames names;
    for (int c = 0; c < model.columnCount(); ++c)
        names.columns.push_back({QString::fromUtf8(model.columnText(c).key), c});
    names.example = example;
    return names;
}

FilteredTable::~FilteredTable() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void FilteredTable::refresh(const QString& hint, bool known) {
    hint_ = hint;
    known_ = known;
    // Other items: the number of the previous current item is meaningless here.
    view_->setCurrentIndex({});
    chooseRows();
    showColumns();
    fitColumns();
    emit rowsChanged();
}

void FilteredTable::setNames(FilterNames names) {
    names_ = std::move(names);
    text_->setPlaceholderText(names_.example);
    if (waiting_.isEmpty())
        setFilterText(filterText());
    else
        applyKeptFilter(waiting_);
}

void FilteredTable::setAccepted(std::function<bool(int)> accepts, const QString& none, const QString& leaf) {
    holdAccepted(std::move(accepts), none);
    acceptedLeaf_ = leaf;
    applyFilters();
}

void FilteredTable::holdAccepted(std::function<bool(int)> accepts, const QString& none) {
    accepts_ = std::move(accepts);
    none_ = none;
    acceptedLeaf_.clear();
}

void FilteredTable::setShownColumns(std::function<bool(int)> shown) {
    shown_ = std::move(shown);
    showColumns();
}

void FilteredTable::applyFilters() {
    chooseRows();
    emit rowsChanged();
}

void FilteredTable::chooseRows() {
    const int current = selected();
    if (!accepts_ && filter_.empty()) {
        model_.setAccepted({});
    } else {
        model_.setAccepted([this](int item) {
            if (accepts_ && !accepts_(item)) return false;
            return filter_.accepts([&](int column) { return model_.range(item, column); });
        });
    }
    select(current);
    showCounts();
}

void FilteredTable::showCounts() {
    counts_->setText(counts());
    export_->setEnabled(!model_.rows().empty());
    const QString text = hint();
    empty_->setText(text);
    empty_->setVisible(!text.isEmpty());
}

bool FilteredTable::isKnown(int column) const {
    for (int item = 0; item < model_.items(); ++item)
        if (!std::isnan(model_.range(item, column).first)) return true;
    return false;
}

QString FilteredTable::hint() const {
    if (!model_.rows().empty()) return {};
    if (model_.items() == 0) return hint_;
    if (filter_.empty() && !none_.isEmpty()) return none_;
    for (const int column : filter_.columns())
        if (!isKnown(column))
            return tr("No row passes the filter: the column %1 has no value in any row.")
                .arg(model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    return tr("No row passes the filter.");
}

QString FilteredTable::counts() const {
    const QString text = counted();
    return text.isEmpty() || remark_.isEmpty() ? text : tr("%1, %2").arg(text, remark_);
}

QString FilteredTable::counted() const {
    if (model_.items() == 0 && !known_) return {};
    const std::size_t all = allItems();
    const bool one = all == 1 && !texts_.item.isEmpty();
    return tr("%1 of %2 %3")
        .arg(grouped(model_.rows().size()), grouped(all), one ? texts_.item : texts_.items);
}

std::size_t FilteredTable::allItems() const {
    return total_.value_or(static_cast<std::size_t>(model_.items()));
}

bool FilteredTable::isPartial() const {
    return model_.rows().size() != allItems();
}

QString FilteredTable::exportedItems() const {
    if (isPartial()) return counted();
    const bool one = allItems() == 1 && !texts_.item.isEmpty();
    return tr("%1 %2").arg(grouped(allItems()), one ? texts_.item : texts_.items);
}

void FilteredTable::setTotal(std::optional<std::size_t> total) {
    total_ = total;
    showCounts();
}

void FilteredTable::setRemark(const QString& text, const QString& tip) {
    remark_ = text;
    counts_->setToolTip(tip);
    showCounts();
}

void FilteredTable::setOrigin(const QString& words, const QString& leaf) {
    origin_ = words;
    originLeaf_ = leaf;
    export_->setToolTip(
        tr("Export the shown %1 as CSV")
            .arg(origin_.isEmpty() ? texts_.items : tr("%1 of %2").arg(texts_.items, origin_)));
}

QString FilteredTable::exportTitle() const {
    const QString what = isPartial() ? counted() : texts_.items;
    return origin_.isEmpty() ? tr("Export %1").arg(what) : tr("Export %1 of %2").arg(what, origin_);
}

QString FilteredTable::exportLeaf() const {
    QStringList parts{texts_.leaf, originLeaf_};
    if (isPartial()) {
        parts << acceptedLeaf_;
        if (acceptedLeaf_.isEmpty() || !filter_.empty()) parts << QStringLiteral("filtered");
    }
    return joinedTexts(parts, QStringLiteral("_")) + QStringLiteral(".csv");
}

void FilteredTable::select(int item) {
    const int row = model_.rowOf(item);
    quiet_ = true;
    if (row < 0) {
        view_->setCurrentIndex({});
        view_->clearSelection();
    } else {
        const QModelIndex old = view_->currentIndex();
        const int column = old.isValid() ? old.column() : view_->horizontalHeader()->logicalIndex(0);
        const QModelIndex index = model_.index(row, column);
        view_->setCurrentIndex(index);
        view_->selectRow(row);
        view_->scrollTo(index);
    }
    quiet_ = false;
}

int FilteredTable::selected() const {
    const QModelIndex index = view_->currentIndex();
    return index.isValid() ? model_.itemAt(index.row()) : -1;
}

void FilteredTable::setFilterText(const QString& text) {
    if (text_->text() != text) {
        const QSignalBlocker quiet(text_);
        text_->setText(text);
    }
    waiting_.clear();
    QString wrong;
    try {
        filter_ = ColumnFilter::parse(text, names_);
    } catch (const Error& error) {
        wrong = QString::fromStdString(error.message());
    }
    message_->setText(wrong);
    message_->setVisible(!wrong.isEmpty());
    if (wrong.isEmpty()) applyFilters();
    remember();
}

void FilteredTable::applyKeptFilter(const QString& text) {
    try {
        ColumnFilter::parse(text, names_);
        setFilterText(text);
    } catch (const Error&) {
        waiting_ = text;
    }
}

int FilteredTable::columnOf(const std::string& key) const {
    for (int c = 0; c < model_.columnCount(); ++c)
        if (model_.columnText(c).key == key) return c;
    return -1;
}

nlohmann::json FilteredTable::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    if (const QString text = waiting_.isEmpty() ? filterText() : waiting_; !text.isEmpty())
        kept["filter"] = text.toStdString();
    const QHeaderView* const header = view_->horizontalHeader();
    if (const int by = header->sortIndicatorSection(); by >= 0 && by < model_.columnCount()) {
        kept["sort"] = model_.columnText(by).key;
        kept["descending"] = header->sortIndicatorOrder() == Qt::DescendingOrder;
    }
    for (int c = 0; c < model_.columnCount(); ++c)
        if (const std::optional<bool> shown = chosen_[static_cast<std::size_t>(c)])
            kept["columns"][model_.columnText(c).key] = *shown;
    return kept;
}

void FilteredTable::bringBack(const nlohmann::json& kept) {
    applyKeptFilter(jsonText(kept, "filter"));
    view_->sortByColumn(columnOf(jsonText(kept, "sort").toStdString()),
                        jsonBoolean(kept, "descending") ? Qt::DescendingOrder : Qt::AscendingOrder);
    const nlohmann::json columns = jsonPart(kept, "columns");
    for (int c = 0; c < model_.columnCount(); ++c) {
        const nlohmann::json shown = jsonPart(columns, model_.columnText(c).key);
        chosen_[static_cast<std::size_t>(c)] =
            shown.is_boolean() ? std::optional(shown.get<bool>()) : std::nullopt;
    }
    showColumns();
    remember();
}

void FilteredTable::remember() {
    if (TableStates* const states = TableStates::around(*this)) states->keep(leaf().toStdString(), keep());
}

QString FilteredTable::filterText() const {
    return text_->text();
}

QString FilteredTable::message() const {
    return message_->text();
}

std::string FilteredTable::csv() const {
    const int columns = model_.columnCount();
    std::vector<std::size_t> fields;
    std::string text;
    for (int c = 0; c < columns; ++c) {
        const std::vector<std::string> keys = model_.csvKeys(c);
        for (const std::string& key : keys) text += (text.empty() ? "" : ",") + key;
        fields.push_back(keys.size());
    }
    QStringList notes;
    if (note_)
        for (const int item : model_.rows()) notes << note_(item);
    const bool noted = std::ranges::any_of(notes, [](const QString& note) { return !note.isEmpty(); });
    text += noted ? ",note\n" : "\n";
    qsizetype row = 0;
    const auto number = [](double value) { return std::isfinite(value) ? csvNumber(value) : std::string(); };
    for (const int item : model_.rows()) {
        for (int c = 0; c < columns; ++c) {
            if (fields[static_cast<std::size_t>(c)] == 0) continue;
            if (c > 0) text += ',';
            const auto [low, high] = model_.range(item, c);
            // 64-bit ids have more digits than a double.
            if (model_.isWords(c) || std::abs(low) > maxExact)
                text += csvField(model_.text(item, c));
            else
                text += number(low);
            if (fields[static_cast<std::size_t>(c)] > 1) text += ',' + number(high);
        }
        if (noted) text += ',' + csvField(notes[row++]);
        text += '\n';
    }
    return text;
}

void FilteredTable::exportCsv(const std::filesystem::path& path, bool overwrite) const {
    io::require_not_read("exporting", path, filesRead(this, read_));
    io::write_text(path, csv(), overwrite);
}

QString FilteredTable::exportProposal() const {
    const SaveFolders* const folders = SaveFolders::of(this);
    if (!folders || !data_) return savePath(this, saveKind, exportLeaf());
    return folders->proposal(saveKind, exportLeaf(), *data_);
}

void FilteredTable::exportByDialog() {
    const QString path = askSavePath(this, exportTitle(), exportProposal(), tr("CSV table (*.csv)"));
    if (path.isEmpty()) return;
    rememberSaved(this, saveKind, path);
    try {
        exportCsv(path.toStdString(), true);  // the dialog has asked before replacing a file
        reportSaveSucceeded(this);
        reportSaved(this, tr("Saved %1 to %2").arg(exportedItems(), path));
    } catch (const Error& error) {
        reportSaveFailed(this, error);
        emit failed(error);
    }
}

void FilteredTable::copySelected() const {
    QStringList lines{{}};
    std::vector<int> shown;
    for (int visual = 0; visual < model_.columnCount(); ++visual) {
        const int column = view_->horizontalHeader()->logicalIndex(visual);
        if (view_->isColumnHidden(column)) continue;
        lines[0] += (shown.empty() ? QString() : QStringLiteral("\t")) + model_.columnText(column).title();
        shown.push_back(column);
    }
    QModelIndexList rows = view_->selectionModel()->selectedRows();
    if (rows.empty()) return;
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& index : rows) {
        QStringList cells;
        for (const int column : shown) cells << model_.text(model_.itemAt(index.row()), column);
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

bool FilteredTable::eventFilter(QObject* object, QEvent* event) {
    // The view itself would copy only the current cell.
    if (object == view_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        copySelected();
        return true;
    }
    if (object == view_->viewport()) {
        if (event->type() == QEvent::Resize) empty_->setGeometry(view_->viewport()->rect());
        // Clicking the current row goes to its item as well.
        if (event->type() == QEvent::MouseButtonPress) announced_ = false;
    }
    return QWidget::eventFilter(object, event);
}

}  // namespace ks::ui
