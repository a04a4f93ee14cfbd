#pragma once

#include <cstddef>
#include <vector>

#include "core/data/calibration/ring_peaks.h"

namespace ks {

/// Mean counts at one radius of a sector; `pixels` is 0 if there are none.
struct ProfilePoint {
    double radius = 0;    ///< mean of its pixels, in mean pixel sizes
    double mean = 0;      ///< counts
    double variance = 0;  ///< of the mean
    std::size_t pixels = 0;
};

/// Radial profiles with steps of one pixel in equal sectors around the beam: [sector][step]. Step k contains
/// the radii from inner + k on. Pixels that deviate from the others of their step are left out.
class SectorProfiles {
  public:
    SectorProfiles(const CountMap& map, const Geometry& geometry, double inner, double outer,
                   std::size_t sectors);

    std::size_t steps() const { return steps_; }
    double inner() const { return inner_; }
    /// `steps()` points.
    const ProfilePoint* sector(std::size_t at) const { return points_.data() + at * steps_; }

  private:
    double inner_;
    std::size_t steps_;
    std::vector<ProfilePoint> points_;
};

}  // namespace ks
