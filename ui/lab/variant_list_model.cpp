#include "ui/lab/variant_list_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>

namespace ks::ui::lab {
namespace {

QString idOf(const Offer& offer) {
    return QString::fromStdString(offer.variant.id);
}

}  // namespace

void VariantListModel::setOffers(const std::vector<std::vector<Offer>>& offers) {
    beginResetModel();
    offers_.clear();
    for (const std::vector<Offer>& ofDevice : offers)
        for (const Offer& offer : ofDevice) {
            const auto known = std::ranges::find_if(
                offers_, [&](const Offer& one) { return one.variant.id == offer.variant.id; });
            if (known == offers_.end())
                offers_.push_back(offer);
            else if (offer.why_not.empty())
                known->why_not.clear();
        }
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

void VariantListModel::tick(const Offer& offer, bool ticked) {
    QSet<QString>& set = offer.variant.by_name_only ? on_ : off_;
    if (ticked == offer.variant.by_name_only)
        set.insert(idOf(offer));
    else
        set.remove(idOf(offer));
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
    const auto isDefault = [](const Offer& one) {
        return one.why_not.empty() && !one.variant.by_name_only && !one.variant.from_user();
    };
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
        tick(offer, offer.why_not.empty() ? belongs(offer, choice) : !offer.variant.by_name_only);
    tellTicked();
}

QStringList VariantListModel::off() const {
    return {off_.begin(), off_.end()};
}

bool VariantListModel::isTicked(const Offer& offer) const {
    return offer.variant.by_name_only ? on_.contains(idOf(offer)) : !off_.contains(idOf(offer));
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
    if (offer.variant.by_name_only) return tr("by name only: %1").arg(title);
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
                text += tr("\nThe text is read from %1 and launched as %2")
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

}  // namespace ks::ui::lab
