#include "ui/particles/plane_painter.h"

#include <QMarginsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/base/palette.h"
#include "ui/base/round_number.h"
#include "ui/image/view/colour_bar.h"
#include "ui/image/view/halo.h"
#include "ui/plots/plot_text.h"

namespace ks::ui::particles {

namespace {

constexpr double handle = 6;
constexpr double faintest = 0.12;  ///< opacity of a source far from the plane
constexpr int maxTicks = 6;
constexpr double titleRoom = 90;  ///< to the left of the colour bar for its title

/// Each plane has one colour, for its name and for its lines on the other maps.
QColor colourOf(Plane plane, bool dark) {
    constexpr int bins[] = {2, 4, 6};
    return binColour(bins[static_cast<int>(plane)], dark);
}

std::vector<double> ticksBetween(double low, double high) {
    return roundSteps(low, high, maxTicks);
}

/// The first name that fits the width; if none does, the last one in a smaller font. None is cut.
void paintName(QPainter& painter, const QStringList& names, const QPointF& at, double width) {
    const QFont font = painter.font();
    const QFontMetricsF metrics(font);
    for (const QString& name : names)
        if (metrics.horizontalAdvance(name) <= width) return painter.drawText(at, name);
    QFont smaller = font;
    const double share = std::clamp(width / metrics.horizontalAdvance(names.last()), 0.4, 1.0);
    if (font.pointSizeF() > 0)
        smaller.setPointSizeF(font.pointSizeF() * share);
    else
        smaller.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * share)));
    painter.setFont(smaller);
    painter.drawText(at, names.last());
    painter.setFont(font);
}

}  // namespace

MapLayout PlanePainter::layoutFor(const PlaneScene& scene, const QSizeF& size, const QFont& font,
                                  const std::vector<Plane>& planes) {
    const QFontMetricsF metrics(font);
    const ColourScale scale = scene.picture ? scene.picture->colours.scale : ColourScale();
    // For the whole cube, regardless of the zoom, so that maps do not jump while zooming.
    double widest = metrics.horizontalAdvance(QStringLiteral("0.000"));
    if (scene.grid.low < scene.grid.high)
        for (const double tick : ticksBetween(scene.grid.low, scene.grid.high))
            widest = std::max(widest, metrics.horizontalAdvance(formatNumber(tick, 6)));
    return layOut(size, metrics.height(), widest, colourBarWidth(scale, QFontMetrics(font)), planes);
}

void PlanePainter::paintDots(QPainter& painter, Plane plane) const {
    const QRectF area = this->area(plane);
    const PlaneAxes axes = axesOf(plane);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const double minimum = faintest * std::pow(crowding(scene_.dots.size()), 2);
    for (const SourceDot& dot : scene_.dots) {
        const QPointF at = scene_.view.toScreen(
            plane, area,
            {dot.at[static_cast<std::size_t>(axes.first)], dot.at[static_cast<std::size_t>(axes.second)]});
        if (!area.adjusted(-dot.radius, -dot.radius, dot.radius, dot.radius).contains(at)) continue;
        const double away =
            std::abs(dot.at[static_cast<std::size_t>(axes.normal)] - scene_.offset(plane)) / scene_.fade;
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

void PlanePainter::paintMap(QPainter& painter, Plane plane) const {
    const std::size_t index = static_cast<std::size_t>(plane);
    const QRectF area = this->area(plane);
    const QColor base = palette_.color(QPalette::Base), text = palette_.color(QPalette::Text);
    painter.save();
    painter.setClipRect(area);
    painter.fillRect(area, mixed(text, base, 0.05));
    if (scene_.picture) {
        const ks::particles::PlaneGrid& grid = scene_.picture->grid;
        // A value is at the centre of its square.
        const double half =
            grid.side > 1 ? (grid.high - grid.low) / static_cast<double>(grid.side - 1) / 2 : 0.5;
        const QRectF target(scene_.view.toScreen(plane, area, {grid.low - half, grid.high + half}),
                            scene_.view.toScreen(plane, area, {grid.high + half, grid.low - half}));
        const QImage& image = scene_.picture->images[index];
        painter.setRenderHint(QPainter::SmoothPixmapTransform,
                              target.width() < image.width() && !scene_.picture->colours.angles);
        painter.drawImage(target, image);
        painter.setRenderHint(QPainter::Antialiasing, true);
        double level = std::numeric_limits<double>::quiet_NaN();
        for (const Isoline& one : scene_.picture->lines[index]) {
            if (one.level != level) {
                level = one.level;
                QColor ink = textOn(QColor(scene_.picture->colours.at(level)));
                ink.setAlphaF(0.75F);
                painter.setPen(QPen(ink, 1));
            }
            QPolygonF line = one.line;
            for (QPointF& point : line) point = scene_.view.toScreen(plane, area, point);
            painter.drawPolyline(line);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (scene_.dotsVisible) paintDots(painter, plane);
    if (scene_.picture && scene_.picture->error && scene_.picture->error->worst.plane == plane &&
        scene_.picture->error->absolute > 0) {
        const QPointF at = scene_.view.toScreen(
            plane, area, particles::placeOf(*scene_.picture->field, scene_.picture->error->worst));
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

void PlanePainter::paintAxes(QPainter& painter, Plane plane) const {
    const QRectF area = this->area(plane);
    const QFontMetricsF metrics(painter.font());
    const PlaneAxes axes = axesOf(plane);
    const QColor text = palette_.color(QPalette::Text);
    painter.setPen(text);
    double free = area.left() - 100;
    for (const double tick : ticksBetween(scene_.view.low(axes.first), scene_.view.high(axes.first))) {
        const double x =
            std::floor(area.left() + (tick - scene_.view.low(axes.first)) * scene_.view.pixels(area)) + 0.5;
        if (x > area.right()) continue;
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3));
        const QString number = formatNumber(tick, 6);
        const double wide = metrics.horizontalAdvance(number);
        // The last number keeps clear of the first one of the neighbouring map.
        const double from = std::clamp(x - wide / 2, area.left() - 6, area.right() + 6 - wide);
        if (from < free) continue;
        free = from + wide + 6;
        painter.drawText(QPointF(from, area.bottom() + 4 + metrics.ascent()), number);
    }
    const bool shared = sharesNumbers(plane, planes_);
    for (const double tick : ticksBetween(scene_.view.low(axes.second), scene_.view.high(axes.second))) {
        const double y =
            std::floor(area.bottom() - (tick - scene_.view.low(axes.second)) * scene_.view.pixels(area)) -
            0.5;
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
    // The name in the colour of the plane's lines on the other maps; the quantity above the numbers, if it
    // takes no width from the maps.
    const double swatch = 10, top = area.top() - 16 - metrics.height() + 4;
    if (!shared)
        painter.drawText(QPointF(area.left() - 6 - metrics.horizontalAdvance(up), top + metrics.ascent()),
                         up);
    painter.fillRect(QRectF(area.left(), top + (metrics.height() - swatch) / 2, swatch, swatch),
                     colourOf(plane, isDark(palette_)));
    const ks::particles::PlaneGrid& grid = scene_.picture ? scene_.picture->grid : scene_.grid;
    const QString position = positionText(
        scene_.picture ? scene_.picture->field->offset(plane) : scene_.offset(plane), grid.high - grid.low);
    paintName(painter,
              {QStringLiteral("%1 at %2 = %3").arg(nameOf(plane), axisName(axes.normal), position),
               QStringLiteral("%1 = %2").arg(axisName(axes.normal), position)},
              QPointF(area.left() + swatch + 6, top + metrics.ascent()), area.width() - swatch - 6);
}

// Where the other planes cut this one, with handles outside the map.
void PlanePainter::paintLines(QPainter& painter, Plane plane, const std::optional<Plane>& strong) const {
    const QRectF area = this->area(plane);
    const PlaneAxes axes = axesOf(plane);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const int axis : {axes.first, axes.second}) {
        const Plane across = planeAcross(axis);
        const double at = scene_.offset(across);
        if (at < scene_.view.low(axis) || at > scene_.view.high(axis)) continue;
        const QPointF on = scene_.view.toScreen(plane, area, {at, at});
        const QColor colour = colourOf(across, isDark(palette_));
        const double width = strong == across ? 2.5 : 1.5;
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

void PlanePainter::paintPicked(QPainter& painter, Plane plane, const PlanePosition& picked) const {
    if (picked.plane != plane) return;
    const QRectF area = this->area(plane);
    const QPointF at = scene_.view.toScreen(plane, area, picked.at);
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

// The point under the cursor and, on the other maps, the coordinate that they share with it.
void PlanePainter::paintPointer(QPainter& painter, Plane plane, const PlanePosition& pointer) const {
    const QRectF area = this->area(plane);
    const Place place = scene_.placeOf(pointer);
    const PlaneAxes axes = axesOf(plane), of = axesOf(pointer.plane);
    const QPointF at = scene_.view.toScreen(
        plane, area,
        {place[static_cast<std::size_t>(axes.first)], place[static_cast<std::size_t>(axes.second)]});
    painter.save();
    painter.setClipRect(area);
    const auto shared = [&](int axis) { return axis == of.first || axis == of.second; };
    if (plane != pointer.plane) {
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

void PlanePainter::paintStill(QPainter& painter) const {
    const QColor base = palette_.color(QPalette::Base), text = palette_.color(QPalette::Text);
    painter.fillRect(QRectF(QPointF(), size_), base);
    if (!scene_.picture && !scene_.sources) {
        painter.setPen(mixed(text, base, 0.7));
        painter.drawText(QRectF(QPointF(), size_).adjusted(16, 16, -16, -16),
                         Qt::AlignCenter | Qt::TextWordWrap, scene_.emptyText);
        return;
    }
    for (const Plane plane : planes_) {
        paintMap(painter, plane);
        paintAxes(painter, plane);
    }
    if (!scene_.picture) {
        painter.setPen(mixed(text, base, 0.8));
        constexpr int how = Qt::AlignCenter | Qt::TextWordWrap;
        constexpr QMarginsF margin(16, 16, 16, 16);
        // On the map in the middle, or over all of them if the text is too long for one.
        QRectF room = area(planes_[planes_.size() / 2]).marginsRemoved(margin);
        if (!room.contains(painter.boundingRect(room, how, scene_.emptyText)))
            room = QRectF(QPointF(), size_).marginsRemoved(margin);
        painter.drawText(room, how, scene_.emptyText);
        return;
    }
    paintBar(painter);
    if (!scene_.note.isEmpty()) paintNote(painter);
}

// On the last map or, if it is longer, over the others.
void PlanePainter::paintNote(QPainter& painter) const {
    constexpr int beside = 16;
    QRectF line = area(planes_.back()).adjusted(4, 4, -4, 0);
    if (QFontMetricsF(painter.font()).horizontalAdvance(scene_.note) + beside > line.width())
        line.setLeft(area(planes_.front()).left() + 4);
    paintBadge(painter, line, scene_.note, palette_);
}

void PlanePainter::paintBar(QPainter& painter) const {
    const QColor text = palette_.color(QPalette::Text);
    const QFontMetricsF metrics(painter.font());
    const double height = layout_.barHeight;
    paintColourBar(painter, layout_.bar, height, scene_.picture->colours.map,
                   scene_.picture->colours.ticks(static_cast<int>(height / (2.2 * metrics.height()))), {},
                   palette_, scene_.picture->colours.beyond);
    // Above the bar or, if it is wider, to the left of the bar's right edge.
    painter.setPen(text);
    const double width = colourBarWidth(scene_.picture->colours.scale, QFontMetrics(painter.font())),
                 wide = std::min(metrics.horizontalAdvance(scene_.picture->title), width + titleRoom),
                 left = layout_.bar.x() + std::min(0.0, width - wide);
    painter.drawText(QPointF(left, layout_.bar.y() - 16 - metrics.height() + 4 + metrics.ascent()),
                     metrics.elidedText(scene_.picture->title, Qt::ElideRight, wide + 1));
    painter.setPen(QPen(text, 1));
    const QRectF scale = colourBarScale(layout_.bar, height, scene_.picture->colours.beyond);
    for (const double level : scene_.picture->levels) {
        const double y =
            scale.bottom() - 1 - scene_.picture->colours.scale.position(level) * (scale.height() - 1);
        painter.drawLine(QPointF(layout_.bar.x() - 4, y), QPointF(layout_.bar.x() - 1, y));
    }
}

void PlanePainter::paintMarks(QPainter& painter, const PlaneMarks& marks) const {
    if (!scene_.sources) return;
    for (const Plane plane : planes_) {
        paintLines(painter, plane, marks.line);
        if (!scene_.picture) continue;
        if (marks.picked) paintPicked(painter, plane, *marks.picked);
        if (marks.pointer) paintPointer(painter, plane, *marks.pointer);
    }
}

}  // namespace ks::ui::particles
