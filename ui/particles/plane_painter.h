#pragma once

#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QSizeF>
#include <optional>
#include <utility>
#include <vector>

#include "ui/particles/plane_scene.h"

namespace ks::ui::particles {

/// The parts of the maps that follow the mouse.
struct PlaneMarks {
    std::optional<PlanePosition> pointer, picked;
    std::optional<Plane> line;  ///< the plane whose lines are dragged, or under the cursor
};

/// Paints the maps of some planes next to each other, with axes and one colour bar.
class PlanePainter {
  public:
    /// @param scene must outlive it @param layout from layoutFor()
    PlanePainter(const PlaneScene& scene, const QSizeF& size, MapLayout layout, std::vector<Plane> planes,
                 const QPalette& palette)
        : scene_(scene), size_(size), layout_(layout), planes_(std::move(planes)), palette_(palette) {}
    /// Positions of the maps in an area of this size.
    static MapLayout layoutFor(const PlaneScene& scene, const QSizeF& size, const QFont& font,
                               const std::vector<Plane>& planes);

    /// Everything that does not change while only the mouse moves.
    void paintStill(QPainter& painter) const;
    /// The lines of the planes, the selected point and that under the cursor; drawn over paintStill().
    void paintMarks(QPainter& painter, const PlaneMarks& marks) const;

  private:
    QRectF area(Plane plane) const { return layout_.areas[static_cast<std::size_t>(plane)]; }
    void paintMap(QPainter& painter, Plane plane) const;
    void paintDots(QPainter& painter, Plane plane) const;
    void paintAxes(QPainter& painter, Plane plane) const;
    void paintNote(QPainter& painter) const;
    void paintBar(QPainter& painter) const;
    void paintLines(QPainter& painter, Plane plane, const std::optional<Plane>& strong) const;
    void paintPicked(QPainter& painter, Plane plane, const PlanePosition& picked) const;
    void paintPointer(QPainter& painter, Plane plane, const PlanePosition& pointer) const;

    const PlaneScene& scene_;
    QSizeF size_;
    MapLayout layout_;
    std::vector<Plane> planes_;
    QPalette palette_;
};

}  // namespace ks::ui::particles
