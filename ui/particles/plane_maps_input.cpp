// What the mouse and the keys do on the maps.

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/particles/plane_maps.h"

namespace ks::ui::particles {
namespace {

constexpr double reach = 5;    ///< pixels from a line where a hand takes it
constexpr double outside = 9;  ///< its handle is this far outside of the map
constexpr double keyZoom = 1.5, keyPan = 0.125;

}  // namespace

std::optional<Plane> PlaneMaps::lineAt(const QPointF& widget) const {
    if (!sources_) return std::nullopt;
    std::optional<Plane> nearest;
    double minimum = reach;
    for (const Plane map : allPlanes) {
        if (!area(map).adjusted(-reach, -outside, outside, reach).contains(widget)) continue;
        const PlaneAxes axes = axesOf(map);
        for (const int axis : {axes.first, axes.second}) {
            const Plane across = planeAcross(axis);
            const double at = offset(across);
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
    if (!below || !dotsVisible_) return std::nullopt;
    const PlaneAxes axes = axesOf(below->plane);
    for (auto dot = dots_.rbegin(); dot != dots_.rend(); ++dot) {
        const QPointF at = toWidget({below->plane,
                                     {dot->at[static_cast<std::size_t>(axes.first)],
                                      dot->at[static_cast<std::size_t>(axes.second)]}});
        if (std::hypot(at.x() - widget.x(), at.y() - widget.y()) <= dot->radius + 1) return dot->source;
    }
    return std::nullopt;
}

void PlaneMaps::point(const QPointF& widget) {
    const std::optional<Plane> line = held_ ? held_ : lineAt(widget);
    if (line != below_) {
        below_ = line;
        if (!line) {
            unsetCursor();
        } else {
            // A line stands upright where its plane lies across the map's first coordinate.
            const auto below = positionAt(widget);
            const bool upright = below && axesOf(below->plane).first == axesOf(*line).normal;
            setCursor(upright ? Qt::SplitHCursor : Qt::SplitVCursor);
        }
        update();
    }
    pointer_ = positionAt(widget);
    update();
    if (pointer_)
        emit hovered(*pointer_);
    else
        emit hoverLeft();
}

void PlaneMaps::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
    pressed_ = last_ = event->position();
    panning_ = false;
    if (event->button() == Qt::LeftButton) held_ = lineAt(event->position());
}

void PlaneMaps::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (!pressed_) return point(at);
    if (!panning_ && (at - *pressed_).manhattanLength() < QApplication::startDragDistance() && !held_) return;
    const bool first = !panning_;
    panning_ = true;
    // The map where the hand began, also when it leaves it.
    const QPointF began(std::clamp(pressed_->x(), 0.0, width() - 1.0), pressed_->y());
    for (const Plane map : allPlanes) {
        const PlaneAxes axes = axesOf(map);
        if (!area(map).adjusted(-reach, -outside, outside, reach).contains(began)) continue;
        const QPointF now = view_.toPlane(map, area(map), at), before = view_.toPlane(map, area(map), *last_);
        if (held_) {
            const int axis = axesOf(*held_).normal;
            if (axis != axes.first && axis != axes.second) continue;
            const double to = std::clamp(axis == axes.first ? now.x() : now.y(),
                                         std::min(grid_.low, grid_.high), std::max(grid_.low, grid_.high));
            last_ = at;
            if (to == offset(*held_) && !first) return;
            setOffset(*held_, to);
            pointer_.reset();
            update();
            emit planeDragged(*held_, to, false);
            return;
        }
        Place by{};
        by[static_cast<std::size_t>(axes.first)] = before.x() - now.x();
        by[static_cast<std::size_t>(axes.second)] = before.y() - now.y();
        view_.panBy(by);
        last_ = at;
        return changed();
    }
}

void PlaneMaps::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = pressed_ && !panning_ && event->button() == Qt::LeftButton;
    const std::optional<Plane> held = std::exchange(held_, std::nullopt);
    const bool moved = std::exchange(panning_, false);
    pressed_ = last_ = std::nullopt;
    if (held && moved) emit planeDragged(*held, offset(*held), true);
    if (const auto at = positionAt(event->position()); click && at) emit clicked(*at);
}

void PlaneMaps::mouseDoubleClickEvent(QMouseEvent*) {
    pressed_ = std::nullopt;
    held_.reset();
    fit();
}

void PlaneMaps::wheelEvent(QWheelEvent* event) {
    const auto at = positionAt(event->position());
    if (!at || event->angleDelta().y() == 0) return event->ignore();
    view_.zoomBy(std::pow(2.0, event->angleDelta().y() / 240.0), placeOf(*at));
    changed();
    event->accept();
}

// On a map a tool tip would hide the values.
bool PlaneMaps::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && positionAt(static_cast<QHelpEvent*>(event)->pos())) {
        event->ignore();
        return true;
    }
    return QWidget::event(event);
}

bool PlaneMaps::movePicked(const QKeyEvent& event) {
    if (!picture_) return false;
    const ks::particles::PlaneGrid& grid = picture_->grid;
    const double step = grid.side > 1 ? (grid.high - grid.low) / static_cast<double>(grid.side - 1) : 0;
    // Until one is picked, the point where the planes meet.
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
    // The map below the cursor, else the first.
    const Plane map = pointer_ ? pointer_->plane : Plane::xy;
    const PlaneAxes axes = axesOf(map);
    const Place middle = placeOf(PlanePosition{map, view_.toPlane(map, area(map), area(map).center())});
    const auto pan = [&](int axis, double share) {
        Place by{};
        by[static_cast<std::size_t>(axis)] = share * view_.length();
        view_.panBy(by);
        changed();
    };
    switch (event->key()) {
        case Qt::Key_Home:
            return fit();
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            view_.zoomBy(keyZoom, middle);
            return changed();
        case Qt::Key_Minus:
            view_.zoomBy(1 / keyZoom, middle);
            return changed();
        case Qt::Key_Left:
            return pan(axes.first, -keyPan);
        case Qt::Key_Right:
            return pan(axes.first, keyPan);
        case Qt::Key_Up:
            return pan(axes.second, keyPan);
        case Qt::Key_Down:
            return pan(axes.second, -keyPan);
        default:
            QWidget::keyPressEvent(event);
    }
}

void PlaneMaps::leaveEvent(QEvent*) {
    if (pressed_) return;
    pointer_.reset();
    below_.reset();
    update();
    emit hoverLeft();
}

}  // namespace ks::ui::particles
