#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <array>

#include "ui/particles/field.h"

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

}  // namespace ks::ui::particles
