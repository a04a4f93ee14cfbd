#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStyle>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/plots/palette.h"
#include "ui/spots/spot_table.h"

namespace ks::ui::spots {
namespace {

constexpr int typingPause = 300;  ///< ms without a key until the filter is read
constexpr int sampledRows = 200;

}  // namespace

SpotTable::SpotTable(QWidget* parent)
    : QWidget(parent),
      view_(new QTableView(this)),
      empty_(new QLabel(view_->viewport())),
      counts_(new QLabel(this)),
      message_(new QLabel(this)),
      kept_(new QCheckBox(tr("&Kept only"), this)),
      here_(new QCheckBox(tr("This &frame"), this)),
      text_(new QLineEdit(this)),
      export_(new QToolButton(this)) {
    build();
    buildView();
    showColumns();
    fitColumns();
    showCounts();
}

void SpotTable::build() {
    kept_->setChecked(true);
    kept_->setToolTip(tr("Leave out spots that were dropped: too small, too large, on ice, ..."));
    here_->setToolTip(tr("Spots with a signal pixel in the frame on the screen"));
    text_->setPlaceholderText(tr("sum > 500, d < 3"));
    text_->setAccessibleName(tr("Filter of spots"));
    text_->setToolTip(
        tr("Conditions that must all hold: sum > 500, 2 < d < 3, frame 10..20, ice.\n"
           "Frames are counted from 0. "
           "A column's tool tip tells its name."));
    text_->setClearButtonEnabled(true);
    text_->setMinimumWidth(96);
    counts_->setAccessibleName(tr("Number of spots shown"));
    message_->setWordWrap(true);
    message_->setAccessibleName(tr("What is wrong with the filter"));
    message_->hide();
    colourMessage();
    export_->setText(tr("CSV\u2026"));
    export_->setToolTip(tr("Export the shown spots as CSV"));
    export_->setAccessibleName(export_->toolTip());
    export_->setAutoRaise(true);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    for (QWidget* part : {static_cast<QWidget*>(kept_), static_cast<QWidget*>(here_)}) line->addWidget(part);
    line->addWidget(text_, 1);
    line->addWidget(counts_);
    line->addWidget(export_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(line);
    all->addWidget(message_);
    all->addWidget(view_, 1);
    auto* pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(typingPause);
    const auto read = [this, pause] {
        pause->stop();
        setFilterText(text_->text());
    };
    connect(kept_, &QCheckBox::toggled, this, [this] {
        showColumns();  // why a spot was dropped
        applyFilters();
    });
    connect(here_, &QCheckBox::toggled, this, &SpotTable::applyFilters);
    connect(text_, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
    connect(text_, &QLineEdit::returnPressed, this, read);
    connect(pause, &QTimer::timeout, this, read);
    connect(export_, &QToolButton::clicked, this, &SpotTable::exportByDialog);
}

void SpotTable::buildView() {
    view_->setModel(&model_);
    view_->setAccessibleName(tr("Spots"));
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
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
    auto* copy = new QAction(tr("Copy selected spots"), view_);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    view_->addAction(copy);
    view_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &SpotTable::copySelected);
    connect(header, &QWidget::customContextMenuRequested, this, &SpotTable::columnMenu);
    connect(&model_, &QAbstractItemModel::layoutChanged, this, &SpotTable::visibleSpotsChanged);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (quiet_ || !now.isValid()) return;
                announced_ = true;
                emit picked(model_.spotAt(now.row()));
            });
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (!announced_) emit picked(model_.spotAt(index.row()));
        announced_ = false;
    });
}

void SpotTable::showColumns() {
    const auto any = [this](const auto& holds) { return std::any_of(spots().begin(), spots().end(), holds); };
    using Spot = ks::spots::Spot;
    const bool located = any([](const Spot& s) { return std::isfinite(s.d); });
    const bool deep = any([](const Spot& s) { return s.z1 > s.z0 + 1; });
    const bool dropped =
        !keptOnly() && any([](const Spot& s) { return s.dropped != ks::spots::Dropped::kept; });
    for (int column = 0; column < SpotTableModel::ColumnCount; ++column) {
        bool shown = true;
        if (column == SpotTableModel::DColumn) shown = located;
        // q tells what d tells.
        if (column == SpotTableModel::QColumn) shown = false;
        if (column == SpotTableModel::ZColumn || column == SpotTableModel::VarZColumn) shown = deep;
        if (column == SpotTableModel::KeptColumn) shown = dropped;
        view_->setColumnHidden(column, !chosen_[static_cast<std::size_t>(column)].value_or(shown));
    }
}

void SpotTable::fitColumns() {
    const QFontMetrics metrics = view_->fontMetrics();
    const int mark = style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this);
    const int margin = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1);
    const int count = static_cast<int>(spots().size());
    for (int c = 0; c < SpotTableModel::ColumnCount; ++c) {
        const auto column = static_cast<SpotTableModel::Column>(c);
        const QString title = model_.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
        int width = metrics.size(0, title).width() + mark + 8;
        const auto hold = [&](const QString& text) {
            width = std::max(width, metrics.horizontalAdvance(text) + 2 * margin + 6);
        };
        // The extremes have most digits before the point; a sample has those behind it.
        int least = -1, most = -1;
        for (int spot = 0; spot < count; ++spot) {
            const double value = model_.number(spot, column);
            if (std::isnan(value)) continue;
            if (least < 0 || value < model_.number(least, column)) least = spot;
            if (most < 0 || value > model_.number(most, column)) most = spot;
        }
        for (const int spot : {least, most})
            if (spot >= 0) hold(model_.text(spot, column));
        for (int spot = 0; spot < count; spot += std::max(1, count / sampledRows))
            hold(model_.text(spot, column));
        if (column == SpotTableModel::KeptColumn)
            hold(SpotTableModel::whyText(ks::spots::Dropped::resolution));
        view_->setColumnWidth(c, width);
    }
}

void SpotTable::columnMenu(const QPoint& at) {
    QMenu menu(this);
    for (int c = 0; c < SpotTableModel::ColumnCount; ++c) {
        QAction* action = menu.addAction(SpotTableModel::title(static_cast<SpotTableModel::Column>(c)));
        action->setCheckable(true);
        action->setChecked(!view_->isColumnHidden(c));
        action->setEnabled(c != SpotTableModel::NumberColumn);
        connect(action, &QAction::toggled, this, [this, c](bool on) {
            chosen_[static_cast<std::size_t>(c)] = on;
            showColumns();
        });
    }
    menu.exec(view_->horizontalHeader()->mapToGlobal(at));
}

void SpotTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) colourMessage();
    if (event->type() != QEvent::FontChange) return;
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    fitColumns();
}

void SpotTable::colourMessage() {
    // Red that reads on either ground, as the bar of errors has it.
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, QColor(isDark(palette()) ? 0xff8a80 : 0xb71c1c));
    message_->setPalette(colours);
}

}  // namespace ks::ui::spots
