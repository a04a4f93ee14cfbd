#pragma once

#include <QPointF>
#include <QString>
#include <memory>
#include <vector>

#include "ui/particles/cube_view.h"
#include "ui/particles/map_picture.h"
#include "ui/particles/source_set.h"

namespace ks::ui::particles {

/// A point of one of the planes.
struct PlanePosition {
    Plane plane = Plane::xy;
    QPointF at;  ///< first and second coordinate
};

/// What the maps of the planes show, and the part of the cube that is seen.
struct PlaneScene {
    std::shared_ptr<const MapPicture> picture;  ///< null: there is nothing to show
    std::shared_ptr<const SourceSet> sources;   ///< null: there are none
    std::vector<SourceDot> dots;
    double fade = 1;  ///< distance from a plane at which its dots are faint
    bool dotsVisible = true;
    ks::particles::PlaneGrid grid;  ///< the planes of the next run: where the lines are
    CubeView view;
    QString emptyText;

    /// The coordinate across a plane of the grid.
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

}  // namespace ks::ui::particles
