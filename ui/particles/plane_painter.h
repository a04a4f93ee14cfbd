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

/// What follows the hand on the maps.
struct PlaneMarks {
    std::optional<PlanePosition> pointer, picked;
    std::optional<Plane> line;  ///< the plane whose lines are dragged, or below the cursor
};

/// Paints the maps of some planes side by side, with axes and one colour bar.
class PlanePainter {
  public:
    /// @param scene outlives it @param layout of layoutFor()
    PlanePainter(const PlaneScene& scene, const QSizeF& size, MapLayout layout, std::vector<Plane> planes,
                 const QPalette& palette)
        : scene_(scene), size_(size), layout_(layout), planes_(std::move(planes)), palette_(palette) {}
    /// Where the maps are in a room of this size.
    static MapLayout layoutFor(const PlaneScene& scene, const QSizeF& size, const QFont& font,
                               const std::vector<Plane>& planes);

    /// All that stays while only the hand moves.
    void paintStill(QPainter& painter) const;
    /// The lines of the planes, the picked point and the cursor's; over paintStill().
    void paintMarks(QPainter& painter, const PlaneMarks& marks) const;

  private:
    QRectF area(Plane plane) const { return layout_.areas[static_cast<std::size_t>(plane)]; }
    void paintMap(QPainter& painter, Plane plane) const;
    void paintDots(QPainter& painter, Plane plane) const;
    void paintAxes(QPainter& painter, Plane plane) const;
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
