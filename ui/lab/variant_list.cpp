#include "ui/lab/variant_list.h"

#include <QAction>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPalette>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "ui/base/layouts.h"

namespace ks::ui::lab {
namespace {

QString idOf(const Offer& offer) {
    return QString::fromStdString(offer.variant.id);
}

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

void VariantListModel::setOffers(const std::vector<std::vector<Offer>>& offers) {
    std::vector<Offer> all;
    for (const std::vector<Offer>& ofDevice : offers)
        for (const Offer& offer : ofDevice) {
            const auto known = std::ranges::find_if(
                all, [&](const Offer& one) { return one.variant.id == offer.variant.id; });
            if (known == all.end())
                all.push_back(offer);
            else if (offer.why_not.empty())
                known->why_not.clear();
        }
    // The selected rows stay if a restarted worker offers the same variants.
    if (std::ranges::equal(all, offers_, {}, idOf, idOf)) {
        offers_ = std::move(all);
        if (!offers_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    offers_ = std::move(all);
    endResetModel();
}

void VariantListModel::setOff(const QStringList& off, const QStringList& on) {
    off_ = {off.begin(), off.end()};
    on_ = {on.begin(), on.end()};
    tellTicked();
}

void VariantListModel::tellTicked() {
    if (!offers_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::CheckStateRole});
    emit tickedChanged();
}

bool VariantListModel::isInitial(const Offer& offer) {
    return !offer.variant.by_name_only && !offer.variant.from_user();
}

void VariantListModel::tick(const Offer& offer, bool ticked) {
    QSet<QString>& set = isInitial(offer) ? off_ : on_;
    if (ticked == isInitial(offer))
        set.remove(idOf(offer));
    else
        set.insert(idOf(offer));
}

void VariantListModel::setTicked(const std::vector<int>& rows, bool ticked) {
    for (const int row : rows)
        if (const Offer& offer = offers_[static_cast<std::size_t>(row)]; offer.why_not.empty())
            tick(offer, ticked);
    tellTicked();
}

void VariantListModel::toggle(const std::vector<int>& rows) {
    setTicked(rows, std::ranges::any_of(rows, [this](int row) {
                  const Offer& offer = offers_[static_cast<std::size_t>(row)];
                  return offer.why_not.empty() && !isTicked(offer);
              }));
}

bool VariantListModel::belongs(const Offer& offer, Choice choice) const {
    // Offers are ordered by rank: the first one that can run is a run's default.
    const auto isDefault = [](const Offer& one) { return one.why_not.empty() && isInitial(one); };
    switch (choice) {
        case Choice::all:
            return true;
        case Choice::fitting:
            return !offer.variant.by_name_only;
        case Choice::baseline:
            return offer.variant.baseline || &offer == &*std::ranges::find_if(offers_, isDefault);
        case Choice::own:
            return offer.variant.from_user() || std::ranges::any_of(offers_, [&](const Offer& one) {
                       return one.why_not.empty() && one.variant.from_user() &&
                              one.variant.base == offer.variant.id;
                   });
        case Choice::none:
            break;
    }
    return false;
}

void VariantListModel::choose(Choice choice) {
    for (const Offer& offer : offers_)
        // A variant that cannot run now starts from its initial state once it can.
        tick(offer, offer.why_not.empty() ? belongs(offer, choice) : isInitial(offer));
    tellTicked();
}

QStringList VariantListModel::off() const {
    return {off_.begin(), off_.end()};
}

bool VariantListModel::isTicked(const Offer& offer) const {
    return isInitial(offer) ? !off_.contains(idOf(offer)) : on_.contains(idOf(offer));
}

QStringList VariantListModel::ticked() const {
    QStringList ids;
    for (const Offer& offer : offers_)
        if (offer.why_not.empty() && isTicked(offer)) ids << idOf(offer);
    return ids;
}

int VariantListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(offers_.size());
}

int VariantListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString VariantListModel::about(const Offer& offer) const {
    if (!offer.why_not.empty()) return QString::fromStdString(offer.why_not);
    const QString title = QString::fromStdString(offer.variant.title);
    if (offer.variant.from_user()) return tr("yours: %1").arg(title);
    if (offer.variant.baseline) return tr("baseline: %1").arg(title);
    if (offer.variant.by_name_only) return tr("runs only if you choose it: %1").arg(title);
    return title;
}

QVariant VariantListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Offer& offer = offers_[static_cast<std::size_t>(index.row())];
    const bool usable = offer.why_not.empty();
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == NameColumn ? idOf(offer) : about(offer);
        case Qt::CheckStateRole:
            if (index.column() != NameColumn) return {};
            return usable && isTicked(offer) ? Qt::Checked : Qt::Unchecked;
        case Qt::ToolTipRole: {
            QString text =
                idOf(offer) + QLatin1Char('\n') + QString::fromStdString(offer.variant.description);
            if (offer.variant.from_user())
                text += tr("\nThe kernel is read from %1 and launched like %2")
                            .arg(QString::fromStdString(offer.variant.user_file),
                                 QString::fromStdString(offer.variant.base));
            return usable ? text
                          : text + tr("\nCannot run now: %1").arg(QString::fromStdString(offer.why_not));
        }
        case Qt::AccessibleDescriptionRole:
            return about(offer);
        case Qt::ForegroundRole:
            if (!usable || index.column() == AboutColumn)
                return QGuiApplication::palette().color(QPalette::PlaceholderText);
            return {};
        default:
            return {};
    }
}

bool VariantListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || index.column() != NameColumn) return false;
    const Offer& offer = offers_[static_cast<std::size_t>(index.row())];
    if (!offer.why_not.empty()) return false;
    tick(offer, value.toInt() == Qt::Checked);
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit tickedChanged();
    return true;
}

QVariant VariantListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == NameColumn ? tr("Variant") : tr("Idea");
}

Qt::ItemFlags VariantListModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const bool usable = offers_[static_cast<std::size_t>(index.row())].why_not.empty();
    // One that cannot run still says why.
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    if (index.column() == NameColumn && usable) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

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
        tr("Ticked variants are timed. A new kernel of yours is not ticked until you tick it. Grey variants "
           "cannot run on the chosen devices or do not support the problem; the reason is next to their "
           "name. Space ticks or unticks all selected rows."));
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
