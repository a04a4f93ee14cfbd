#include "ui/spots/spot_table_model.h"

#include <QColor>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ks::ui::spots {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<ColumnText, SpotTableModel::ColumnCount> columns{{
    {"number", "#", "", "Number of the spot, in the order of first pixels"},
    {"frame", "Frames", "", "First to last frame with a signal pixel of the spot, counted from 0"},
    {"x", "x", "px", "Count-weighted centroid; the first pixel spans 0 to 1"},
    {"y", "y", "px", "Count-weighted centroid; the first pixel spans 0 to 1"},
    {"z", "z", "frames", "Count-weighted centroid; the middle of frame 7 is at 7.5"},
    {"pixels", "Pixels", "", "Signal pixels"},
    {"sum", "Sum", "counts", "Counts of the signal pixels, including background"},
    {"peak", "Peak", "counts", "Counts of the brightest pixel"},
    {"background", "Bkg", "counts/px", "Background: mean of the surrounding valid non-signal pixels"},
    {"i_sigma", "I/\u03c3", "",
     "(sum - pixels * background) / sqrt(sum): uses only the counting error of the sum"},
    {"d", "d", "\u00c5", "Resolution"},
    {"q", "q", "1/\u00c5", "Scattering vector"},
    {"var_x", "var x", "px\u00b2", "Variance of the counts around the centroid"},
    {"var_y", "var y", "px\u00b2", "Variance of the counts around the centroid"},
    {"var_z", "var z", "frames\u00b2", "Variance of the counts around the centroid"},
    {"saturated", "Saturated", "px", "Saturated pixels in or next to the spot, excluded from the sums"},
    {"why", "Kept", "", "Whether the spot is kept, or why it was dropped"},
}};

const ColumnText& of(SpotTableModel::Column column) {
    return columns[static_cast<std::size_t>(column)];
}

/// Decimal places for four significant digits, at most `places`, so that the digits of a column line up.
QString fixed(double value, int places) {
    if (!std::isfinite(value)) return QStringLiteral("\u2013");
    const double size = std::abs(value);
    const int whole = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    return QString::number(value, 'f', std::clamp(places, 0, std::max(0, 4 - whole)));
}

/// Counts are integers, but frames may contain real numbers.
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
    resetItems(spots_.size());
    endResetModel();
}

double SpotTableModel::number(int spot, int column) const {
    const ks::spots::Spot& s = spots_[static_cast<std::size_t>(spot)];
    switch (static_cast<Column>(column)) {
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
        case SaturatedColumn:
            return static_cast<double>(s.saturated);
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

std::pair<double, double> SpotTableModel::range(int spot, int column) const {
    if (column == FramesColumn) return {number(spot, column), lastFrame(spot)};
    return OrderedTableModel::range(spot, column);
}

std::vector<std::string> SpotTableModel::csvKeys(int column) const {
    if (column == FramesColumn) return {"first_frame", "last_frame"};
    return OrderedTableModel::csvKeys(column);
}

QString SpotTableModel::text(int spot, int column) const {
    const double value = number(spot, column);
    switch (static_cast<Column>(column)) {
        case NumberColumn:
        case PixelsColumn:
        case SaturatedColumn:
            return QString::number(value, 'f', 0);
        case FramesColumn:
            return frames(value, lastFrame(spot));
        case XColumn:
        case YColumn:
        case ZColumn:
            // A centroid is accurate to sqrt(var / sum), some hundredths of a pixel, even if x
            // has four digits.
            return std::isfinite(value) ? QString::number(value, 'f', 2) : fixed(value, 2);
        case SumColumn:
        case PeakColumn:
            return counts(value);
        case SignificanceColumn:
            return fixed(value, 1);
        case QColumn:
            return std::isfinite(value) ? QString::number(value, 'f', 4) : fixed(value, 4);
        case DColumn:
        case VarXColumn:
        case VarYColumn:
        case VarZColumn:
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
    return of(column).title();
}

QString SpotTableModel::description(Column column) {
    return QString::fromUtf8(of(column).description);
}

const char* SpotTableModel::key(Column column) {
    return of(column).key;
}

const ColumnText& SpotTableModel::columnText(int column) const {
    return of(static_cast<Column>(column));
}

int SpotTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SpotTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int spot = spotAt(index.row());
    const ks::spots::Spot& s = spots_[static_cast<std::size_t>(spot)];
    switch (role) {
        case Qt::ForegroundRole:
            // A grey equally far from black and white.
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
            return OrderedTableModel::data(index, role);
    }
}

}  // namespace ks::ui::spots
