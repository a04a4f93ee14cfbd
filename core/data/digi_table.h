#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ks {

/// Hits of pixel detectors, one row per digi, in input order: a structure of arrays of equal length.
struct DigiTable {
    std::vector<std::uint32_t> module;  ///< index into `module_ids` if that is not empty, else the id itself
    std::vector<std::uint16_t> x, y;    ///< pixel indices, from 0
    std::vector<std::uint32_t> adc;     ///< charge
    std::vector<std::uint32_t> event;   ///< event number; empty: all digis belong to event 0
    /// Ids of the modules, ascending, each once: for ids of more than 32 bits, such as traccc's geometry ids.
    std::vector<std::uint64_t> module_ids;

    std::size_t size() const { return module.size(); }
    bool has_events() const { return !event.empty(); }
    std::uint64_t module_id(std::size_t row) const {
        return module_ids.empty() ? module[row] : module_ids[module[row]];
    }
    std::uint32_t event_of(std::size_t row) const { return event.empty() ? 0 : event[row]; }
    bool operator==(const DigiTable&) const = default;
};

/// Throws ks::Error(run) if the columns differ in length or a module has no id.
void require_consistent(const DigiTable& digis);

}  // namespace ks
