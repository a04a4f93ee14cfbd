#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/base/filtered_table.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

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

void FilteredTable::build() {
    text_->setPlaceholderText(names_.example);
    named(text_, tr("Filter of %1").arg(texts_.items), texts_.filterTip);
    text_->setClearButtonEnabled(true);
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
    connect(header, &QWidget::customContextMenuRequested, this, &FilteredTable::columnMenu);
    connect(&model_, &QAbstractItemModel::layoutChanged, this, &FilteredTable::rowsChanged);
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

void FilteredTable::fitColumns() {
    const QFontMetrics metrics = view_->fontMetrics();
    const int mark = style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this);
    const int margin = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1);
    const int count = model_.items();
    for (int c = 0; c < model_.columnCount(); ++c) {
        const QString title = model_.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = metrics.size(0, title).width() + mark + 8;
        const auto hold = [&](const QString& text) {
            width = std::max(width, metrics.horizontalAdvance(model_.gapBefore(c) + text) + 2 * margin + 6);
        };
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
        for (int item = 0; item < count; item += std::max(1, count / sampledRows)) hold(model_.text(item, c));
        for (const FilterNames::Word& one : names_.words)
            if (one.column == c) hold(one.word);
        view_->setColumnWidth(c, width);
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

void FilteredTable::colourMessage() {
    // A red that is readable on both backgrounds, as in the error bar.
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, QColor(isDark(palette()) ? 0xff8a80 : 0xb71c1c));
    message_->setPalette(colours);
}

}  // namespace ks::ui
