#pragma once

#include <QVector>

#include "ui/particles/plane_maps.h"
#include "ui/plots/curve_plot.h"

namespace ks::ui::particles {

/// Values along both coordinates of a plane through the target that is nearest to a point; of the second run,
/// too, where the picture has it. Empty outside of the planes.
/// @param first, second names of the runs
QVector<CurveSeries> profilesOf(const MapPicture& picture, const PlanePosition& at, const QString& first,
                                const QString& second);

}  // namespace ks::ui::particles
