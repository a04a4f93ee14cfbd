#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/data/point_set.h"
#include "core/run/analysis.h"

namespace ks::particles {

/// g(x, y) with r = |x - y|.
enum class Kernel {
    rbf,       ///< exp(-r^2 / (2 sigma^2))
    laplace,   ///< 1 / (4 pi r)
    helmholtz  ///< e^(ikr) / (4 pi r)
};

/// Of the terms and of the result.
enum class Precision { f32, f64 };

struct SumSettings {
    Kernel kernel = Kernel::rbf;
    double sigma = 0.1;      ///< of rbf, above 0
    double wavenumber = 10;  ///< k of helmholtz
    Precision precision = Precision::f32;
    bool singular() const { return kernel != Kernel::rbf; }
};

/// Targets on three planes parallel to the axes: xy, xz and yz, each [i][j] with i along the first named
/// coordinate. side points along each direction from low to high, both included.
struct PlaneGrid {
    std::size_t side = 400;
    double low = 0, high = 1;
    double z_of_xy = 0, y_of_xz = 0, x_of_yz = 0;

    /// Coordinate i along a direction; just `low` where side is 1.
    double at(std::size_t i) const;
    bool operator==(const PlaneGrid&) const = default;
};

using Place = std::array<double, 3>;

/// f(x_i) = sum_j g(x_i, y_j) c_j: what is summed, where. A singular kernel at r = 0 adds 0, and such pairs
/// are counted.
class SumProblem : public Problem {
  public:
    /// Targets on planes, or (not null) at points.
    SumProblem(std::shared_ptr<const PointSet> sources, PlaneGrid planes, SumSettings settings);
    SumProblem(std::shared_ptr<const PointSet> sources, std::shared_ptr<const PointSet> targets,
               SumSettings settings);

    const PointSet& sources() const { return *sources_; }
    const std::shared_ptr<const PointSet>& shared_sources() const { return sources_; }
    const SumSettings& settings() const { return settings_; }
    bool on_planes() const { return !targets_; }
    const PlaneGrid& planes() const { return planes_; }   ///< where on_planes()
    const PointSet& points() const { return *targets_; }  ///< where not
    const std::shared_ptr<const PointSet>& shared_points() const { return targets_; }

    std::size_t n_sources() const { return sources_->size(); }
    /// On planes 3 side^2: xy, then xz, then yz, each in row-major order.
    std::size_t n_targets() const;
    std::uint64_t pairs() const { return std::uint64_t{n_sources()} * n_targets(); }
    Place target(std::size_t index) const;
    /// The sums are complex: the weights are, or the kernel is.
    bool is_complex() const { return sources_->is_complex() || settings_.kernel == Kernel::helmholtz; }

    /// Middle of the box that holds sources and targets, and half the length of its longest side.
    const Place& centre() const { return centre_; }
    double half_extent() const { return half_extent_; }

    std::vector<std::string> warnings = {};  ///< of the input; every result repeats them

  private:
    void measure();

    std::shared_ptr<const PointSet> sources_, targets_;
    PlaneGrid planes_;
    SumSettings settings_;
    Place centre_{};
    double half_extent_ = 0;
};

}  // namespace ks::particles
