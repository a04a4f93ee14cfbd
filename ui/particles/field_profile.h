#pragma once

#include <QVector>

#include "ui/particles/plane_maps.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui::particles {

/// Values along both coordinates of a plane through the target nearest to a point, including those of the
/// second run if the picture has them. Empty outside the planes.
/// @param first, second names of the runs
QVector<CurveSeries> profilesOf(const MapPicture& picture, const PlanePosition& at, const QString& first,
                                const QString& second);

}  // namespace ks::ui::particles
