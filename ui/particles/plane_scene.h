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

}  // namespace ks::ui::particles
