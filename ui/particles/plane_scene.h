#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QVector>
#include <array>
#include <memory>
#include <vector>

#include "ui/particles/field.h"
#include "ui/particles/map_picture.h"
#include "ui/particles/source_set.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui::particles {

/// A point in space: x, y, z.
using Place = std::array<double, 3>;

/// The part of space shown by the three maps: a cube, so that all maps have the same scale in every direction
/// and their common parts line up.
class CubeView {
  public:
    /// @param low, high in each direction; unless low is less than high, the earlier ones stay
    void setWhole(double low, double high);
    void fit();
    bool fitted() const { return fitted_; }
    /// The anchor stays in place. The size is limited to 10^-5 to 20 times the whole.
    void zoomBy(double factor, const Place& anchor);
    /// The centre stays within the whole.
    void panBy(const Place& by);

    double low(int axis) const { return middle_[static_cast<std::size_t>(axis)] - length_ / 2; }
    double high(int axis) const { return middle_[static_cast<std::size_t>(axis)] + length_ / 2; }
    double length() const { return length_; }

    /// Position in a screen square, with the second coordinate pointing up.
    QPointF toScreen(Plane plane, const QRectF& area, const QPointF& at) const;
    QPointF toPlane(Plane plane, const QRectF& area, const QPointF& screen) const;
    double pixels(const QRectF& area) const { return area.width() / length_; }  ///< per unit of length

  private:
    void keepInside();

    double low_ = 0, high_ = 1, length_ = 1;
    Place middle_{0.5, 0.5, 0.5};
    bool fitted_ = true;
};

/// Positions of the parts of a figure of maps.
struct MapLayout {
    std::array<QRectF, 3> areas;  ///< squares, by plane; null: not drawn
    QRectF room;                  ///< space available to the squares
    QPointF bar;                  ///< top left of the colour bar
    double barHeight = 0;
};
/// The map to the left of this one among `planes` has the same vertical coordinate: its axis
/// numbers serve both.
bool sharesNumbers(Plane plane, const std::vector<Plane>& planes);
/// Maps next to each other, as large as the size allows, with the colour bar on their right.
/// @param numberWidth of the vertical axes
/// @param barWidth including its numbers
MapLayout layOut(const QSizeF& size, double lineHeight, double numberWidth, double barWidth,
                 const std::vector<Plane>& planes);

/// A point of one of the planes.
struct PlanePosition {
    Plane plane = Plane::xy;
    QPointF at;  ///< first and second coordinate
};

/// What the maps of the planes show, and the visible part of the cube.
struct PlaneScene {
    std::shared_ptr<const MapPicture> picture;  ///< null: nothing to show
    std::shared_ptr<const SourceSet> sources;   ///< null: there are none
    std::vector<SourceDot> dots;
    double fade = 1;  ///< distance from a plane at which dots are faint
    bool dotsVisible = true;
    ks::particles::PlaneGrid grid;  ///< the planes of the next run, which define the lines
    CubeView view;
    QString emptyText;
    QString
        note;  ///< on the runs that are shown, as a badge on the last map: "outdated (Sigma)"; empty: none

    /// Position of a plane of the grid along its normal.
    double offset(Plane plane) const {
        return plane == Plane::xy ? grid.z_of_xy : plane == Plane::xz ? grid.y_of_xz : grid.x_of_yz;
    }
    void setOffset(Plane plane, double at) {
        (plane == Plane::xy ? grid.z_of_xy : plane == Plane::xz ? grid.y_of_xz : grid.x_of_yz) = at;
    }
    Place placeOf(const PlanePosition& position) const {
        const PlaneAxes axes = axesOf(position.plane);
        Place place{};
        place[static_cast<std::size_t>(axes.first)] = position.at.x();
        place[static_cast<std::size_t>(axes.second)] = position.at.y();
        place[static_cast<std::size_t>(axes.normal)] = offset(position.plane);
        return place;
    }
};

/// Values along both coordinates of a plane through the target nearest to a point, including those of the
/// second run if the picture has them. Empty outside the planes.
/// @param first, second names of the runs
QVector<CurveSeries> profilesOf(const MapPicture& picture, const PlanePosition& at, const QString& first,
                                const QString& second);

}  // namespace ks::ui::particles
