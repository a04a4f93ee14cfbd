#include "core/clusters/labelling/module_digis.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace ks::clusters {
namespace {

constexpr std::size_t maximum = std::numeric_limits<std::int32_t>::max();

/// Distinct values, ascending, and the place of each among them.
struct Ranks {
    std::vector<std::uint64_t> values;
    std::vector<std::uint32_t> place;  ///< per row
};

/// Ranks of value(row) for the rows that take part; the others get ModuleDigis::no_slot. Neighbouring rows
/// are mostly equal, and there are few distinct values: no sort of the rows.
template <class Takes, class Value>
Ranks ranks_of(std::size_t rows, const Takes& takes, const Value& value) {
    Ranks ranks;
    ranks.place.assign(rows, ModuleDigis::no_slot);
    std::unordered_map<std::uint64_t, std::uint32_t> seen;
    std::uint64_t last = 0;
    std::uint32_t last_place = ModuleDigis::no_slot;
    for (std::size_t row = 0; row < rows; ++row) {
        if (!takes(row)) continue;
        const std::uint64_t now = value(row);
        if (last_place == ModuleDigis::no_slot || now != last) {
            last = now;
            last_place = seen.emplace(now, static_cast<std::uint32_t>(seen.size())).first->second;
        }
        ranks.place[row] = last_place;
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order(seen.begin(), seen.end());
    std::ranges::sort(order);
    std::vector<std::uint32_t> rank(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        ranks.values.push_back(order[i].first);
        rank[order[i].second] = static_cast<std::uint32_t>(i);
    }
    for (std::uint32_t& place : ranks.place)
        if (place != ModuleDigis::no_slot) place = rank[place];
    return ranks;
}

template <class T, class Get>
Array narrow(std::size_t rows, const Get& get) {
    Array column(element_type_of<T>(), {rows});
    const std::span<T> values = column.as<T>();
    for (std::size_t row = 0; row < rows; ++row) values[row] = static_cast<T>(get(row));
    return column;
}

/// Values in the smallest type that holds the largest of them.
template <class Get>
Array smallest(std::size_t rows, const Get& get) {
    std::uint64_t largest = 0;
    for (std::size_t row = 0; row < rows; ++row) largest = std::max<std::uint64_t>(largest, get(row));
    if (largest <= std::numeric_limits<std::uint16_t>::max()) return narrow<std::uint16_t>(rows, get);
    if (largest <= std::numeric_limits<std::uint32_t>::max()) return narrow<std::uint32_t>(rows, get);
    return narrow<std::uint64_t>(rows, get);
}

}  // namespace

ModuleDigis::ModuleDigis(DigiTable table, const DetectorLayout& layout, std::string name)
    : table_(std::move(table)), layout_(layout), name_(std::move(name)) {
    require_consistent(table_);
    if (size() > maximum)
        throw Error(ErrorKind::input, fmt::format("{} digis are over the limit of {}", size(), maximum),
                    name_);
    require_layout();
    if (layout_.fixed())
        number_fixed();
    else
        number_free();
    count();
    find_blocks();
    make_columns();
    make_key();
}

void ModuleDigis::require_layout() const {
    const auto require = [this](bool holds, std::size_t row, const char* what, std::uint32_t end,
                                std::uint64_t found) {
        if (holds) return;
        throw Error(ErrorKind::input,
                    fmt::format("expected {} from 0 to {}, as layout {} has them, found {}", what, end - 1,
                                layout_.id, found),
                    fmt::format("{}, digi {}", name_, row));
    };
    for (std::size_t row = 0; row < size(); ++row) {
        const std::uint64_t module = table_.module_id(row);
        if (layout_.is_invalid(module)) continue;
        if (layout_.fixed()) require(module < layout_.modules, row, "modules", layout_.modules, module);
        if (layout_.extent_x != 0)
            require(table_.x[row] < layout_.extent_x, row, "x", layout_.extent_x, table_.x[row]);
        if (layout_.extent_y != 0)
            require(table_.y[row] < layout_.extent_y, row, "y", layout_.extent_y, table_.y[row]);
    }
}

void ModuleDigis::number_fixed() {
    const auto all = [](std::size_t) { return true; };
    const Ranks events = ranks_of(size(), all, [this](std::size_t row) { return table_.event_of(row); });
    events_ = events.values.size();
    const std::size_t modules = layout_.modules;
    if (events_ * modules > maximum)
        throw Error(ErrorKind::input,
                    fmt::format("{} events of {} modules are over the limit of {} modules", events_, modules,
                                maximum),
                    name_);
    for (const std::uint64_t event : events.values)
        for (std::size_t module = 0; module < modules; ++module) {
            slot_event_.push_back(static_cast<std::uint32_t>(event));
            slot_module_.push_back(module);
        }
    slot_.assign(size(), no_slot);
    for (std::size_t row = 0; row < size(); ++row)
        if (const std::uint64_t module = table_.module_id(row); !layout_.is_invalid(module))
            slot_[row] = static_cast<std::uint32_t>(events.place[row] * modules + module);
}

void ModuleDigis::number_free() {
    const auto valid = [this](std::size_t row) { return !layout_.is_invalid(table_.module_id(row)); };
    // Places of modules fit in 32 bits, so a pair of event and module fits in 64.
    Ranks pairs = ranks_of(size(), valid, [this](std::size_t row) {
        return (std::uint64_t{table_.event_of(row)} << 32) | table_.module[row];
    });
    slot_ = std::move(pairs.place);
    std::uint32_t last = 0;
    for (const std::uint64_t pair : pairs.values) {
        const auto event = static_cast<std::uint32_t>(pair >> 32);
        const auto module = static_cast<std::uint32_t>(pair);
        if (events_ == 0 || event != last) ++events_;
        last = event;
        slot_event_.push_back(event);
        slot_module_.push_back(table_.module_ids.empty() ? module : table_.module_ids[module]);
    }
}

void ModuleDigis::count() {
    slot_start_.assign(slots(), -1);
    slot_digis_.assign(slots(), 0);
    std::vector<std::uint64_t> charge(slots(), 0);
    extent_x_ = layout_.extent_x;
    extent_y_ = layout_.extent_y;
    for (std::size_t row = 0; row < size(); ++row) {
        const std::uint32_t slot = slot_[row];
        if (slot == no_slot) {
            ++invalid_;
            continue;
        }
        if (slot_digis_[slot]++ == 0) slot_start_[slot] = static_cast<std::int32_t>(row);
        charge[slot] += table_.adc[row];
        largest_adc_ = std::max(largest_adc_, table_.adc[row]);
        some_without_charge_ |= table_.adc[row] == 0;
        extent_x_ = std::max(extent_x_, std::uint32_t{table_.x[row]} + 1);
        extent_y_ = std::max(extent_y_, std::uint32_t{table_.y[row]} + 1);
    }
    if (slots() == 0) return;
    largest_slot_ = *std::ranges::max_element(slot_digis_);
    modules_ = static_cast<std::size_t>(
        std::ranges::count_if(slot_digis_, [](std::uint32_t digis) { return digis > 0; }));
    bound_sums(*std::ranges::max_element(charge));
}

void ModuleDigis::bound_sums(std::uint64_t largest_charge) {
    const std::uint64_t index = std::max<std::uint64_t>(std::max(extent_x_, extent_y_), 2) - 1,
                        weights = std::max<std::uint64_t>(largest_charge, largest_slot_);
    charge_bits_ = static_cast<unsigned>(std::bit_width(largest_charge));
    const bool fits = weights <= std::numeric_limits<std::uint64_t>::max() / index;
    moment_bits_ = static_cast<unsigned>(fits ? std::bit_width(weights * index)
                                              : std::bit_width(weights) + std::bit_width(index));
}

void ModuleDigis::find_blocks() {
    blocks_ = {{0, size(), 0, slots()}};
    if (!table_.has_events() || !std::ranges::is_sorted(table_.event)) return;
    blocks_.clear();
    for (std::size_t row = 0, slot = 0; row < size();) {
        const std::uint32_t event = table_.event[row];
        Block block{row, 0, slot, 0};
        while (row < size() && table_.event[row] == event) ++row;
        while (slot < slots() && slot_event_[slot] == event) ++slot;
        block.rows = row - block.first_row;
        block.slots = slot - block.first_slot;
        blocks_.push_back(block);
    }
}

void ModuleDigis::make_columns() {
    module_column_ = smallest(size(), [this](std::size_t row) { return table_.module_id(row); });
    event_column_ = table_.has_events()
                        ? smallest(size(), [this](std::size_t row) { return table_.event[row]; })
                        : Array(ElementType::u16, {0});
    const auto column = []<class T>(const std::vector<T>& values) {
        return Array::of<T>({values.size()}, values);
    };
    slot_columns_ = {column(slot_module_), column(slot_event_), column(slot_start_), column(slot_digis_)};
}

void ModuleDigis::make_key() {
    key_ = fmt::format("digis {} {} slots {} {:x} {:x} {:x} {:x}", layout_.id, size(), slots(),
                       hash_of(slot_), hash_of(table_.x), hash_of(table_.y), hash_of(table_.adc));
}

}  // namespace ks::clusters
