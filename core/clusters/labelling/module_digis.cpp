#include "core/clusters/labelling/module_digis.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/base/threads.h"

namespace ks::clusters {
namespace {

constexpr std::size_t maximum = std::numeric_limits<std::int32_t>::max();

/// Distinct values in ascending order, and the index of each row's value among them.
struct Ranks {
    std::vector<std::uint64_t> values;
    std::vector<std::uint32_t> place;  ///< per row
};

/// Calls work(first, end, piece) for pieces of rows in parallel.
constexpr std::size_t piece_rows = std::size_t{1} << 17;
std::size_t pieces_of(std::size_t rows) {
    return (rows + piece_rows - 1) / piece_rows;
}
template <class Work>
void in_pieces(std::size_t rows, const Work& work) {
    parallel_for(pieces_of(rows), compute_threads(), [&](std::size_t piece) {
        work(piece * piece_rows, std::min(rows, (piece + 1) * piece_rows), piece);
    });
}

/// Distinct values in the order of their first occurrence in a piece of rows.
class FirstSeen {
  public:
    std::uint32_t number_of(std::uint64_t value) {
        Recent& recent = recent_[value * 0x9e3779b97f4a7c15U >> (64 - recent_bits)];
        if (recent.known && recent.value == value) return recent.number;
        const auto [at, is_new] = numbers_.emplace(value, static_cast<std::uint32_t>(values_.size()));
        if (is_new) values_.push_back(value);
        recent = {value, at->second, true};
        return at->second;
    }
    const std::vector<std::uint64_t>& values() const { return values_; }

  private:
    static constexpr unsigned recent_bits = 13;
    struct Recent {
        std::uint64_t value = 0;
        std::uint32_t number = 0;
        bool known = false;
    };
    std::vector<Recent> recent_ = std::vector<Recent>(std::size_t{1} << recent_bits);  ///< by hash
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    std::vector<std::uint64_t> values_;
};

/// The union of ascending lists, ascending and without repetitions.
std::vector<std::uint64_t> united(std::vector<std::vector<std::uint64_t>> lists) {
    while (lists.size() > 1) {
        std::vector<std::vector<std::uint64_t>> pairs((lists.size() + 1) / 2);
        parallel_for(pairs.size(), compute_threads(), [&](std::size_t i) {
            if (2 * i + 1 == lists.size()) {
                pairs[i] = std::move(lists[2 * i]);
                return;
            }
            pairs[i].reserve(lists[2 * i].size() + lists[2 * i + 1].size());
            std::ranges::set_union(lists[2 * i], lists[2 * i + 1], std::back_inserter(pairs[i]));
        });
        lists = std::move(pairs);
    }
    return lists.empty() ? std::vector<std::uint64_t>() : std::move(lists.front());
}

/// Ranks of value(row) for the rows that take part; the others get ModuleDigis::no_slot. Neighbouring rows
/// are mostly equal, and there are few distinct values, so rows are not sorted.
template <class Takes, class Value>
Ranks ranks_of(std::size_t rows, const Takes& takes, const Value& value) {
    Ranks ranks;
    ranks.place.assign(rows, ModuleDigis::no_slot);
    std::vector<std::vector<std::uint64_t>> found(pieces_of(rows)), ascending(pieces_of(rows));
    in_pieces(rows, [&](std::size_t first, std::size_t end, std::size_t piece) {
        FirstSeen seen;
        std::uint64_t last = 0;
        std::uint32_t last_place = ModuleDigis::no_slot;
        for (std::size_t row = first; row < end; ++row) {
            if (!takes(row)) continue;
            const std::uint64_t now = value(row);
            if (last_place == ModuleDigis::no_slot || now != last) {
                last = now;
                last_place = seen.number_of(now);
            }
            ranks.place[row] = last_place;
        }
        found[piece] = ascending[piece] = seen.values();
        std::ranges::sort(ascending[piece]);
    });
    ranks.values = united(std::move(ascending));
    in_pieces(rows, [&](std::size_t first, std::size_t end, std::size_t piece) {
        std::vector<std::uint32_t> rank;
        rank.reserve(found[piece].size());
        for (const std::uint64_t one : found[piece])
            rank.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(ranks.values, one) -
                                                      ranks.values.begin()));
        for (std::size_t row = first; row < end; ++row)
            if (std::uint32_t& place = ranks.place[row]; place != ModuleDigis::no_slot) place = rank[place];
    });
    return ranks;
}

template <class T, class Get>
Array narrow(std::size_t rows, const Get& get) {
    Array column = Array::undefined(element_type_of<T>(), {rows});
    const std::span<T> values = column.as<T>();
    in_pieces(rows, [&](std::size_t first, std::size_t end, std::size_t) {
        for (std::size_t row = first; row < end; ++row) values[row] = static_cast<T>(get(row));
    });
    return column;
}

/// Values in the smallest type that holds the largest of them.
template <class Get>
Array smallest(std::size_t rows, const Get& get) {
    std::vector<std::uint64_t> largest_of(pieces_of(rows) + 1, 0);
    in_pieces(rows, [&](std::size_t first, std::size_t end, std::size_t piece) {
        std::uint64_t largest = 0;
        for (std::size_t row = first; row < end; ++row) largest = std::max<std::uint64_t>(largest, get(row));
        largest_of[piece] = largest;
    });
    const std::uint64_t largest = *std::ranges::max_element(largest_of);
    if (largest <= std::numeric_limits<std::uint16_t>::max()) return narrow<std::uint16_t>(rows, get);
    if (largest <= std::numeric_limits<std::uint32_t>::max()) return narrow<std::uint32_t>(rows, get);
    return narrow<std::uint64_t>(rows, get);
}

}  // namespace

ModuleDigis::ModuleDigis(DigiTable table, const DetectorLayout& layout, std::string name)
    : table_(std::move(table)), layout_(layout), name_(std::move(name)) {
    require_consistent(table_);
    if (size() > maximum)
        throw Error(ErrorKind::input, fmt::format("{} digis exceed the limit of {}", size(), maximum), name_);
    require_layout();
    if (layout_.fixed())
        number_fixed();
    else
        number_free();
    find_blocks();
    count();
    make_columns();
    make_key();
}

void ModuleDigis::require_layout() const {
    const auto require = [this](bool holds, std::size_t row, const char* what, std::uint32_t end,
                                std::uint64_t found) {
        if (holds) return;
        throw Error(
            ErrorKind::input,
            fmt::format("expected {} from 0 to {} for layout {}, found {}", what, end - 1, layout_.id, found),
            fmt::format("{}, digi {}", name_, row));
    };
    const auto holds = [this](std::size_t row) {
        const std::uint64_t module = table_.module_id(row);
        return layout_.is_invalid(module) || ((!layout_.fixed() || module < layout_.modules) &&
                                              (layout_.extent_x == 0 || table_.x[row] < layout_.extent_x) &&
                                              (layout_.extent_y == 0 || table_.y[row] < layout_.extent_y));
    };
    std::vector<std::size_t> wrong(pieces_of(size()), size());
    in_pieces(size(), [&](std::size_t first, std::size_t end, std::size_t piece) {
        for (std::size_t row = first; row < end && wrong[piece] == size(); ++row)
            if (!holds(row)) wrong[piece] = row;
    });
    const auto found = std::ranges::find_if(wrong, [this](std::size_t row) { return row < size(); });
    if (found == wrong.end()) return;
    const std::size_t row = *found;
    if (layout_.fixed())
        require(table_.module_id(row) < layout_.modules, row, "modules", layout_.modules,
                table_.module_id(row));
    if (layout_.extent_x != 0)
        require(table_.x[row] < layout_.extent_x, row, "x", layout_.extent_x, table_.x[row]);
    if (layout_.extent_y != 0)
        require(table_.y[row] < layout_.extent_y, row, "y", layout_.extent_y, table_.y[row]);
}

void ModuleDigis::number_fixed() {
    const auto all = [](std::size_t) { return true; };
    Ranks events = ranks_of(size(), all, [this](std::size_t row) { return table_.event_of(row); });
    events_ = events.values.size();
    const std::size_t modules = layout_.modules;
    if (events_ * modules > maximum)
        throw Error(ErrorKind::input,
                    fmt::format("{} events with {} modules each exceed the limit of {} modules in total",
                                events_, modules, maximum),
                    name_);
    for (const std::uint64_t event : events.values)
        for (std::size_t module = 0; module < modules; ++module) {
            slot_event_.push_back(static_cast<std::uint32_t>(event));
            slot_module_.push_back(module);
        }
    slot_ = std::move(events.place);
    in_pieces(size(), [&](std::size_t first, std::size_t end, std::size_t) {
        for (std::size_t row = first; row < end; ++row) {
            const std::uint64_t module = table_.module_id(row);
            slot_[row] = layout_.is_invalid(module)
                             ? no_slot
                             : static_cast<std::uint32_t>(slot_[row] * modules + module);
        }
    });
}

void ModuleDigis::number_free() {
    const auto valid = [this](std::size_t row) { return !layout_.is_invalid(table_.module_id(row)); };
    // Module indices fit in 32 bits, so a pair of event and module fits in 64.
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
    extent_x_ = layout_.extent_x;
    extent_y_ = layout_.extent_y;
    std::vector<Counted> counted(blocks_.size());
    parallel_for(blocks_.size(), compute_threads(),
                 [&](std::size_t i) { counted[i] = counted_block(blocks_[i]); });
    Counted all;
    for (const Counted& one : counted) {
        invalid_ += one.invalid;
        modules_ += one.modules;
        some_without_charge_ |= one.some_without_charge;
        all.largest_charge = std::max(all.largest_charge, one.largest_charge);
        largest_adc_ = std::max(largest_adc_, one.largest_adc);
        largest_slot_ = std::max(largest_slot_, one.largest_slot);
        extent_x_ = std::max(extent_x_, one.extent_x);
        extent_y_ = std::max(extent_y_, one.extent_y);
    }
    if (slots() > 0) bound_sums(all.largest_charge);
}

ModuleDigis::Counted ModuleDigis::counted_block(const Block& block) {
    Counted counted;
    std::vector<std::uint64_t> charge(block.slots, 0);
    for (std::size_t row = block.first_row; row < block.first_row + block.rows; ++row) {
        const std::uint32_t slot = slot_[row];
        if (slot == no_slot) {
            ++counted.invalid;
            continue;
        }
        if (slot_digis_[slot]++ == 0) slot_start_[slot] = static_cast<std::int32_t>(row);
        charge[slot - block.first_slot] += table_.adc[row];
        counted.largest_adc = std::max(counted.largest_adc, table_.adc[row]);
        counted.some_without_charge |= table_.adc[row] == 0;
        counted.extent_x = std::max(counted.extent_x, std::uint32_t{table_.x[row]} + 1);
        counted.extent_y = std::max(counted.extent_y, std::uint32_t{table_.y[row]} + 1);
    }
    for (std::size_t slot = block.first_slot; slot < block.first_slot + block.slots; ++slot) {
        counted.largest_slot = std::max(counted.largest_slot, slot_digis_[slot]);
        counted.modules += slot_digis_[slot] > 0 ? 1U : 0U;
    }
    for (const std::uint64_t one : charge) counted.largest_charge = std::max(counted.largest_charge, one);
    return counted;
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
        row =
            static_cast<std::size_t>(std::upper_bound(table_.event.begin() + static_cast<std::ptrdiff_t>(row),
                                                      table_.event.end(), event) -
                                     table_.event.begin());
        while (slot < slots() && slot_event_[slot] == event) ++slot;
        block.rows = row - block.first_row;
        block.slots = slot - block.first_slot;
        blocks_.push_back(block);
    }
}

const std::vector<ModuleDigis::Block>& ModuleDigis::slot_blocks() const {
    std::call_once(slot_blocks_->once, [this] {
        std::vector<Block> found;
        std::uint32_t last = no_slot;
        for (std::size_t row = 0; row < size(); ++row) {
            const std::uint32_t slot = slot_[row];
            if (slot == no_slot || slot == last) continue;
            if (last != no_slot && slot < last) return;
            if (last != no_slot) {
                found.back().rows = row - found.back().first_row;
                found.back().slots = slot - found.back().first_slot;
            }
            // The first one also includes what precedes it.
            found.push_back(last == no_slot ? Block{0, 0, 0, 0} : Block{row, 0, slot, 0});
            last = slot;
        }
        if (found.empty()) return;
        found.back().rows = size() - found.back().first_row;
        found.back().slots = slots() - found.back().first_slot;
        slot_blocks_->blocks = std::move(found);
    });
    return slot_blocks_->blocks;
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
    std::uint64_t slot = 0, x = 0, y = 0, adc = 0;
    const std::function<void()> hashes[] = {[&] { slot = hash_of(slot_); },
                                            [&] { adc = hash_of(table_.adc); },
                                            [&] { x = hash_of(table_.x); }, [&] { y = hash_of(table_.y); }};
    parallel_for(std::size(hashes), compute_threads(), [&](std::size_t i) { hashes[i](); });
    key_ =
        fmt::format("digis {} {} slots {} {:x} {:x} {:x} {:x}", layout_.id, size(), slots(), slot, x, y, adc);
}

}  // namespace ks::clusters
