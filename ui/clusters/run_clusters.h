#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/run/run.h"
#include "ui/clusters/core_clusters.h"
#include "ui/clusters/digi_set.h"

namespace ks::ui::clusters {

/// The labels and the table of clusters of one run, by slot of the digis. A cluster is its index in the
/// table, which is ordered by label.
class RunClusters {
  public:
    /// Throws ks::Error(run) if the result is incomplete or belongs to other digis.
    RunClusters(std::shared_ptr<const Run> run, int number, std::shared_ptr<const DigiSet> digis);

    const std::shared_ptr<const Run>& run() const { return run_; }
    int number() const { return number_; }
    const std::shared_ptr<const DigiSet>& digis() const { return digis_; }

    std::span<const std::int32_t> labels() const { return labels_; }  ///< one per row
    const std::vector<ks::clusters::Cluster>& clusters() const { return clusters_; }
    /// ModuleDigis::no_slot if the digis of the run are invalid in the displayed layout.
    std::uint32_t slotOf(std::size_t cluster) const;
    /// Clusters of a slot, ascending.
    std::span<const std::uint32_t> of(std::size_t slot) const {
        return std::span(bySlot_).subspan(offsets_[slot], offsets_[slot + 1] - offsets_[slot]);
    }
    std::size_t count(std::size_t slot) const { return offsets_[slot + 1] - offsets_[slot]; }
    /// Cluster with this label; -1: none.
    int withLabel(std::int32_t label) const;

  private:
    std::shared_ptr<const Run> run_;
    int number_;
    std::shared_ptr<const DigiSet> digis_;
    std::span<const std::int32_t> labels_;
    std::vector<ks::clusters::Cluster> clusters_;
    std::vector<std::size_t> offsets_;  ///< [slot], index into bySlot_
    std::vector<std::uint32_t> bySlot_;
};

}  // namespace ks::ui::clusters
