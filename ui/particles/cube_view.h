#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <array>

#include "ui/particles/field.h"

namespace ks::ui::particles {

/// A point in space; x, y, z.
using Place = std::array<double, 3>;

/// The part of space that the three maps show: a cube, so that a length is as long on each of them and in
/// each direction, and what they have in common is at the same place.
class CubeView {
  public:
    /// @param low, high of each direction
    void setWhole(double low, double high);
    void fit();
    bool fitted() const { return fitted_; }
    /// The anchor stays where it is. Not closer than a 10^5th of the whole, not farther than 20 times of it.
    void zoomBy(double factor, const Place& anchor);
    /// The middle stays in the whole.
    void panBy(const Place& by);

    double low(int axis) const { return middle_[static_cast<std::size_t>(axis)] - length_ / 2; }
    double high(int axis) const { return middle_[static_cast<std::size_t>(axis)] + length_ / 2; }
    double length() const { return length_; }

    /// On a square of the screen, where the second coordinate goes upwards.
    QPointF toScreen(Plane plane, const QRectF& area, const QPointF& at) const;
    QPointF toPlane(Plane plane, const QRectF& area, const QPointF& screen) const;
    double pixels(const QRectF& area) const { return area.width() / length_; }  ///< for a unit of length

  private:
    void keepInside();

    double low_ = 0, high_ = 1, length_ = 1;
    Place middle_{0.5, 0.5, 0.5};
    bool fitted_ = true;
};

/// Where the parts of a figure of maps are.
struct MapLayout {
    std::array<QRectF, 3> areas;  ///< squares, by plane; null: not drawn
    QRectF room;                  ///< that the squares could fill
    QPointF bar;                  ///< top left of the colour bar
    double barHeight = 0;
};
/// The map at the left of this one among `planes` has the same coordinate upwards: it bears the numbers of
/// both.
bool sharesNumbers(Plane plane, const std::vector<Plane>& planes);
/// Maps side by side, as large as the size allows, and the colour bar at their right.
/// @param numberWidth of the upright axes @param barWidth with its numbers
MapLayout layOut(const QSizeF& size, double lineHeight, double numberWidth, double barWidth,
                 const std::vector<Plane>& planes);

}  // namespace ks::ui::particles
