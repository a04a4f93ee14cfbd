#include "ui/image/colours/histogram_bar.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr double side = 6;         ///< room for half a handle at both ends
constexpr double strip = 6;        ///< height of the colour strip
constexpr double knob = 8;         ///< height of a handle's grip
constexpr double reach = 8;        ///< a handle is grabbed within this distance
constexpr double usual = 0.001;    ///< share of the values that the linear axis leaves out at each end
constexpr double unitShare = 1e4;  ///< the asinh axis is linear over the first of this many parts

}  // namespace

HistogramBar::HistogramBar(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Histogram with colour limits"));
    setToolTip(
        tr("Drag the handles to set the limits. Up and Down choose a handle, Left and Right move the chosen "
           "handle."));
    tellName();
}

double HistogramBar::Axis::place(double value) const {
    if (linear) return (value - first) / (last - first);
    return std::asinh((value - first) / unit) / std::asinh((last - first) / unit);
}

double HistogramBar::Axis::value(double place) const {
    if (linear) return first + place * (last - first);
    return first + unit * std::sinh(place * std::asinh((last - first) / unit));
}

HistogramBar::Axis HistogramBar::axis() const {
    if (dragged_) return dragAxis_;
    Axis axis;
    axis.linear = scale_.kind == ScaleKind::linear;
    axis.first = std::min(axis.linear ? minUsual_ : min_, scale_.low);
    axis.last = std::max(axis.linear ? maxUsual_ : max_, scale_.high);
    if (!(axis.last > axis.first)) axis.last = axis.first + 1;
    axis.unit = (axis.last - axis.first) / unitShare;
    return axis;
}

QRectF HistogramBar::plot() const {
    return QRectF(rect()).adjusted(side, 1, -side, -1 - strip - knob);
}

double HistogramBar::positionOf(double value) const {
    return plot().left() + axis().place(value) * plot().width();
}

double HistogramBar::valueAt(double x) const {
    return axis().value((x - plot().left()) / plot().width());
}

void HistogramBar::setValues(std::vector<double> values, double largest) {
    values_ = std::move(values);
    std::erase_if(values_, [](double v) { return !std::isfinite(v); });
    stale_ = true;
    if (!values_.empty()) {
        const auto quantile = [this](double share) {
            auto at = values_.begin() + std::lround(share * static_cast<double>(values_.size() - 1));
            std::nth_element(values_.begin(), at, values_.end());
            return *at;
        };
        const auto [minimum, maximum] = std::minmax_element(values_.begin(), values_.end());
        min_ = *minimum;
        max_ = largest > *maximum ? largest : *maximum;
        minUsual_ = quantile(usual);
        maxUsual_ = quantile(1 - usual);
    }
    update();
}

void HistogramBar::setColourScale(const ColourScale& scale) {
    if (scale == scale_) return;
    scale_ = scale;
    stale_ = true;
    tellName();
    update();
}

void HistogramBar::setColourMap(const ColourMap& map) {
    colours_ = map;
    update();
}

void HistogramBar::count() {
    const auto bins = static_cast<std::size_t>(std::max(1.0, std::floor(plot().width() / 2)));
    if (!stale_ && counts_.size() == bins) return;
    counts_.assign(bins, 0);
    const Axis along = axis();
    for (const double value : values_) {
        const double place = std::clamp(along.place(value), 0.0, 1.0) * static_cast<double>(bins);
        ++counts_[std::min(static_cast<std::size_t>(place), bins - 1)];
    }
    stale_ = false;
}

void HistogramBar::tellName() {
    setAccessibleDescription(tr("lower limit %1, upper limit %2; chosen: %3")
                                 .arg(formatNumber(scale_.low), formatNumber(scale_.high),
                                      chosen_ == Handle::low ? tr("lower") : tr("upper")));
}

void HistogramBar::paintEvent(QPaintEvent*) {
    count();
    QPainter painter(this);
    const QColor base = palette().color(QPalette::Base), text = palette().color(QPalette::Text);
    const QRectF area = plot();
    painter.fillRect(area, base);
    const int maximum = *std::max_element(counts_.begin(), counts_.end());
    const double width = area.width() / static_cast<double>(counts_.size());
    const QColor bar = mixed(text, base, 0.6);
    for (std::size_t i = 0; i < counts_.size() && maximum > 0; ++i) {
        if (counts_[i] == 0) continue;
        // A single count must be visible.
        const double height =
            area.height() * std::log(1.0 + counts_[i] * 1.5) / std::log(1.0 + maximum * 1.5);
        painter.fillRect(
            QRectF(area.left() + static_cast<double>(i) * width, area.bottom() - height, width, height), bar);
    }
    for (int x = static_cast<int>(area.left()); x < static_cast<int>(area.right()); ++x) {
        const double place = scale_.position(valueAt(x + 0.5));
        painter.fillRect(QRectF(x, area.bottom() + 1, 1, strip - 1), QColor(colours_.at(place)));
    }
    painter.setPen(mixed(text, base, 0.35));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(-0.5, 0, 0.5, strip));

    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Handle handle : {Handle::low, Handle::high}) {
        const double x = positionOf(limit(handle));
        const bool active = handle == chosen_ && hasFocus();
        const QColor colour = active ? palette().color(QPalette::Highlight) : text;
        painter.setPen(QPen(colour, active ? 2 : 1.2));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + strip));
        QPainterPath grip(QPointF(x, area.bottom() + strip));
        grip.lineTo(x + 5, area.bottom() + strip + knob);
        grip.lineTo(x - 5, area.bottom() + strip + knob);
        grip.closeSubpath();
        painter.fillPath(grip, colour);
    }
}

std::optional<HistogramBar::Handle> HistogramBar::near(double x) const {
    const double low = std::abs(x - positionOf(scale_.low)), high = std::abs(x - positionOf(scale_.high));
    if (std::min(low, high) > reach) return std::nullopt;
    // Where both handles coincide, take the one that can still move to this side.
    if (low == high) return x < positionOf(scale_.low) ? Handle::low : Handle::high;
    return low < high ? Handle::low : Handle::high;
}

void HistogramBar::choose(Handle handle) {
    chosen_ = handle;
    tellName();
    update();
}

void HistogramBar::moveTo(double x) {
    const QRectF area = plot();
    x = std::clamp(x, area.left(), area.right());
    // The handles never cross.
    if (chosen_ == Handle::low) x = std::min(x, positionOf(scale_.high) - 1);
    if (chosen_ == Handle::high) x = std::max(x, positionOf(scale_.low) + 1);
    // As many digits as one pixel resolves.
    const double digit =
        std::pow(10.0, std::floor(std::log10(std::abs(valueAt(x + 0.5) - valueAt(x - 0.5)))));
    const double value = std::round(valueAt(x) / digit) * digit;
    ColourScale scale = scale_;
    (chosen_ == Handle::low ? scale.low : scale.high) = value;
    if (!(scale.low < scale.high) || scale == scale_) return;
    scale.automatic = false;
    setColourScale(scale);
    emit limitsEdited(scale.low, scale.high);
}

void HistogramBar::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto handle = near(event->position().x());
    if (!handle) return;
    choose(*handle);
    dragAxis_ = axis();
    dragged_ = event->position().x() - positionOf(limit(*handle));
}

void HistogramBar::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_) return moveTo(event->position().x() - *dragged_);
    setCursor(near(event->position().x()) ? Qt::SizeHorCursor : Qt::ArrowCursor);
}

void HistogramBar::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragged_) return;
    dragged_.reset();
    stale_ = true;
    update();
}

void HistogramBar::keyPressEvent(QKeyEvent* event) {
    const double x = positionOf(limit(chosen_));
    switch (event->key()) {
        case Qt::Key_Up:
            return choose(Handle::high);
        case Qt::Key_Down:
            return choose(Handle::low);
        case Qt::Key_Left:
            return moveTo(x - 1);
        case Qt::Key_Right:
            return moveTo(x + 1);
        case Qt::Key_PageUp:
            return moveTo(x + 10);
        case Qt::Key_PageDown:
            return moveTo(x - 10);
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace ks::ui
