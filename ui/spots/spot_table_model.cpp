#include "ui/spots/spot_table_model.h"

#include <QColor>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace ks::ui::spots {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct ColumnText {
    const char *key, *name, *unit, *story;
};

constexpr std::array<ColumnText, SpotTableModel::ColumnCount> columns{{
    {"number", "#", "", "Number of the spot, by its first pixel"},
    {"frame", "Frames", "", "First to last frame with a signal pixel of the spot, counted from 0"},
    {"x", "x", "px", "Centroid weighted with counts; the first pixel spans 0 to 1"},
    {"y", "y", "px", "Centroid weighted with counts; the first pixel spans 0 to 1"},
    {"z", "z", "frames", "Centroid weighted with counts; the middle of frame 7 is 7.5"},
    {"pixels", "Pixels", "", "Signal pixels"},
    {"sum", "Sum", "counts", "Counts of the signal pixels, background included"},
    {"peak", "Peak", "counts", "Counts of the brightest pixel"},
    {"background", "Backgr.", "counts/px", "Background: mean of the valid pixels around that are no signal"},
    {"i_sigma", "I/\u03c3", "",
     "(sum - pixels * background) / sqrt(sum): the counting error of the sum alone"},
    {"d", "d", "\u00c5", "Resolution"},
    {"q", "q", "1/\u00c5", "Scattering vector"},
    {"var_x", "var x", "px\u00b2", "Variance of the counts around the centroid"},
    {"var_y", "var y", "px\u00b2", "Variance of the counts around the centroid"},
    {"var_z", "var z", "frames\u00b2", "Variance of the counts around the centroid"},
    {"why", "Kept", "", "Whether the spot is kept, or why it was dropped"},
}};

const ColumnText& of(SpotTableModel::Column column) {
    return columns[static_cast<std::size_t>(column)];
}

/// As many places that four digits are seen, at most `places`: the digits of a column stay below each other.
QString fixed(double value, int places) {
    if (!std::isfinite(value)) return QStringLiteral("\u2013");
    const double size = std::abs(value);
    const int whole = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    return QString::number(value, 'f', std::clamp(places, 0, std::max(0, 4 - whole)));
}

/// Counts are whole, but frames may hold real numbers.
QString counts(double value) {
    if (!std::isfinite(value)) return QStringLiteral("\u2013");
    if (value == std::floor(value)) return QString::number(value, 'f', 0);
    return fixed(value, 3);
}

QString frames(double first, double last) {
    const QString from = QString::number(first, 'f', 0);
    return first == last ? from : from + QStringLiteral("\u2013") + QString::number(last, 'f', 0);
}

}  // namespace

double significance(const ks::spots::Spot& spot) {
    if (!(spot.sum > 0)) return unknown;
    return (spot.sum - static_cast<double>(spot.n_signal) * spot.background) / std::sqrt(spot.sum);
}

void SpotTableModel::setSpots(std::vector<ks::spots::Spot> spots, int firstFrame) {
    beginResetModel();
    spots_ = std::move(spots);
    firstFrame_ = firstFrame;
    order_.resize(spots_.size());
    std::iota(order_.begin(), order_.end(), 0);
    arrange();
    rows_ = order_;
    place();
    endResetModel();
}

void SpotTableModel::setAccepted(const std::function<bool(int spot)>& accepts) {
    beginResetModel();
    rows_.clear();
    for (const int spot : order_)
        if (!accepts || accepts(spot)) rows_.push_back(spot);
    place();
    endResetModel();
}

void SpotTableModel::arrange() {
    if (sortColumn_ < 0) {
        std::sort(order_.begin(), order_.end());
        return;
    }
    const bool up = sortOrder_ == Qt::AscendingOrder;
    std::vector<double> keys(spots_.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = number(static_cast<int>(i), static_cast<Column>(sortColumn_));
    const auto known = std::stable_partition(order_.begin(), order_.end(), [&](int spot) {
        return !std::isnan(keys[static_cast<std::size_t>(spot)]);
    });
    std::stable_sort(order_.begin(), known, [&](int a, int b) {
        const double first = keys[static_cast<std::size_t>(a)], second = keys[static_cast<std::size_t>(b)];
        return up ? first < second : second < first;
    });
}

void SpotTableModel::place() {
    at_.assign(spots_.size(), -1);
    for (std::size_t row = 0; row < rows_.size(); ++row)
        at_[static_cast<std::size_t>(rows_[row])] = static_cast<int>(row);
}

void SpotTableModel::sort(int column, Qt::SortOrder order) {
    // A header may ask twice for one click.
    if (column >= ColumnCount || (column == sortColumn_ && order == sortOrder_)) return;
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> held;
    for (const QModelIndex& index : before) held.push_back(spotAt(index.row()));
    sortColumn_ = column;
    sortOrder_ = order;
    const std::vector<std::int32_t> shown = at_;
    arrange();
    rows_.clear();
    for (const int spot : order_)
        if (shown[static_cast<std::size_t>(spot)] >= 0) rows_.push_back(spot);
    place();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(rowOf(held[static_cast<std::size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

int SpotTableModel::rowOf(int spot) const {
    return spot < 0 || static_cast<std::size_t>(spot) >= at_.size() ? -1
                                                                    : at_[static_cast<std::size_t>(spot)];
}

double SpotTableModel::number(int spot, Column column) const {
    const ks::spots::Spot& s = spots_[static_cast<std::size_t>(spot)];
    switch (column) {
        case NumberColumn:
            return spot + 1;
        case FramesColumn:
            return firstFrame_ + static_cast<double>(s.z0);
        case XColumn:
            return s.x;
        case YColumn:
            return s.y;
        case ZColumn:
            return firstFrame_ + s.z;
        case PixelsColumn:
            return static_cast<double>(s.n_signal);
        case SumColumn:
            return s.sum;
        case PeakColumn:
            return s.peak;
        case BackgroundColumn:
            return s.background;
        case SignificanceColumn:
            return significance(s);
        case DColumn:
            return s.d;
        case QColumn:
            return s.q;
        case VarXColumn:
            return s.var_x;
        case VarYColumn:
            return s.var_y;
        case VarZColumn:
            return s.var_z;
        case KeptColumn:
            return static_cast<double>(s.dropped);
        case ColumnCount:
            break;
    }
    return unknown;
}

double SpotTableModel::lastFrame(int spot) const {
    return firstFrame_ + static_cast<double>(spots_[static_cast<std::size_t>(spot)].z1) - 1;
}

QString SpotTableModel::text(int spot, Column column) const {
    const double value = number(spot, column);
    switch (column) {
        case NumberColumn:
        case PixelsColumn:
            return QString::number(value, 'f', 0);
        case FramesColumn:
            return frames(value, lastFrame(spot));
        case XColumn:
        case YColumn:
        case ZColumn:
            // A centroid is good to sqrt(var / sum), some hundredths of a pixel; also where x has four
            // digits.
            return std::isfinite(value) ? QString::number(value, 'f', 2) : fixed(value, 2);
        case SumColumn:
        case PeakColumn:
            return counts(value);
        case SignificanceColumn:
            return fixed(value, 1);
        case QColumn:
            return std::isfinite(value) ? QString::number(value, 'f', 4) : fixed(value, 4);
        case DColumn:
            return fixed(value, 3);
        case KeptColumn:
            return whyText(spots_[static_cast<std::size_t>(spot)].dropped);
        default:
            return fixed(value, 2);
    }
}

QString SpotTableModel::whyText(ks::spots::Dropped why) {
    using ks::spots::Dropped;
    switch (why) {
        case Dropped::kept:
            return tr("kept");
        case Dropped::too_small:
            return tr("too small");
        case Dropped::too_large:
            return tr("too large");
        case Dropped::far_peak:
            return tr("far peak");
        case Dropped::resolution:
            return tr("resolution");
        case Dropped::ice:
            return tr("ice");
    }
    return tr("unknown");
}

QString SpotTableModel::title(Column column) {
    const ColumnText& c = of(column);
    return *c.unit ? QStringLiteral("%1 (%2)").arg(QString::fromUtf8(c.name), QString::fromUtf8(c.unit))
                   : QString::fromUtf8(c.name);
}

QString SpotTableModel::story(Column column) {
    return QString::fromUtf8(of(column).story);
}

const char* SpotTableModel::key(Column column) {
    return of(column).key;
}

int SpotTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SpotTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SpotTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int spot = spotAt(index.row());
    const auto column = static_cast<Column>(index.column());
    const ks::spots::Spot& s = spots_[static_cast<std::size_t>(spot)];
    switch (role) {
        case Qt::DisplayRole:
            return text(spot, column);
        case numberRole:
            return number(spot, column);
        case Qt::TextAlignmentRole:
            return QVariant((column == KeptColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            // Grey of equal distance from black and white.
            return s.dropped == ks::spots::Dropped::kept ? QVariant() : QVariant(QColor(0x80, 0x80, 0x80));
        case Qt::ToolTipRole:
            return tr("Spot %1 in frame %2: x %3 to %4, y %5 to %6; peak at %7, %8 in frame %9")
                       .arg(spot + 1)
                       .arg(text(spot, FramesColumn))
                       .arg(s.x0)
                       .arg(s.x1)
                       .arg(s.y0)
                       .arg(s.y1)
                       .arg(s.peak_x)
                       .arg(s.peak_y)
                       .arg(firstFrame_ + static_cast<qint64>(s.peak_z)) +
                   (s.dropped == ks::spots::Dropped::kept ? QString()
                                                          : tr("; dropped: %1").arg(whyText(s.dropped)));
        default:
            return {};
    }
}

QVariant SpotTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    const ColumnText& c = columns[static_cast<std::size_t>(section)];
    // The unit below the name: many columns fit beside each other.
    if (role == Qt::DisplayRole)
        return QString::fromUtf8(c.name) + QLatin1Char('\n') + QString::fromUtf8(c.unit);
    if (role == Qt::ToolTipRole)
        return tr("%1\nIn filters: %2").arg(story(static_cast<Column>(section)), QString::fromUtf8(c.key));
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == KeptColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

}  // namespace ks::ui::spots
