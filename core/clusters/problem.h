#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/clusters/labelling/module_digis.h"
#include "core/clusters/layout.h"
#include "core/run/analysis.h"

namespace ks::clusters {

struct ClusterSettings {
    int connectivity = 8;  ///< or 4: corners do not touch
    Duplicates duplicates = Duplicates::keep;
    /// Smallest charge of a cluster that is kept: of slot s charge_cuts[s % charge_cuts.size()] (one value a
    /// module in fixed layouts, else one for all); empty: charges are not cut.
    std::vector<std::uint32_t> charge_cuts;
    /// Slot whose algorithm is recorded step by step in the result (core/clusters/trace/trace.h); nothing:
    /// none.
    std::optional<std::int64_t> record = {};
};

/// What is clustered: digis in the order of the input, and how.
class ClusterProblem : public Problem {
  public:
    /// Throws ks::Error(input) where the connectivity is neither 4 nor 8 or the cuts do not fit the layout,
    /// or where there is no slot to record.
    ClusterProblem(std::shared_ptr<const ModuleDigis> digis, ClusterSettings settings);

    const std::shared_ptr<const ModuleDigis>& shared() const { return digis_; }
    const DetectorLayout& layout() const { return digis_->layout(); }
    const ClusterSettings& settings() const { return settings_; }

    std::size_t digis() const { return digis_->size(); }
    std::size_t slots() const { return digis_->slots(); }
    std::size_t events() const { return digis_->events(); }
    std::uint32_t extent_x() const { return digis_->extent_x(); }
    std::uint32_t extent_y() const { return digis_->extent_y(); }
    /// Per digi, in input order.
    std::span<const std::uint32_t> slot() const { return digis_->slot(); }  ///< ModuleDigis::no_slot: invalid
    std::span<const std::uint16_t> x() const { return digis_->table().x; }
    std::span<const std::uint16_t> y() const { return digis_->table().y; }
    std::span<const std::uint32_t> adc() const { return digis_->table().adc; }

    int connectivity() const { return settings_.connectivity; }
    bool drops_duplicates() const { return settings_.duplicates == Duplicates::drop; }
    bool cuts_charge() const { return !settings_.charge_cuts.empty(); }
    std::uint32_t charge_cut(std::size_t slot) const {
        return settings_.charge_cuts[slot % settings_.charge_cuts.size()];
    }

    std::vector<std::string> warnings = {};  ///< of the input; every result repeats them

  private:
    std::shared_ptr<const ModuleDigis> digis_;
    ClusterSettings settings_;
};

}  // namespace ks::clusters
