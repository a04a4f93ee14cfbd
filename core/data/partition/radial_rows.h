#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/data/geometry.h"

namespace ks {

/// Writes concentric intervals into the rows of an image. Along a row, the distance to the beam grows to
/// either side, so a row consists of a few runs of equal value. The start of the next run is estimated by one
/// square root, and then determined by comparing squared distances. For pixels that are too close to a bound
/// for this comparison, the definition of the bound decides.
class RadialRows {
  public:
    /// Ascending bounds and the values between them: values[b] applies to pixels that reach b bounds. Bounds
    /// are distances from the beam, in pixel coordinates times the scales. Every pixel reaches a negative
    /// bound, and no pixel reaches an infinite one.
    struct Bounds {
        std::vector<double> distances;
        std::vector<std::int32_t> values;  ///< one more than distances
        /// Defines whether the point (x, y), in pixels, has reached bound b.
        std::function<bool(double x, double y, std::size_t b)> reached;
    };
    RadialRows(double beam_x, double beam_y, double scale_x, double scale_y, Bounds bounds);

    void draw(std::size_t row, std::span<std::int32_t> out) const;

  private:
    /// One side of a row: pixels are counted outwards from the beam.
    struct Side {
        double y, dy2;  ///< of the row: pixel coordinate, squared distance
        std::size_t begin, count;
        bool rightwards;
        std::size_t column(std::size_t t) const { return rightwards ? begin + t : begin - 1 - t; }
    };
    bool reached(const Side& side, std::size_t t, std::size_t bound) const;
    std::size_t bounds_reached(const Side& side, std::size_t t, std::size_t known) const;
    std::size_t first_to_reach(const Side& side, std::size_t t, std::size_t bound) const;
    void draw_side(const Side& side, std::span<std::int32_t> out) const;

    double beam_x_, beam_y_, scale_x_, scale_y_;
    Bounds bounds_;
    std::vector<double> squares_;
};

}  // namespace ks
