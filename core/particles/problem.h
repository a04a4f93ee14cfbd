#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/data/point_set.h"
#include "core/run/analysis.h"

namespace ks::particles {

using Place = std::array<double, 3>;

/// Targets on three planes parallel to the axes: xy, xz and yz, each [i][j] with i along the first named
/// coordinate. side points along each direction from low to high, both included.
struct PlaneGrid {
    std::size_t side = 400;
    double low = 0, high = 1;
    double z_of_xy = 0, y_of_xz = 0, x_of_yz = 0;

    /// Coordinate i along a direction; `low` if side is 1.
    double at(std::size_t i) const;
    bool operator==(const PlaneGrid&) const = default;
};

/// Targets that fill a cube, [i][j][k] along x, y and z. side points along each direction from
/// low to high, both included.
struct CubeGrid {
    std::size_t side = 64;
    double low = 0, high = 1;

    /// Coordinate i along a direction; `low` if side is 1.
    double at(std::size_t i) const;
    bool operator==(const CubeGrid&) const = default;
};

/// Where to sum; points are not null.
using Targets = std::variant<PlaneGrid, CubeGrid, std::shared_ptr<const PointSet>>;

/// For planes 3 side^2: xy, then xz, then yz, each in row-major order; for a cube side^3.
std::size_t count(const Targets& targets);
Place place(const Targets& targets, std::size_t index);
/// Minimum and maximum coordinate along an axis.
std::pair<double, double> bounds(const Targets& targets, std::size_t axis);
/// Throws ks::Error(input) for no targets, more than 2^31 - 1, and low >= high.
void require_some(const Targets& targets);

/// g(x, y) with r = |x - y|.
enum class Kernel {
    rbf,       ///< exp(-r^2 / (2 sigma^2))
    laplace,   ///< 1 / (4 pi r)
    helmholtz  ///< e^(ikr) / (4 pi r)
};

/// Precision of the terms and of the result.
enum class Precision { f32, f64 };

struct SumSettings {
    Kernel kernel = Kernel::rbf;
    double sigma = 0.1;      ///< of rbf, above 0
    double wavenumber = 10;  ///< k of helmholtz
    Precision precision = Precision::f32;
    bool gradient = false;  ///< also df/dx, df/dy and df/dz at the targets
    /// Rms error relative to the rms of the sums, for variants that approximate: is_approximate().
    double tolerance = 1e-4;
    bool singular() const { return kernel != Kernel::rbf; }
};

/// The sums to compute: f(x_i) = sum_j g(x_i, y_j) c_j for every vector c of weights. For a singular kernel,
/// a pair at r = 0 adds 0 to sums and gradients, and is counted.
class SumProblem : public Problem {
  public:
    SumProblem(std::shared_ptr<const PointSet> sources, Targets targets, SumSettings settings);

    const PointSet& sources() const { return *sources_; }
    const std::shared_ptr<const PointSet>& shared_sources() const { return sources_; }
    const SumSettings& settings() const { return settings_; }
    const Targets& targets() const { return targets_; }
    bool on_planes() const { return std::holds_alternative<PlaneGrid>(targets_); }
    bool on_grid() const { return std::holds_alternative<CubeGrid>(targets_); }
    const PlaneGrid& planes() const { return std::get<PlaneGrid>(targets_); }
    const CubeGrid& grid() const { return std::get<CubeGrid>(targets_); }
    const PointSet& points() const { return *shared_points(); }
    const std::shared_ptr<const PointSet>& shared_points() const {
        return std::get<std::shared_ptr<const PointSet>>(targets_);
    }

    std::size_t n_sources() const { return sources_->size(); }
    std::size_t n_targets() const { return end_ - first_; }
    std::uint64_t pairs() const { return std::uint64_t{n_sources()} * n_targets(); }
    Place target(std::size_t index) const { return place(targets_, first_ + index); }

    /// Targets [first, end) only, in the scale of the whole problem; shares sources and targets.
    std::shared_ptr<const SumProblem> part(std::size_t first, std::size_t end) const;
    bool is_part() const { return n_targets() != count(targets_); }
    /// First target of a part, counted among those of targets().
    std::size_t first_target() const { return first_; }

    /// Number of vectors of weights.
    std::size_t n_vectors() const { return sources_->n_vectors(); }
    /// Quantities summed per vector: f, or f, df/dx, df/dy and df/dz.
    std::size_t quantities() const { return settings_.gradient ? 4 : 1; }
    /// 2 if the sums are complex, because the kernel or any weight is: real and imaginary part.
    std::size_t parts() const { return is_complex() ? 2 : 1; }
    bool is_complex() const { return sources_->is_complex() || settings_.kernel == Kernel::helmholtz; }
    /// Rows of sums, with one value per target: [vector][quantity][part].
    std::size_t n_rows() const { return n_vectors() * quantities() * parts(); }

    /// Half the length of the longest side of the box that holds sources and targets.
    double half_extent() const { return half_extent_; }
    /// Before coordinates are rounded, this centre is subtracted, and they are scaled by this length. They
    /// are the middle of the box and half_extent(), unless single precision would lose too much with these
    /// (local_origin() in origin.h).
    const Place& centre() const { return centre_; }
    double reach() const { return reach_; }
    /// Largest distance of any coordinate from the centre's.
    double from_centre(const Place& place) const;
    /// Sum of the absolute weights, for the vector where it is largest.
    double total_weight() const { return total_weight_; }

    std::vector<std::string> warnings = {};  ///< about the input; every result repeats them
    /// A key that is equal for sources with the same content; it identifies the data of sources that are kept
    /// between runs. Empty: unknown.
    std::string sources_key = {};

  private:
    void measure();
    void measure_weights();
    void place_origin();

    std::shared_ptr<const PointSet> sources_;
    Targets targets_;
    std::size_t first_ = 0, end_;
    SumSettings settings_;
    Place centre_{};
    double half_extent_ = 0, reach_ = 0, total_weight_ = 0;
};

/// Throws ks::Error(input) if the problem is a part of another one and the variant needs all of it.
/// @param why "it sorts all targets"
void require_whole(const SumProblem& problem, const std::string& variant, const std::string& why);

}  // namespace ks::particles
