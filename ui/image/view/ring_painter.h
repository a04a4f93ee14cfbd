#pragma once

#include <QMarginsF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QTransform>
#include <optional>
#include <vector>

#include "core/data/geometry.h"
#include "ui/image/view/viewport.h"

class QPainter;

namespace ks::ui {

/// A circle around the beam; an ellipse if it has one q and pixels are not square.
struct RingOutline {
    RingAxes axes;
    QString label;  ///< "q 0.012", or empty
    int bin = 0;    ///< drawn in the colour of this bin; 0: neutral
};

/// Draws rings one after another; labels never cover earlier ones. A ring without a label that is within 3
/// pixels of the previous one is not drawn.
class RingPainter {
  public:
    /// @param image the frame's rectangle on the widget
    RingPainter(QPainter& painter, const Viewport& viewport, const QRectF& image)
        : painter_(painter), viewport_(viewport), shown_(viewport.area().intersected(image)) {}

    void draw(const QPointF& centre, const RingOutline& ring);

  private:
    bool crosses(const QPointF& middle, const RingAxes& axes) const;
    /// Not drawn where there is no place for it.
    void label(const QPointF& middle, const RingAxes& axes, const QString& text);

    QPainter& painter_;
    const Viewport& viewport_;
    QRectF shown_;
    std::vector<QRectF> taken_;
    RingAxes last_{-100, -100};  ///< on the screen, of the previous ring
};

/// The place of a label on a ring: at the first angle, searched from `start` degrees in both directions,
/// where it is inside `room` and covers none of `taken`; it is then one of them. nullopt: there is no such
/// place.
/// @param axes on the screen
/// @param apart its distance from the others
std::optional<QRectF> placeOnRing(const QPointF& centre, const RingAxes& axes, const QSizeF& size,
                                  double start, const QRectF& room, const QMarginsF& apart,
                                  std::vector<QRectF>& taken);
/// A cross with an open centre.
void paintBeam(QPainter& painter, const QPointF& at);

/// Rings of constant q around the beam, labelled with q and d.
class RingLayer {
  public:
    /// @param rings empty: none; "q": round steps of q; otherwise the name of a calibrant
    /// @param farthest q of the corner of the frame that is farthest from the beam, 1/angstrom
    void set(const Geometry& geometry, const QString& rings, double farthest);
    const std::vector<double>& q() const { return q_; }
    void paint(QPainter& painter, const QTransform& imageToWidget) const;

  private:
    Geometry geometry_;
    std::vector<double> q_;
};

}  // namespace ks::ui
