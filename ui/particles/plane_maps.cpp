#include "ui/particles/plane_maps.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/particles/plane_painter.h"

namespace ks::ui::particles {
namespace {

const std::vector<Plane> everyPlane(allPlanes.begin(), allPlanes.end());
constexpr double reach = 5;    ///< pixels around a line within which it can be grabbed
constexpr double outside = 9;  ///< distance of its handle from the map

}  // namespace

PlaneMaps::PlaneMaps(QWidget* parent) : PannedCanvas(parent) {
    setAccessibleName(tr("Maps of the planes xy, xz and yz"));
    setWhatsThis(
        tr("The sum on three planes. Scrolling zooms and dragging pans all three; drag the line of a plane "
           "to move the plane; click to select the point through which the profiles run."));
    setToolTip(
        tr("Click a map to choose a point and see the profiles through it. Shift and an arrow key move the "
           "point by one target, Page Up and Page Down move it to another plane. Arrow keys pan, + and "
           "\u2212 zoom, Home shows all."));
    new Restyled(this, Restyled::By::paletteOrFont, [this] { arrange(); });
}

void PlaneMaps::setPicture(std::shared_ptr<const MapPicture> picture) {
    scene_.picture = std::move(picture);
    news_ = scene_.picture != nullptr;
    arrange();
}

void PlaneMaps::setGrid(const ks::particles::PlaneGrid& grid) {
    scene_.grid = grid;
    scene_.view.setWhole(grid.low, grid.high);
    arrange();
}

void PlaneMaps::setSources(std::shared_ptr<const SourceSet> sources, double fade) {
    if (sources != scene_.sources) {
        scene_.sources = std::move(sources);
        vector_ = 0;
        makeDots();
    }
    scene_.fade = fade;
    changed();
}

void PlaneMaps::setVector(std::size_t vector) {
    if (vector == vector_ || !scene_.sources || vector >= scene_.sources->points().n_vectors()) return;
    vector_ = vector;
    makeDots();
    changed();
}

void PlaneMaps::makeDots() {
    scene_.dots = scene_.sources ? sourceDots(*scene_.sources, maxDots, vector_) : std::vector<SourceDot>();
}

void PlaneMaps::setSourcesVisible(bool visible) {
    scene_.dotsVisible = visible;
    changed();
}

void PlaneMaps::setPicked(std::optional<PlanePosition> picked) {
    picked_ = picked;
    update();
}

void PlaneMaps::setEmptyText(const QString& text) {
    emptyText_ = text;
    showEmptyText();
}

void PlaneMaps::setNote(const QString& note) {
    if (scene_.note == note) return;
    scene_.note = note;
    changed();
}

void PlaneMaps::setReason(const QString& reason) {
    reason_ = reason;
    showEmptyText();
}

void PlaneMaps::showEmptyText() {
    scene_.emptyText = reason_.isEmpty() ? emptyText_ : reason_;
    changed();
}

void PlaneMaps::changed() {
    still_ = {};
    update();
    hoverAgain();
}

void PlaneMaps::arrange() {
    layout_ = PlanePainter::layoutFor(scene_, size(), font(), everyPlane);
    changed();
}

PicturePlace PlaneMaps::place() const {
    QRectF all;
    for (const QRectF& one : layout_.areas) all |= one;
    return {layout_.room, scene_.picture ? all : QRectF()};
}

std::optional<PlanePosition> PlaneMaps::positionAt(const QPointF& widget) const {
    for (const Plane plane : allPlanes)
        if (area(plane).contains(widget))
            return PlanePosition{plane, scene_.view.toPlane(plane, area(plane), widget)};
    return std::nullopt;
}

QRectF PlaneMaps::areaAt(const std::optional<QPointF>& widget) const {
    if (!widget) return area(Plane::xy);
    const auto at = positionAt(*widget);
    return at ? area(at->plane) : QRectF();
}

void PlaneMaps::zoomView(double factor, const QPointF& anchor) {
    if (const auto at = positionAt(anchor)) scene_.view.zoomBy(factor, scene_.placeOf(*at));
}

void PlaneMaps::panView(const QPointF& by, const QPointF& began) {
    for (const Plane map : allPlanes) {
        if (!around(map).contains(began)) continue;
        const PlaneAxes axes = axesOf(map);
        Place place{};
        place[static_cast<std::size_t>(axes.first)] = -by.x() / zoom();
        place[static_cast<std::size_t>(axes.second)] = by.y() / zoom();
        return scene_.view.panBy(place);
    }
}

QRectF PlaneMaps::around(Plane map) const {
    return area(map).adjusted(-reach, -outside, outside, reach);
}

std::optional<Plane> PlaneMaps::lineAt(const QPointF& widget) const {
    if (!scene_.sources) return std::nullopt;
    std::optional<Plane> nearest;
    double minimum = reach;
    for (const Plane map : allPlanes) {
        if (!around(map).contains(widget)) continue;
        const PlaneAxes axes = axesOf(map);
        for (const int axis : {axes.first, axes.second}) {
            const Plane across = planeAcross(axis);
            const double at = scene_.offset(across);
            const QPointF line = toWidget({map, {at, at}});
            const double distance =
                std::abs(axis == axes.first ? widget.x() - line.x() : widget.y() - line.y());
            if (distance > minimum) continue;
            minimum = distance;
            nearest = across;
        }
    }
    return nearest;
}

std::optional<std::size_t> PlaneMaps::sourceAt(const QPointF& widget) const {
    const auto below = positionAt(widget);
    if (!below || !scene_.dotsVisible) return std::nullopt;
    const PlaneAxes axes = axesOf(below->plane);
    for (auto dot = scene_.dots.rbegin(); dot != scene_.dots.rend(); ++dot) {
        const QPointF at = toWidget({below->plane,
                                     {dot->at[static_cast<std::size_t>(axes.first)],
                                      dot->at[static_cast<std::size_t>(axes.second)]}});
        if (std::hypot(at.x() - widget.x(), at.y() - widget.y()) <= dot->radius + 1) return dot->source;
    }
    return std::nullopt;
}

void PlaneMaps::hoverAt(const QPointF& widget) {
    below_ = lineAt(widget);
    pointer_ = positionAt(widget);
    update();
    if (pointer_)
        emit hovered(*pointer_);
    else
        emit hoverLeft();
}

void PlaneMaps::hoverEnded() {
    pointer_.reset();
    below_.reset();
    update();
    emit hoverLeft();
}

void PlaneMaps::updateCursor() {
    const std::optional<Plane> line = held_ ? held_ : below_;
    if (!line || panning() || spaceHeld()) return PannedCanvas::updateCursor();
    // A line is vertical if its plane cuts the map's first coordinate.
    const auto at = mouse() ? positionAt(*mouse()) : std::nullopt;
    setCursor(at && axesOf(at->plane).first == axesOf(*line).normal ? Qt::SplitHCursor : Qt::SplitVCursor);
}

bool PlaneMaps::takesPress(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || spaceHeld()) return held_.has_value();
    held_ = lineAt(event.position());
    grabbed_ = event.position();
    lineMoved_ = false;
    return held_.has_value();
}

void PlaneMaps::mouseMoveEvent(QMouseEvent* event) {
    if (!held_) return PannedCanvas::mouseMoveEvent(event);
    // The map where the drag started, even if it leaves that map.
    const QPointF began(std::clamp(grabbed_.x(), 0.0, width() - 1.0), grabbed_.y());
    const int axis = axesOf(*held_).normal;
    for (const Plane map : allPlanes) {
        const PlaneAxes axes = axesOf(map);
        if (!around(map).contains(began) || (axis != axes.first && axis != axes.second)) continue;
        const QPointF now = scene_.view.toPlane(map, area(map), event->position());
        const double to =
            std::clamp(axis == axes.first ? now.x() : now.y(), std::min(scene_.grid.low, scene_.grid.high),
                       std::max(scene_.grid.low, scene_.grid.high));
        if (to == scene_.offset(*held_) && lineMoved_) return;
        lineMoved_ = true;
        scene_.setOffset(*held_, to);
        pointer_.reset();
        update();
        emit planeDragged(*held_, to, false);
        return;
    }
}

bool PlaneMaps::takesRelease(const QMouseEvent& event) {
    if (!held_ || event.button() != Qt::LeftButton) return held_.has_value();
    const Plane held = *std::exchange(held_, std::nullopt);
    if (lineMoved_)
        emit planeDragged(held, scene_.offset(held), true);
    else
        clickedAt(event);
    return true;
}

void PlaneMaps::clickedAt(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return;
    if (const auto at = positionAt(event.position())) emit clicked(*at);
}

QString PlaneMaps::barText(const QPointF& widget) const {
    if (!scene_.picture) return {};
    const QRectF bar(layout_.bar, QPointF(width(), layout_.bar.y() + layout_.barHeight));
    return bar.contains(widget) ? scene_.picture->colours.beyond.text() : QString();
}

// On a map a tooltip would hide the values.
bool PlaneMaps::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto& help = static_cast<const QHelpEvent&>(*event);
        if (const QString text = barText(help.pos()); !text.isEmpty()) {
            QToolTip::showText(help.globalPos(), text, this);
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && positionAt(static_cast<QHelpEvent*>(event)->pos())) {
        event->ignore();
        return true;
    }
    return PannedCanvas::event(event);
}

bool PlaneMaps::movePicked(const QKeyEvent& event) {
    if (!scene_.picture) return false;
    const ks::particles::PlaneGrid& grid = scene_.picture->grid;
    const double step = grid.side > 1 ? (grid.high - grid.low) / static_cast<double>(grid.side - 1) : 0;
    // Until a point is selected, the intersection of the planes.
    PlanePosition at = picked_.value_or(PlanePosition{Plane::xy, {grid.x_of_yz, grid.y_of_xz}});
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    const int key = event.key();
    if (key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
        const PlaneAxes from = axesOf(at.plane);
        Place place{grid.x_of_yz, grid.y_of_xz, grid.z_of_xy};
        place[static_cast<std::size_t>(from.first)] = at.at.x();
        place[static_cast<std::size_t>(from.second)] = at.at.y();
        const auto planes = static_cast<int>(allPlanes.size());
        const int next = (static_cast<int>(at.plane) + (key == Qt::Key_PageDown ? 1 : planes - 1)) % planes;
        at.plane = allPlanes[static_cast<std::size_t>(next)];
        const PlaneAxes axes = axesOf(at.plane);
        at.at = {place[static_cast<std::size_t>(axes.first)], place[static_cast<std::size_t>(axes.second)]};
    } else if (shift && (key == Qt::Key_Left || key == Qt::Key_Right)) {
        at.at.rx() += key == Qt::Key_Right ? step : -step;
    } else if (shift && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        at.at.ry() += key == Qt::Key_Up ? step : -step;
    } else {
        return false;
    }
    at.at = {std::clamp(at.at.x(), grid.low, grid.high), std::clamp(at.at.y(), grid.low, grid.high)};
    emit clicked(at);
    return true;
}

void PlaneMaps::keyPressEvent(QKeyEvent* event) {
    if (movePicked(*event)) return;
    PannedCanvas::keyPressEvent(event);
}

void PlaneMaps::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const PlanePainter maps(scene_, QSizeF(size()), layout_, everyPlane, palette());
    if (still_.isNull()) {
        still_ = QPixmap(size() * devicePixelRatioF());
        still_.setDevicePixelRatio(devicePixelRatioF());
        QPainter first(&still_);
        first.setFont(font());
        maps.paintStill(first);
    }
    painter.drawPixmap(0, 0, still_);
    maps.paintMarks(painter, {pointer_, picked_, held_ ? held_ : below_});
    paintFocus(painter);
    if (std::exchange(news_, false)) emit painted();
}

void PlaneMaps::paintFigure(QCPPainter& painter, const QSize& size) const {
    paintPlanes(painter, size, everyPlane);
}

void PlaneMaps::paintPlanes(QCPPainter& painter, const QSize& size, const std::vector<Plane>& planes) const {
    painter.setFont(font());
    const MapLayout layout = PlanePainter::layoutFor(scene_, QSizeF(size), font(), planes);
    PlanePainter(scene_, QSizeF(size), layout, planes, printPalette()).paintStill(painter);
}

std::string PlaneMaps::csv() const {
    return csv(everyPlane);
}

std::string PlaneMaps::csv(const std::vector<Plane>& planes) const {
    std::string text = "plane,i,j,x,y,z,value\n";
    if (!scene_.picture) return text;
    const auto number = [&text](double value) {
        char digits[32];
        text += ',';
        text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    };
    for (const Plane plane : planes) {
        const std::string name = nameOf(plane).toStdString();
        const PlaneAxes axes = axesOf(plane);
        for (std::size_t i = 0; i < scene_.picture->grid.side; ++i)
            for (std::size_t j = 0; j < scene_.picture->grid.side; ++j) {
                Place place{};
                place[static_cast<std::size_t>(axes.first)] = scene_.picture->grid.at(i);
                place[static_cast<std::size_t>(axes.second)] = scene_.picture->grid.at(j);
                place[static_cast<std::size_t>(axes.normal)] = scene_.picture->field->offset(plane);
                text += name + ',' + std::to_string(i) + ',' + std::to_string(j);
                for (const double coordinate : place) number(coordinate);
                number(double{scene_.picture->value({plane, i, j})});
                text += '\n';
            }
    }
    return text;
}

}  // namespace ks::ui::particles
