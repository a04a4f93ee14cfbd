#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/clusters/layout.h"
#include "core/data/digi_table.h"

namespace ks::clusters {

/// Digis with the slot of each: a slot is one module in one event. Slots are ordered by event, then by
/// module. In fixed layouts every module has a slot in each event that occurs (slot = index of the event *
/// modules + module); in others only pairs of event and module that occur have one. Shared
/// by problems with different settings.
class ModuleDigis {
  public:
    static constexpr std::uint32_t no_slot = 0xffffffff;  ///< slot of invalid digis

    /// Consecutive rows and slots that belong together: an event if the events are contiguous in the input,
    /// else everything. No slot has digis in two blocks. Data may be streamed in blocks.
    struct Block {
        std::size_t first_row, rows, first_slot, slots;
    };

    /// @param name for messages and facts: a file. Throws ks::Error(input) naming the row if a module or a
    /// coordinate is outside the layout, or if there are 2^31 digis or slots.
    ModuleDigis(DigiTable table, const DetectorLayout& layout, std::string name);

    const DigiTable& table() const { return table_; }
    const DetectorLayout& layout() const { return layout_; }
    const std::string& name() const { return name_; }
    const std::string& key() const { return key_; }  ///< changes with the digis and their slots
    std::size_t size() const { return table_.size(); }

    /// Per digi in input order; no_slot for the invalid ones.
    std::span<const std::uint32_t> slot() const { return slot_; }
    std::size_t slots() const { return slot_module_.size(); }
    std::size_t events() const { return events_; }
    const std::vector<Block>& blocks() const { return blocks_; }

    /// Blocks of one slot with digis each; slots without digis belong to the block of a neighbour that has
    /// some. Empty if the digis are not ordered slot by slot. Computed once, on first use. Thread-safe.
    const std::vector<Block>& slot_blocks() const;

    std::uint32_t extent_x() const { return extent_x_; }  ///< of the layout, or the largest x + 1
    std::uint32_t extent_y() const { return extent_y_; }

    /// Per slot: id of the module, number of the event, row of the first digi (-1:
    /// none), number of valid digis.
    const std::vector<std::uint64_t>& slot_module() const { return slot_module_; }
    const std::vector<std::uint32_t>& slot_event() const { return slot_event_; }
    const std::vector<std::int32_t>& slot_start() const { return slot_start_; }
    const std::vector<std::uint32_t>& slot_digis() const { return slot_digis_; }

    /// Per digi, for results: module ids in u16, u32 or u64, as needed; numbers of events in u16 or u32, of
    /// size 0 if the digis have none.
    const Array& module_column() const { return module_column_; }
    const Array& event_column() const { return event_column_; }
    /// The per-slot values above, for results.
    struct SlotColumns {
        Array module, event, start, digis;
    };
    const SlotColumns& slot_columns() const { return slot_columns_; }

    std::uint32_t largest_slot() const { return largest_slot_; }  ///< largest number of digis in a slot
    std::size_t modules() const { return modules_; }              ///< slots with digis
    std::size_t invalid() const { return invalid_; }              ///< digis without a slot
    /// Over the digis that have a slot: the largest charge, and whether any charge is 0.
    std::uint32_t largest_adc() const { return largest_adc_; }
    bool some_without_charge() const { return some_without_charge_; }
    bool charges_fit_u32() const { return charge_bits_ <= 32; }  ///< the sum of a slot's adc is below 2^32
    /// Bits needed for the sums over the digis of any slot: of adc, and of adc times pixel index and of pixel
    /// indices. The latter may exceed 64: 2^31 digis of 32 bits at indices of 16 bits.
    unsigned charge_bits() const { return charge_bits_; }
    unsigned moment_bits() const { return moment_bits_; }

  private:
    /// Result of count() for a block.
    struct Counted {
        std::size_t invalid = 0, modules = 0;
        std::uint64_t largest_charge = 0;
        std::uint32_t largest_adc = 0, largest_slot = 0, extent_x = 0, extent_y = 0;
        bool some_without_charge = false;
    };

    void require_layout() const;
    void number_fixed();
    void number_free();
    void find_blocks();
    void count();
    Counted counted_block(const Block& block);
    void bound_sums(std::uint64_t largest_charge);
    void make_columns();
    void make_key();

    DigiTable table_;
    DetectorLayout layout_;
    std::string name_, key_;
    std::vector<std::uint32_t> slot_, slot_event_, slot_digis_;
    std::vector<std::uint64_t> slot_module_;
    std::vector<std::int32_t> slot_start_;
    std::vector<Block> blocks_;
    struct SlotBlocks {
        std::once_flag once;
        std::vector<Block> blocks;
    };
    std::shared_ptr<SlotBlocks> slot_blocks_ = std::make_shared<SlotBlocks>();
    Array module_column_, event_column_;
    SlotColumns slot_columns_;
    std::size_t events_ = 0, invalid_ = 0, modules_ = 0;
    std::uint32_t extent_x_ = 0, extent_y_ = 0, largest_slot_ = 0, largest_adc_ = 0;
    unsigned charge_bits_ = 0, moment_bits_ = 0;
    bool some_without_charge_ = false;
};

}  // namespace ks::clusters
