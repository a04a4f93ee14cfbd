#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clusters/labelling/module_digis.h"
#include "core/clusters/layout.h"
#include "core/run/analysis.h"

namespace ks::clusters {

struct ClusterSettings {
    int connectivity = 8;  ///< or 4: corners do not touch
    Duplicates duplicates = Duplicates::keep;
    /// Minimum charge of a cluster to be kept: for slot s charge_cuts[s % charge_cuts.size()] (one value per
    /// module in fixed layouts, else one for all); empty: charges are not cut.
    std::vector<std::uint32_t> charge_cuts;
    /// Slot whose algorithm is recorded step by step (core/clusters/trace/trace.h); empty: none.
    std::optional<std::int64_t> record = {};
};

/// What is clustered, digis in input order, and how.
class ClusterProblem : public Problem {
  public:
    /// Throws ks::Error(input) if the connectivity is neither 4 nor 8, the cuts do not fit the layout, or the
    /// slot to record does not exist.
    ClusterProblem(std::shared_ptr<const ModuleDigis> digis, ClusterSettings settings);

    const std::shared_ptr<const ModuleDigis>& shared() const { return digis_; }
    const DetectorLayout& layout() const { return digis_->layout(); }
    const ClusterSettings& settings() const { return settings_; }

    /// Units from which parts are made: events, or modules if there are few events and
    /// digis are ordered by module.
    std::span<const ModuleDigis::Block> cuts() const;
    bool cut_by_modules() const { return cuts().data() != blocks().data(); }
    /// The part of the problem with the units [first, end). It shares the digis, and what is already known
    /// about all digis. If a module is to be recorded, the part that contains it records it.
    std::shared_ptr<const ClusterProblem> part(std::size_t first, std::size_t end) const;
    bool is_part() const { return part_.has_value(); }
    /// Rows count from the first one of the part; slots are those of the whole problem.
    std::span<const ModuleDigis::Block> blocks() const {
        return part_ ? std::span<const ModuleDigis::Block>(part_->blocks) : digis_->blocks();
    }
    std::size_t first_row() const { return part_ ? part_->first_row : 0; }  ///< of the part, among all
    std::size_t first_slot() const { return part_ ? part_->first_slot : 0; }

    std::size_t digis() const { return part_ ? part_->rows : digis_->size(); }
    std::size_t slots() const { return part_ ? part_->slots : digis_->slots(); }
    std::size_t events() const { return digis_->events(); }
    std::uint32_t extent_x() const { return digis_->extent_x(); }
    std::uint32_t extent_y() const { return digis_->extent_y(); }
    /// Per digi, in input order.
    std::span<const std::uint32_t> slot() const { return own(digis_->slot()); }  ///< no_slot: invalid
    std::span<const std::uint16_t> x() const { return own<std::uint16_t>(digis_->table().x); }
    std::span<const std::uint16_t> y() const { return own<std::uint16_t>(digis_->table().y); }
    std::span<const std::uint32_t> adc() const { return own<std::uint32_t>(digis_->table().adc); }
    /// Per slot, from first_slot() on: number of valid digis.
    std::span<const std::uint32_t> slot_digis() const {
        return std::span(digis_->slot_digis()).subspan(first_slot(), slots());
    }

    int connectivity() const { return settings_.connectivity; }
    bool drops_duplicates() const { return settings_.duplicates == Duplicates::drop; }
    bool cuts_charge() const { return !settings_.charge_cuts.empty(); }
    std::uint32_t charge_cut(std::size_t slot) const {
        return settings_.charge_cuts[slot % settings_.charge_cuts.size()];
    }

    std::vector<std::string> warnings = {};  ///< about the input; every result repeats them

  private:
    struct Part {
        std::size_t first_row, rows, first_slot, slots;
        std::vector<ModuleDigis::Block> blocks;
        std::vector<ModuleDigis::Block> cuts;  ///< empty: same as the blocks
    };
    template <class T>
    std::span<const T> own(std::span<const T> column) const {
        return column.subspan(first_row(), digis());
    }

    std::shared_ptr<const ModuleDigis> digis_;
    ClusterSettings settings_;
    std::optional<Part> part_ = {};
};

}  // namespace ks::clusters
