#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ui/plots/map_plot.h"
#include "ui/runs/run_session.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui::xpcs {

/// Whether a variant makes two-time maps.
bool makesTwoTime(const Variant& variant);

/// The job that brings the two-time map of one bin of a run: the run's own request with this bin alone, so
/// that it takes a fraction of the run's time. Nothing where the run has no such bin.
/// @param label of the bin, 1..n
std::optional<Supplement> twoTimeSupplement(const RunRow& row, int label);

/// Two-time maps of runs, of several bins each. The oldest go where they take more than `limit` bytes.
class TwoTimeMaps {
  public:
    static constexpr std::size_t limit = std::size_t{256} << 20;

    struct Entry {
        int number;  ///< of the run
        int label;   ///< of the bin
        MapData map;
        QString unit;  ///< of its axes
    };
    /// Keeps the map that the run has; without effect where it has none.
    void keep(const RunRow& row);
    /// Null where there is none. Valid until the next keep().
    const Entry* find(int number, int label) const;

  private:
    std::deque<Entry> entries_;  ///< oldest first
};

}  // namespace ks::ui::xpcs
