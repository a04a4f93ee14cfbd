#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/geometry.h"

namespace ks {

/// Equal sectors of the full circle, each divided into equal parts, numbered along phi
/// from `start` (degrees).
struct Sectors {
    double start = 0;
    std::size_t sectors = 1, parts = 1;

    std::size_t size() const { return sectors * parts; }
    /// The part that contains an azimuth (degrees), 0 .. size() - 1. Part p is in sector p / parts exactly,
    /// to the last bit.
    std::size_t at(double phi) const;
};

/// Adds the sector of each pixel to the rows of an image. A ray from the beam crosses a row at most once, so
/// a row is cut into at most size() + 1 pieces, and the azimuth is computed once per piece.
class SectorRows {
  public:
    SectorRows(const Geometry& geometry, const Sectors& sectors);

    /// Adds the number of the part to each nonzero value.
    void add(std::size_t row, std::span<std::int32_t> out) const;

  private:
    std::int32_t part(double x, double y) const;

    Geometry geometry_;
    Sectors sectors_;
    std::vector<double> below_,
        above_;  ///< dx / dy of the rays that cross rows of dy > 0 and dy < 0, in order of x
};

}  // namespace ks
