#pragma once

#include "core/spots/spot.h"

namespace ks::spots {

/// Why a spot goes, the first that applies in the order of Dropped. Limits in d leave spots without a d
/// alone. Peak and centroid are as far apart as DIALS takes them: in x, y and frame, a frame counting as a
/// pixel.
Dropped why_dropped(const Spot& spot, const Grouping& grouping);

}  // namespace ks::spots
