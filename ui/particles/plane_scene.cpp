#include "ui/particles/plane_scene.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "ui/base/palette.h"

namespace ks::ui::particles {
namespace {

constexpr double margin = 0.02;  ///< share of the whole, around it
constexpr double closest = 1e-5, farthest = 20;
constexpr double cubeGap = 8;

}  // namespace

void CubeView::setWhole(double low, double high) {
    if (!(high > low)) return;  // there is no such box: the form says so
    const bool same = low == low_ && high == high_;
    low_ = low;
    high_ = high;
    if (fitted_) return fit();
    if (!same) keepInside();
}

void CubeView::fit() {
    length_ = (high_ - low_) * (1 + 2 * margin);
    middle_.fill((low_ + high_) / 2);
    fitted_ = true;
}

void CubeView::zoomBy(double factor, const Place& anchor) {
    const double whole = high_ - low_,
                 length = std::clamp(length_ / factor, whole * closest, whole * farthest);
    for (std::size_t axis = 0; axis < 3; ++axis)
        middle_[axis] = anchor[axis] + (middle_[axis] - anchor[axis]) * length / length_;
    length_ = length;
    fitted_ = false;
    keepInside();
}

void CubeView::panBy(const Place& by) {
    for (std::size_t axis = 0; axis < 3; ++axis) middle_[axis] += by[axis];
    fitted_ = false;
    keepInside();
}

void CubeView::keepInside() {
    for (double& middle : middle_) middle = std::clamp(middle, low_, high_);
}

QPointF CubeView::toScreen(Plane plane, const QRectF& area, const QPointF& at) const {
    const PlaneAxes axes = axesOf(plane);
    return {area.left() + (at.x() - low(axes.first)) * pixels(area),
            area.bottom() - (at.y() - low(axes.second)) * pixels(area)};
}

QPointF CubeView::toPlane(Plane plane, const QRectF& area, const QPointF& screen) const {
    const PlaneAxes axes = axesOf(plane);
    return {low(axes.first) + (screen.x() - area.left()) / pixels(area),
            low(axes.second) + (area.bottom() - screen.y()) / pixels(area)};
}

bool sharesNumbers(Plane plane, const std::vector<Plane>& planes) {
    return plane == Plane::yz && std::ranges::find(planes, Plane::xz) != planes.end();
}

MapLayout layOut(const QSizeF& size, double lineHeight, double numberWidth, double barWidth,
                 const std::vector<Plane>& planes) {
    const double bottom = 2 * lineHeight + 8, top = lineHeight + 16, n = static_cast<double>(planes.size());
    const auto left = [&](Plane plane) { return sharesNumbers(plane, planes) ? cubeGap : numberWidth + 8; };
    double beside = barWidth + cubeGap;
    for (const Plane plane : planes) beside += left(plane) + cubeGap;
    const double side = std::floor(
        std::max({std::min((size.width() - beside) / std::max(n, 1.0), size.height() - top - bottom), 16.0}));
    // The remaining space is split between both sides.
    double x = std::max(0.0, std::floor((size.width() - n * side - beside) / 2));
    const double y = std::max(0.0, std::floor((size.height() - top - side - bottom) / 2)) + top;
    MapLayout layout;
    if (!planes.empty()) {
        const double first = left(planes.front());
        layout.room =
            QRectF(first, top, size.width() - first - barWidth - 2 * cubeGap, size.height() - top - bottom);
    }
    for (const Plane plane : planes) {
        x += left(plane);
        layout.areas[static_cast<std::size_t>(plane)] = QRectF(x, y, side, side);
        x += side + cubeGap;
    }
    layout.bar = QPointF(x + cubeGap, y);
    layout.barHeight = side;
    return layout;
}

QVector<CurveSeries> profilesOf(const MapPicture& picture, const PlanePosition& at, const QString& first,
                                const QString& second) {
    QVector<CurveSeries> curves;
    const auto target = picture.nearest(at.plane, at.at);
    if (!target) return curves;
    const PlaneAxes axes = axesOf(at.plane);
    const std::size_t side = picture.grid.side, plane = static_cast<std::size_t>(at.plane);
    const bool two = !picture.secondValues[plane].empty();
    for (const auto& [run, values] :
         {std::pair{first, &picture.values[plane]}, std::pair{second, &picture.secondValues[plane]}}) {
        if (values->empty()) continue;
        for (const bool alongFirst : {true, false}) {
            CurveSeries curve;
            const int along = alongFirst ? axes.first : axes.second,
                      across = alongFirst ? axes.second : axes.first;
            const double fixed = picture.grid.at(alongFirst ? target->j : target->i);
            curve.label = QObject::tr("along %1: %2 %3")
                              .arg(axisName(along), axisName(across),
                                   positionText(fixed, picture.grid.high - picture.grid.low));
            curve.bin = alongFirst ? 1 : 2;
            curve.style = CurveStyle::line;
            if (two) curve.run = run;
            for (std::size_t k = 0; k < side; ++k) {
                const std::size_t i = alongFirst ? k : target->i, j = alongFirst ? target->j : k;
                curve.x << picture.grid.at(k);
                curve.y << double{(*values)[i * side + j]};
            }
            curves << curve;
        }
    }
    return curves;
}

}  // namespace ks::ui::particles
