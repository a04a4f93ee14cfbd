#pragma once

#include <QImage>
#include <QPointF>
#include <QPolygonF>
#include <QString>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "ui/particles/field.h"
#include "ui/particles/map_colours.h"

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

/// What the maps show of the runs.
enum class Shown {
    first,       ///< the newest ticked run, or the preview
    second,      ///< the previous ticked run
    difference,  ///< first - second
    error        ///< |first - reference|
};

/// Input of a picture.
struct PictureInput {
    std::shared_ptr<const Run> first, second;  ///< null: none
    std::shared_ptr<const Run> reference;      ///< for the problem of the first run; null: none
    Shown shown = Shown::first;
    std::string stem;
    Part part = Part::value;  ///< for complex quantities
    ScaleKind kind = ScaleKind::linear;
    QString mapName = QStringLiteral("viridis");
    std::optional<std::pair<double, double>> limits = {};
    IsolineChoice isolines = {};
    /// True: the picture is no longer wanted. May be set while it is made; null: it always is.
    std::shared_ptr<const std::atomic<bool>> stopped = nullptr;
};

/// In coordinates of its plane.
struct Isoline {
    double level = 0;
    QPolygonF line;
};

/// Three maps, ready to be drawn.
struct MapPicture {
    ks::particles::PlaneGrid grid;
    QString title;  ///< of the values
    MapColours colours;
    PlaneValues values;
    std::array<QImage, 3> images;
    std::vector<double> levels;  ///< empty for errors and differences
    std::array<std::vector<Isoline>, 3> lines;
    std::optional<FieldError> error;  ///< for Shown::error and Shown::difference
    std::shared_ptr<const Field> field;
    /// Values of the second run at the same targets, plotted next to the first one's in
    /// profiles; empty: none.
    PlaneValues secondValues;

    /// The target nearest to a point of a plane; nullopt outside the planes.
    std::optional<PlanePoint> nearest(Plane plane, const QPointF& at) const;
    float value(const PlanePoint& point) const {
        return values[static_cast<std::size_t>(point.plane)][point.i * grid.side + point.j];
    }
};

/// Null if there is nothing to show. Throws ks::Error(run), and ks::Error(cancelled) soon after it was
/// stopped.
std::shared_ptr<const MapPicture> makePicture(const PictureInput& input);

}  // namespace ks::ui::particles
