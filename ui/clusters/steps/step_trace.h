#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/run/run.h"

namespace ks::ui::clusters {

/// What a run recorded of one module: labels after each round of the published loop, and parents after each
/// step of union-find. Digis are numbered as in the loop (places): by column y, then by row.
class StepTrace {
  public:
    /// Whether the run has recorded a module.
    static bool in(const Run& run);
    /// Throws ks::Error(run) if the datasets are inconsistent.
    explicit StepTrace(std::shared_ptr<const Run> run);
    const std::shared_ptr<const Run>& run() const { return run_; }

    std::size_t slot() const { return slot_; }
    std::size_t size() const { return digis_.size(); }
    std::int64_t row(std::size_t place) const { return digis_[place]; }
    /// Place of a row; -1: it was not used.
    int placeOf(std::int64_t row) const;

    std::size_t rounds() const { return labels_.empty() ? 0 : labels_.size() / size() - 1; }
    bool hasLabels() const { return !labels_.empty(); }
    /// Places after a round; round 0 is the start.
    std::span<const std::int32_t> labels(std::size_t round) const {
        return labels_.subspan(round * size(), size());
    }
    /// Places whose label was changed by this round.
    std::vector<std::uint32_t> changed(std::size_t round) const;

    std::size_t steps() const { return parents_.empty() ? 0 : parents_.size() / size() - 1; }
    bool hasParents() const { return !parents_.empty(); }
    std::span<const std::int32_t> parents(std::size_t step) const {
        return parents_.subspan(step * size(), size());
    }
    /// Number of parents above each place; 0: a root. Throws ks::Error(run) for an endless chain.
    std::vector<std::uint32_t> depths(std::size_t step) const;

    std::size_t columns() const { return prefix_.empty() ? 0 : prefix_.size() - 1; }
    std::uint32_t inColumn(std::size_t column) const { return prefix_[column + 1] - prefix_[column]; }
    /// Column of a place, and the number of places before that column.
    std::size_t columnOf(std::size_t place) const;
    std::size_t beforeColumn(std::size_t column) const { return prefix_[column]; }
    /// Places that touch this one: its list has the later ones; the lists of earlier ones contain it.
    std::vector<std::uint32_t> neighbours(std::size_t place) const;

  private:
    std::shared_ptr<const Run> run_;
    std::size_t slot_ = 0, width_ = 0;
    std::span<const std::int64_t> digis_;
    std::span<const std::int32_t> labels_, parents_, neighbours_;
    std::span<const std::uint32_t> prefix_;
    std::vector<std::pair<std::int64_t, int>> places_;  ///< sorted by row
};

}  // namespace ks::ui::clusters
