#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/geometry.h"
#include "core/run/result.h"
#include "core/spots/grouping/spot_filter.h"

namespace ks::spots {

/// The columns of a table that decide whether spots are kept, and the columns computed from them: q,
/// d and dropped.
class FilterColumns {
  public:
    /// @param table outlives this object. Throws ks::Error(run) if it lacks one of the columns.
    explicit FilterColumns(std::vector<Dataset>& table);

    std::size_t size() const { return n_signal_.size(); }
    /// Writes q and d of row `i`.
    void resolve(std::size_t i, const Geometry& geometry) {
        q_[i] = geometry.q(x_[i], y_[i]);
        d_[i] = geometry.d(x_[i], y_[i]);
    }
    /// Writes the reason for which row `i` is dropped, if any.
    void filter(std::size_t i, const Grouping& grouping) {
        dropped_[i] = static_cast<std::uint8_t>(
            why_dropped(FilterInput{n_signal_[i], peak_x_[i] + 0.5 - x_[i], peak_y_[i] + 0.5 - y_[i],
                                    peak_z_[i] + 0.5 - z_[i], d_[i]},
                        grouping));
    }
    Dropped dropped(std::size_t i) const { return static_cast<Dropped>(dropped_[i]); }

  private:
    std::span<const std::uint32_t> n_signal_, peak_x_, peak_y_, peak_z_;
    std::span<const double> x_, y_, z_;
    std::span<double> q_, d_;
    std::span<std::uint8_t> dropped_;
};

}  // namespace ks::spots
