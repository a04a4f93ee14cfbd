#include "ui/particles/field_error.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/base/palette.h"

namespace ks::ui::particles {
namespace {

double largestOf(const Field& field) {
    double largest = 0;
    for (const Plane plane : allPlanes) {
        const auto at = static_cast<std::size_t>(plane);
        for (std::size_t k = 0; k < field.re[at].size(); ++k)
            largest =
                std::max(largest, std::hypot(field.re[at][k], field.im[at].empty() ? 0 : field.im[at][k]));
    }
    return largest;
}

}  // namespace

FieldError errorOf(const Field& values, const Field& reference) {
    requireComparable(values, reference);
    FieldError found;
    const double minimum = 1e-6 * largestOf(reference);
    for (const Plane plane : allPlanes) {
        const auto at = static_cast<std::size_t>(plane);
        const bool isComplex = !values.im[at].empty();
        for (std::size_t k = 0; k < values.re[at].size(); ++k) {
            const double a = reference.re[at][k], b = isComplex ? reference.im[at][k] : 0;
            const double error = std::hypot(values.re[at][k] - a, isComplex ? values.im[at][k] - b : 0.0),
                         size = std::hypot(a, b), relative = size > minimum ? error / size : 0;
            const PlanePoint here{plane, k / values.grid.side, k % values.grid.side};
            // NaN is worse than any error.
            if (error > found.absolute || std::isnan(error)) {
                found.absolute = std::isnan(error) ? HUGE_VAL : error;
                found.worst = here;
            }
            if (relative > found.relative) {
                found.relative = relative;
                found.worstRelative = here;
            }
        }
    }
    return found;
}

QPointF placeOf(const Field& field, const PlanePoint& point) {
    return {field.grid.at(point.i), field.grid.at(point.j)};
}

QString placeText(const Field& field, const PlanePoint& point) {
    const PlaneAxes axes = axesOf(point.plane);
    const QPointF place = placeOf(field, point);
    std::array<double, 3> at{};
    at[static_cast<std::size_t>(axes.first)] = place.x();
    at[static_cast<std::size_t>(axes.second)] = place.y();
    at[static_cast<std::size_t>(axes.normal)] = field.offset(point.plane);
    return QStringLiteral("%1 (%2, %3, %4)")
        .arg(nameOf(point.plane), formatNumber(at[0], 4), formatNumber(at[1], 4), formatNumber(at[2], 4));
}

}  // namespace ks::ui::particles
