#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "ui/plots/map_plot.h"
#include "ui/runs/queued_job.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui::xpcs {

/// Whether a variant makes two-time maps.
bool makesTwoTime(const Variant& variant);

/// The job that computes the two-time map of one bin of a run: the run's request reduced to this bin, so that
/// it takes only a fraction of the time. nullopt if the run has no such bin.
/// @param label of the bin, 1..n
std::optional<Supplement> twoTimeSupplement(const RunRow& row, int label);

/// Two-time maps of several runs and bins. The oldest are dropped beyond `limit` bytes.
class TwoTimeMaps {
  public:
    static constexpr std::size_t limit = std::size_t{256} << 20;

    struct Entry {
        int number;  ///< number of the run
        int label;   ///< label of the bin
        MapData map;
        QString unit;  ///< unit of its axes
    };
    /// Stores the run's map; no effect if it has none.
    void keep(const RunRow& row);
    /// Null if there is none. Valid until the next keep().
    const Entry* find(int number, int label) const;

  private:
    std::deque<Entry> entries_;  ///< oldest first
};

}  // namespace ks::ui::xpcs
