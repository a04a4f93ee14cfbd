#pragma once

#include <QString>
#include <cmath>

namespace ks::ui::xpcs {

/// A finite azimuth in whole degrees, above -180 to 180: the mean azimuths of the bins of a sector around 180
/// lie on both sides of it.
inline QString azimuthText(double degrees) {
    const double whole = std::round(degrees);
    return QString::number(whole <= -180 ? whole + 360 : whole + 0.0, 'f', 0);  // no -0
}

}  // namespace ks::ui::xpcs
