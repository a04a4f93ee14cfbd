// How the maps look.

#include <qcustomplot.h>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"
#include "ui/base/round_number.h"
#include "ui/image/colours/colour_bar.h"
#include "ui/image/view/halo.h"
#include "ui/particles/plane_maps.h"

namespace ks::ui::particles {

struct PlaneMaps::Figure {
    QSizeF size;
    std::vector<Plane> planes;
    MapLayout layout;
    QPalette palette;
};

namespace {

constexpr double gap = 8, handle = 6;
constexpr double faintest = 0.12;  ///< opacity of a source far from the plane
constexpr int maxTicks = 6;
constexpr double titleRoom = 90;  ///< at the left of the colour bar for its title

/// A plane has one colour: of its name and of its lines on the other maps.
QColor colourOf(Plane plane, bool dark) {
    constexpr int bins[] = {2, 4, 6};
    return binColour(bins[static_cast<int>(plane)], dark);
}

std::vector<double> ticksBetween(double low, double high) {
    return roundSteps(low, high, maxTicks);
}

}  // namespace

MapLayout PlaneMaps::layoutFor(const QSizeF& size, const QFont& font,
                               const std::vector<Plane>& planes) const {
    const QFontMetricsF metrics(font);
    const ColourScale scale = picture_ ? picture_->colours.scale : ColourScale();
    // Of the whole, whatever is in sight: maps do not jump when one zooms.
    double widest = metrics.horizontalAdvance(QStringLiteral("0.000"));
    if (grid_.low < grid_.high)
        for (const double tick : ticksBetween(grid_.low, grid_.high))
            widest = std::max(widest, metrics.horizontalAdvance(formatNumber(tick, 6)));
    return layOut(size, metrics.height(), widest, colourBarWidth(scale, QFontMetrics(font)), planes);
}

void PlaneMaps::paintDots(QPainter& painter, const Figure& figure, Plane plane) const {
    const QRectF area = figure.layout.areas[static_cast<std::size_t>(plane)];
    const PlaneAxes axes = axesOf(plane);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const double minimum = faintest * std::pow(crowding(dots_.size()), 2);
    for (const SourceDot& dot : dots_) {
        const QPointF at = view_.toScreen(
            plane, area,
            {dot.at[static_cast<std::size_t>(axes.first)], dot.at[static_cast<std::size_t>(axes.second)]});
        if (!area.adjusted(-dot.radius, -dot.radius, dot.radius, dot.radius).contains(at)) continue;
        const double away = std::abs(dot.at[static_cast<std::size_t>(axes.normal)] - offset(plane)) / fade_;
        const double opacity = std::max(minimum, std::exp(-away * away / 2));
        const QColor fill(dot.colour);
        painter.setOpacity(opacity);
        painter.setPen(QPen(dot.colour == 0xff000000 ? Qt::white : Qt::black, 1));
        painter.setBrush(fill);
        painter.drawEllipse(at, dot.radius, dot.radius);
    }
    painter.setOpacity(1);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void PlaneMaps::paintMap(QPainter& painter, const Figure& figure, Plane plane) const {
    const std::size_t index = static_cast<std::size_t>(plane);
    const QRectF area = figure.layout.areas[index];
    const QColor base = figure.palette.color(QPalette::Base), text = figure.palette.color(QPalette::Text);
    painter.save();
    painter.setClipRect(area);
    painter.fillRect(area, mixed(text, base, 0.05));
    if (picture_) {
        const ks::particles::PlaneGrid& grid = picture_->grid;
        // A value is in the middle of its square.
        const double half =
            grid.side > 1 ? (grid.high - grid.low) / static_cast<double>(grid.side - 1) / 2 : 0.5;
        const QRectF target(view_.toScreen(plane, area, {grid.low - half, grid.high + half}),
                            view_.toScreen(plane, area, {grid.high + half, grid.low - half}));
        const QImage& image = picture_->images[index];
        painter.setRenderHint(QPainter::SmoothPixmapTransform,
                              target.width() < image.width() && !picture_->colours.angles);
        painter.drawImage(target, image);
        painter.setRenderHint(QPainter::Antialiasing, true);
        double level = std::numeric_limits<double>::quiet_NaN();
        for (const Isoline& one : picture_->lines[index]) {
            if (one.level != level) {
                level = one.level;
                QColor ink = textOn(QColor(picture_->colours.at(level)));
                ink.setAlphaF(0.75F);
                painter.setPen(QPen(ink, 1));
            }
            QPolygonF line = one.line;
            for (QPointF& point : line) point = view_.toScreen(plane, area, point);
            painter.drawPolyline(line);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (dotsVisible_) paintDots(painter, figure, plane);
    if (picture_ && picture_->error && picture_->error->worst.plane == plane &&
        picture_->error->absolute > 0) {
        const QPointF at =
            view_.toScreen(plane, area, particles::placeOf(*picture_->field, picture_->error->worst));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(Qt::black, 4));
        painter.drawEllipse(at, 8, 8);
        painter.setPen(QPen(Qt::white, 2));
        painter.drawEllipse(at, 8, 8);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.restore();
    painter.setPen(mixed(text, base, 0.55));
    painter.drawRect(area.adjusted(-1, -1, 0, 0));
}

void PlaneMaps::paintAxes(QPainter& painter, const Figure& figure, Plane plane) const {
    const QRectF area = figure.layout.areas[static_cast<std::size_t>(plane)];
    const QFontMetricsF metrics(painter.font());
    const PlaneAxes axes = axesOf(plane);
    const QColor text = figure.palette.color(QPalette::Text);
    painter.setPen(text);
    double free = area.left() - 100;
    for (const double tick : ticksBetween(view_.low(axes.first), view_.high(axes.first))) {
        const double x = std::floor(area.left() + (tick - view_.low(axes.first)) * view_.pixels(area)) + 0.5;
        if (x > area.right()) continue;
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
        const QString number = formatNumber(tick, 6);
        const double wide = metrics.horizontalAdvance(number);
        // The last one stays clear of the first one of the map beside.
        const double from = std::clamp(x - wide / 2, area.left() - 6, area.right() + 6 - wide);
        if (from < free) continue;
        free = from + wide + 6;
        painter.drawText(QPointF(from, area.bottom() + 4 + metrics.ascent()), number);
    }
    const bool shared = sharesNumbers(plane, figure.planes);
    for (const double tick : ticksBetween(view_.low(axes.second), view_.high(axes.second))) {
        const double y =
            std::floor(area.bottom() - (tick - view_.low(axes.second)) * view_.pixels(area)) - 0.5;
        if (y < area.top()) continue;
        painter.drawLine(QPointF(area.left() - 4, y), QPointF(area.left() - 1, y));
        if (shared) continue;
        const QString number = formatNumber(tick, 6);
        painter.drawText(
            QPointF(area.left() - 6 - metrics.horizontalAdvance(number), y + metrics.capHeight() / 2),
            number);
    }
    const QString along = axisName(axes.first), up = axisName(axes.second);
    painter.drawText(QPointF(area.center().x() - metrics.horizontalAdvance(along) / 2,
                             area.bottom() + 4 + metrics.height() + metrics.ascent()),
                     along);
    // The name in the colour of the plane's lines on the other maps; over the numbers what they count, where
    // it takes no width from the maps.
    const double swatch = 10, top = area.top() - 16 - metrics.height() + 4;
    if (!shared)
        painter.drawText(QPointF(area.left() - 6 - metrics.horizontalAdvance(up), top + metrics.ascent()),
                         up);
    painter.fillRect(QRectF(area.left(), top + (metrics.height() - swatch) / 2, swatch, swatch),
                     colourOf(plane, isDark(figure.palette)));
    const double where = picture_ ? picture_->field->offset(plane) : offset(plane);
    const QString name =
        QStringLiteral("%1 at %2 = %3").arg(nameOf(plane), axisName(axes.normal), formatNumber(where, 4));
    painter.drawText(QPointF(area.left() + swatch + 6, top + metrics.ascent()),
                     metrics.elidedText(name, Qt::ElideRight, area.width() - swatch - 6));
}

// Where the other planes cut this one, with handles outside of the map.
void PlaneMaps::paintLines(QPainter& painter, const Figure& figure, Plane plane) const {
    const QRectF area = figure.layout.areas[static_cast<std::size_t>(plane)];
    const PlaneAxes axes = axesOf(plane);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const int axis : {axes.first, axes.second}) {
        const Plane across = planeAcross(axis);
        const double at = offset(across);
        if (at < view_.low(axis) || at > view_.high(axis)) continue;
        const QPointF on = view_.toScreen(plane, area, {at, at});
        const bool strong = held_ == across || (!held_ && below_ == across);
        const QColor colour = colourOf(across, isDark(figure.palette));
        const double width = strong ? 2.5 : 1.5;
        QPolygonF triangle;
        if (axis == axes.first) {
            haloLine(painter, {on.x(), area.top()}, {on.x(), area.bottom()}, colour, width);
            triangle << QPointF(on.x(), area.top() - 1)
                     << QPointF(on.x() - handle / 1.5, area.top() - 1 - handle)
                     << QPointF(on.x() + handle / 1.5, area.top() - 1 - handle);
        } else {
            haloLine(painter, {area.left(), on.y()}, {area.right(), on.y()}, colour, width);
            triangle << QPointF(area.right() + 1, on.y())
                     << QPointF(area.right() + 1 + handle, on.y() - handle / 1.5)
                     << QPointF(area.right() + 1 + handle, on.y() + handle / 1.5);
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(triangle);
        painter.setBrush(Qt::NoBrush);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void PlaneMaps::paintPicked(QPainter& painter, const Figure& figure, Plane plane) const {
    if (!picked_ || picked_->plane != plane) return;
    const QRectF area = figure.layout.areas[static_cast<std::size_t>(plane)];
    const QPointF at = view_.toScreen(plane, area, picked_->at);
    painter.save();
    painter.setClipRect(area);
    for (const auto& [colour, width] : {std::pair{Qt::black, 3.0}, std::pair{Qt::white, 1.0}}) {
        painter.setPen(QPen(colour, width, width > 2 ? Qt::SolidLine : Qt::DashLine));
        painter.setOpacity(width > 2 ? 0.35 : 1);
        painter.drawLine(QPointF(area.left(), at.y()), QPointF(area.right(), at.y()));
        painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    }
    painter.restore();
}

// The cursor's point, and on the other maps the coordinate that they have in common with it.
void PlaneMaps::paintPointer(QPainter& painter, const Figure& figure, Plane plane) const {
    if (!pointer_) return;
    const QRectF area = figure.layout.areas[static_cast<std::size_t>(plane)];
    const Place place = placeOf(*pointer_);
    const PlaneAxes axes = axesOf(plane), of = axesOf(pointer_->plane);
    const QPointF at = view_.toScreen(
        plane, area,
        {place[static_cast<std::size_t>(axes.first)], place[static_cast<std::size_t>(axes.second)]});
    painter.save();
    painter.setClipRect(area);
    const auto shared = [&](int axis) { return axis == of.first || axis == of.second; };
    if (plane != pointer_->plane) {
        if (shared(axes.first))
            haloLine(painter, {at.x(), area.top()}, {at.x(), area.bottom()}, Qt::white, 1);
        if (shared(axes.second))
            haloLine(painter, {area.left(), at.y()}, {area.right(), at.y()}, Qt::white, 1);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(Qt::black, 3.5));
        painter.drawEllipse(at, 4, 4);
        painter.setPen(QPen(Qt::white, 1.5));
        painter.drawEllipse(at, 4, 4);
    }
    painter.restore();
}

void PlaneMaps::paintStill(QPainter& painter, const Figure& figure) const {
    const QColor base = figure.palette.color(QPalette::Base), text = figure.palette.color(QPalette::Text);
    painter.fillRect(QRectF(QPointF(), figure.size), base);
    if (!picture_ && !sources_) {
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(QRectF(QPointF(), figure.size).adjusted(16, 16, -16, -16),
                         Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
        return;
    }
    for (const Plane plane : figure.planes) {
        paintMap(painter, figure, plane);
        paintAxes(painter, figure, plane);
    }
    if (!picture_) {
        const QRectF middle = figure.layout.areas[static_cast<std::size_t>(Plane::xz)];
        painter.setPen(mixed(text, base, 0.8));
        painter.drawText(middle.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, emptyText_);
        return;
    }
    const QFontMetricsF metrics(painter.font());
    const double height = figure.layout.barHeight;
    paintColourBar(painter, figure.layout.bar, height, picture_->colours.map,
                   picture_->colours.ticks(static_cast<int>(height / (2.2 * metrics.height()))), {},
                   figure.palette);
    // Over the bar, or where it is wider to the left of the bar's right edge.
    painter.setPen(text);
    const double width = colourBarWidth(picture_->colours.scale, QFontMetrics(painter.font())),
                 wide = std::min(metrics.horizontalAdvance(picture_->title), width + titleRoom),
                 left = figure.layout.bar.x() + std::min(0.0, width - wide);
    painter.drawText(QPointF(left, figure.layout.bar.y() - 16 - metrics.height() + 4 + metrics.ascent()),
                     metrics.elidedText(picture_->title, Qt::ElideRight, wide + 1));
    painter.setPen(QPen(text, 1));
    for (const double level : picture_->levels) {
        const double y =
            figure.layout.bar.y() + height - 1 - picture_->colours.scale.position(level) * (height - 1);
        painter.drawLine(QPointF(figure.layout.bar.x() - 4, y), QPointF(figure.layout.bar.x() - 1, y));
    }
}

void PlaneMaps::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Figure figure{QSizeF(size()), {allPlanes.begin(), allPlanes.end()}, layout_, palette()};
    if (still_.isNull()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        QPainter first(&still_);
        first.setFont(font());
        paintStill(first, figure);
    }
    painter.drawPixmap(0, 0, still_);
    if (sources_)
        for (const Plane plane : allPlanes) {
            paintLines(painter, figure, plane);
            if (!picture_) continue;
            paintPicked(painter, figure, plane);
            paintPointer(painter, figure, plane);
        }
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    if (std::exchange(news_, false)) emit painted();
}

void PlaneMaps::paintFigure(QCPPainter& painter, const QSize& size) const {
    paintPlanes(painter, size, std::vector<Plane>(allPlanes.begin(), allPlanes.end()));
}

void PlaneMaps::paintPlanes(QCPPainter& painter, const QSize& size, const std::vector<Plane>& planes) const {
    painter.setFont(font());
    const Figure figure{QSizeF(size), planes, layoutFor(QSizeF(size), font(), planes), printPalette()};
    paintStill(painter, figure);
}

}  // namespace ks::ui::particles
