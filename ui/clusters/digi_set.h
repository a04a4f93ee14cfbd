#pragma once

#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ui/clusters/core_clusters.h"

namespace ks::ui::clusters {

/// The layer or disk of a module, from 1, and its name; NaN and empty if the layout has none.
double layerNumber(const ks::clusters::DetectorLayout& layout, std::uint64_t module);
QString layerName(const ks::clusters::DetectorLayout& layout, std::uint64_t module);

/// The digis of a file, by module and event. A slot is one module in one event; a row is one digi.
class DigiSet {
  public:
    /// Sorts the rows by slot.
    explicit DigiSet(std::shared_ptr<const ks::clusters::ModuleDigis> digis);

    const ks::clusters::ModuleDigis& digis() const { return *digis_; }
    const std::shared_ptr<const ks::clusters::ModuleDigis>& shared() const { return digis_; }
    const ks::clusters::DetectorLayout& layout() const { return digis_->layout(); }
    std::size_t slotCount() const { return digis_->slot_module().size(); }

    /// Valid digis of a slot, ascending.
    std::span<const std::uint32_t> rows(std::size_t slot) const {
        return std::span(rows_).subspan(offsets_[slot], offsets_[slot + 1] - offsets_[slot]);
    }
    std::uint64_t charge(std::size_t slot) const { return charge_[slot]; }  ///< sum of adc

    /// Number of events that occur, in the order of their numbers.
    std::size_t events() const { return firstSlot_.size() - 1; }
    std::size_t firstSlot(std::size_t event) const { return firstSlot_[event]; }
    std::size_t endSlot(std::size_t event) const { return firstSlot_[event + 1]; }
    std::size_t eventOf(std::size_t slot) const;  ///< index among the events
    std::uint32_t number(std::size_t event) const { return digis_->slot_event()[firstSlot_[event]]; }
    std::uint64_t module(std::size_t slot) const { return digis_->slot_module()[slot]; }
    /// Index of the event with this number; nullopt if it does not occur.
    std::optional<std::size_t> eventWithNumber(std::uint64_t number) const;
    /// Slot of a module in an event; nullopt if it has no digis there.
    /// @param event less than events()
    std::optional<std::size_t> slotOf(std::size_t event, std::uint64_t module) const;
    /// The slot of an event with the most digis.
    std::size_t fullest(std::size_t event) const;

  private:
    std::shared_ptr<const ks::clusters::ModuleDigis> digis_;
    std::vector<std::size_t> offsets_;  ///< [slot], index into rows_
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint64_t> charge_;
    std::vector<std::size_t> firstSlot_;  ///< [event]
};

}  // namespace ks::ui::clusters
