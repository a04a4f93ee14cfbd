#pragma once

#include <QPointF>
#include <QString>

#include "ui/particles/field.h"

namespace ks::ui::particles {

/// One target of a plane: i along its first coordinate.
struct PlanePoint {
    Plane plane = Plane::xy;
    std::size_t i = 0, j = 0;
};

/// Deviation of values from others at the same targets.
struct FieldError {
    double absolute = 0;  ///< maximum of |a - b|
    /// Maximum of |a - b| / |b| where |b| is more than a millionth of the largest |b|: smaller values may be
    /// nothing but the rounding of the sum.
    double relative = 0;
    PlanePoint worst, worstRelative;
};
/// Throws ks::Error(run) if they are not comparable.
FieldError errorOf(const Field& values, const Field& reference);

/// "xy (0.25, 0.5, 0)": the position of a target.
QString placeText(const Field& field, const PlanePoint& point);
/// Coordinates along the plane.
QPointF placeOf(const Field& field, const PlanePoint& point);

}  // namespace ks::ui::particles
