#pragma once

#include <QRgb>
#include <QString>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/data/point_set.h"

namespace ks::ui::particles {

/// The page's sources and their bounding box.
class SourceSet {
  public:
    /// @param assumed the file has no weights: all are 1
    SourceSet(PointSet points, bool assumed);

    const PointSet& points() const { return points_; }
    std::size_t size() const { return points_.size(); }
    double low(int axis) const { return low_[static_cast<std::size_t>(axis)]; }
    double high(int axis) const { return high_[static_cast<std::size_t>(axis)]; }
    /// Longest side of the box; 1 if all are 0.
    double extent() const;
    /// Largest |weight| of a vector of weights.
    double heaviest(std::size_t vector = 0) const { return ranges_[vector].heaviest; }
    double weight(std::size_t source, std::size_t vector = 0) const;  ///< |weight|
    /// The weights do not come from the sources' file.
    bool assumed() const { return assumed_; }

    /// "50 sources"
    QString countText() const;
    /// "x 0.01 .. 0.98, y ..., z ..."
    QString boxText() const;
    /// "real weights, 0.02 .. 0.99", "complex weights, |w| ...", "no weights: all are 1"; of several vectors
    /// one line each, "real weights 2, ..."
    QString weightText() const;
    /// "source 12 at (x, y, z), weight 0.4", or of one of several vectors "weight 2: 0.4"
    QString describe(std::size_t source, std::size_t vector = 0) const;

  private:
    PointSet points_;
    std::array<double, 3> low_{}, high_{};
    struct Range {
        double heaviest = 0, lightest = 0, min = 0, max = 0;  ///< of |weight|, and of its real part
    };
    Range rangeOf(std::size_t vector) const;

    std::vector<Range> ranges_;  ///< one per vector of weights, at least one
    bool assumed_;
};

/// Throws ks::Error(input).
std::shared_ptr<const SourceSet> readSources(const std::string& name);

/// How a source is drawn.
struct SourceDot {
    std::array<double, 3> at{};
    double radius = 0;  ///< pixels; the area grows with |weight|
    QRgb colour =
        0;  ///< white for positive, black for negative weights; for complex ones the colour of the phase
    std::size_t source = 0;
};

/// Factor by which dots shrink if they are many, so that the field stays visible: 1 for a few,
/// 0.3 for thousands.
double crowding(std::size_t dots);

/// Large ones first, so that small ones are on top; of more than `maximum` sources an even selection.
/// @param vector of weights
std::vector<SourceDot> sourceDots(const SourceSet& sources, std::size_t maximum, std::size_t vector = 0);

}  // namespace ks::ui::particles
