#pragma once

#include <QRgb>
#include <QString>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/data/point_set.h"

namespace ks::ui::particles {

/// Sources as the page holds them, with the box that they fill.
class SourceSet {
  public:
    /// @param assumed the file has no weights: all are 1
    SourceSet(PointSet points, bool assumed);

    const PointSet& points() const { return points_; }
    std::size_t size() const { return points_.size(); }
    double low(int axis) const { return low_[static_cast<std::size_t>(axis)]; }
    double high(int axis) const { return high_[static_cast<std::size_t>(axis)]; }
    /// Longest side of the box; 1 where it has none.
    double extent() const;
    /// Largest |weight|.
    double heaviest() const { return heaviest_; }
    double weight(std::size_t source) const;  ///< |weight|
    /// The weights do not depend on the sources' file.
    bool assumed() const { return assumed_; }

    /// "50 sources"
    QString countText() const;
    /// "x 0.01 .. 0.98, y ..., z ..."
    QString boxText() const;
    /// "real weights, 0.02 to 0.99", "complex weights, magnitude ...", "no weights: 1 for each"
    QString weightText() const;
    /// "source 12 at (x, y, z), weight 0.4"
    QString describe(std::size_t source) const;

  private:
    PointSet points_;
    std::array<double, 3> low_{}, high_{};
    double heaviest_ = 0, lightest_ = 0, min_ = 0, max_ = 0;
    bool assumed_;
};

/// Throws ks::Error(input).
std::shared_ptr<const SourceSet> readSources(const std::string& name);

/// How a source is drawn.
struct SourceDot {
    std::array<double, 3> at{};
    double radius = 0;  ///< pixels; its square grows with |weight|
    QRgb colour = 0;    ///< white of positive, black of negative weights, of complex ones that of the phase
    std::size_t source = 0;
};

/// How much smaller dots are where they are many: the field must stay in sight. 1 of a few, 0.3 of thousands.
double crowding(std::size_t dots);

/// Large ones first, so that small ones are on top; of more than `most` sources evenly spread ones.
std::vector<SourceDot> sourceDots(const SourceSet& sources, std::size_t maximum);

}  // namespace ks::ui::particles
